//! The HTTP service under the client: connections, straight or through a proxy, TLS, and kube's own layers.
//!
//! kube's builder leaves Nagle's algorithm on: the second packet of a new connection then waits for the server's
//! delayed acknowledgement, 40 ms each time. The record is decision 0026.

use std::{error::Error as StdError, time::Duration};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;
use http::{HeaderValue, Request, Response, Uri};
use http_body_util::{BodyExt as _, combinators::UnsyncBoxBody};
use hyper::rt::{Read, Write};
use hyper_timeout::TimeoutConnector;
use hyper_util::{
    client::legacy::{
        Builder,
        connect::{
            Connection, HttpConnector,
            proxy::{SocksV5, Tunnel},
        },
    },
    rt::TokioExecutor,
};
use kube::{
    Config,
    client::{Body, ConfigExt as _},
};
use percent_encoding::percent_decode_str;
use tower::{BoxError, Service, ServiceBuilder, ServiceExt as _, util::BoxService};
use tower_http::decompression::DecompressionLayer;

/// How long a connection may be silent before the other end is asked whether it is still there, as in Go's clients.
const KEEPALIVE: Duration = Duration::from_secs(30);

/// What carries out requests.
pub type HttpService =
    BoxService<Request<Body>, Response<UnsyncBoxBody<Bytes, BoxError>>, BoxError>;

/// A service that sends requests where the configuration says, as whom it says.
pub fn http_service(config: &Config) -> Result<HttpService, kube::Error> {
    let direct = direct();
    let Some(proxy) = &config.proxy_url else {
        return through(config, direct);
    };
    match proxy.scheme_str() {
        Some("socks5") => through(config, SocksV5::new(proxy.clone(), direct)),
        Some("https") => {
            let to_proxy = config.rustls_https_connector_with_connector(direct)?;
            through(
                config,
                authorized(proxy, Tunnel::new(proxy.clone(), to_proxy)),
            )
        }
        _ => through(
            config,
            authorized(proxy, Tunnel::new(proxy.clone(), direct)),
        ),
    }
}

fn direct() -> HttpConnector {
    let mut direct = HttpConnector::new();
    direct.enforce_http(false);
    direct.set_nodelay(true);
    direct.set_keepalive(Some(KEEPALIVE));
    direct
}

/// A tunnel that tells the proxy the user and the password of its URL, if it has them.
fn authorized<C>(proxy: &Uri, tunnel: Tunnel<C>) -> Tunnel<C> {
    let authority = proxy.authority().map(http::uri::Authority::as_str);
    let Some((user, _)) = authority.and_then(|authority| authority.rsplit_once('@')) else {
        return tunnel;
    };
    let decoded: Vec<u8> = percent_decode_str(user).collect();
    let mut header = HeaderValue::try_from(format!("Basic {}", STANDARD.encode(decoded)))
        .expect("base64 is visible ASCII");
    header.set_sensitive(true);
    tunnel.with_auth(header)
}

/// The service above a way to connect.
fn through<H>(config: &Config, connector: H) -> Result<HttpService, kube::Error>
where
    H: Service<Uri> + Clone + Send + Sync + 'static,
    H::Response: Connection + Read + Write + Send + Unpin + 'static,
    H::Future: Send + 'static,
    H::Error: StdError + Send + Sync + 'static,
{
    let secured = config.rustls_https_connector_with_connector(connector)?;
    let mut patient = TimeoutConnector::new(secured);
    patient.set_connect_timeout(config.connect_timeout);
    let sender = Builder::new(TokioExecutor::new()).build::<_, Body>(patient);
    let service = ServiceBuilder::new()
        .layer(config.base_uri_layer())
        .layer(DecompressionLayer::new().gzip(!config.disable_compression))
        .option_layer(config.auth_layer()?)
        .layer(config.extra_headers_layer()?)
        .map_err(BoxError::from)
        .service(sender);
    Ok(service
        .map_response(|response| response.map(|body| body.map_err(Into::into).boxed_unsync()))
        .boxed())
}
