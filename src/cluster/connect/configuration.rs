//! Turns what is meant into kube's configuration.

use std::{env::consts, path::PathBuf, time::Duration};

use http::{HeaderValue, header::USER_AGENT};
use kube::{
    Config,
    config::{Cluster, ExecAuthCluster},
};

use super::{
    ConnectError, ConnectOptions, environment::Environment, proxy, selection::Selection, server_url,
};

/// How long a connection may take to come about, as in client-go.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);

/// Makes the configuration, without any credentials.
pub(super) fn configure(
    selection: &mut Selection,
    options: &ConnectOptions,
    environment: &Environment,
) -> Result<Config, ConnectError> {
    override_cluster(&mut selection.cluster, options);
    let cluster = &selection.cluster;
    let server = cluster
        .server
        .as_deref()
        .filter(|server| !server.is_empty());
    let server = server.ok_or_else(|| ConnectError::NoServer(selection.cluster_name.clone()))?;
    let url = server_url::parse(server, cluster)?;
    let mut config = Config::new(url.clone());
    verification(&mut config, cluster)?;
    config.proxy_url = proxy::choose(cluster.proxy_url.as_deref(), &url, environment)?;
    config.disable_compression =
        options.disable_compression || cluster.disable_compression == Some(true);
    let namespace = options.namespace.as_ref().or(selection.namespace.as_ref());
    if let Some(namespace) = namespace {
        config.default_namespace.clone_from(namespace);
    }
    config.connect_timeout = Some(CONNECT_TIMEOUT);
    // A limit on reading would end every watch.
    config.read_timeout = None;
    // Repeating is the executor's business: a hidden repetition would make a write's fate unclear.
    config.default_retry = false;
    config.headers.push((USER_AGENT, user_agent()));
    Ok(config)
}

/// What the user said about the cluster, with kubectl's side effects: an authority in a flag ends a
/// kubeconfig's insecurity and the other way round, and another server isn't asked for the old one's
/// name.
fn override_cluster(cluster: &mut Cluster, options: &ConnectOptions) {
    if options.server.is_some() {
        cluster.server.clone_from(&options.server);
    }
    if options.insecure_skip_tls_verify || options.certificate_authority.is_some() {
        let path = options.certificate_authority.as_ref();
        cluster.insecure_skip_tls_verify = Some(options.insecure_skip_tls_verify);
        cluster.certificate_authority = path.map(|path| path.display().to_string());
        cluster.certificate_authority_data = None;
    }
    if options.server.is_some() || options.tls_server_name.is_some() {
        cluster.tls_server_name.clone_from(&options.tls_server_name);
    }
}

/// How the server's certificate is checked.
fn verification(config: &mut Config, cluster: &Cluster) -> Result<(), ConnectError> {
    config.accept_invalid_certs = cluster.insecure_skip_tls_verify == Some(true);
    let name = cluster.tls_server_name.clone();
    config.tls_server_name = name.filter(|name| !name.is_empty());
    let Some((origin, pem)) = authority(cluster)? else {
        return Ok(());
    };
    if config.accept_invalid_certs {
        return Err(ConnectError::InsecureWithAuthority);
    }
    config.root_cert =
        Some(
            certificates(&pem).map_err(|problem| ConnectError::InvalidCertificate {
                what: origin,
                problem,
            })?,
        );
    Ok(())
}

/// The authorities' certificates, and where they come from.
fn authority(cluster: &Cluster) -> Result<Option<(String, Vec<u8>)>, ConnectError> {
    let path = cluster
        .certificate_authority
        .as_ref()
        .filter(|path| !path.is_empty());
    if cluster.certificate_authority_data.is_none() {
        let Some(path) = path.map(PathBuf::from) else {
            return Ok(None);
        };
        let origin = format!("certificate authority {}", path.display());
        return match std::fs::read(&path) {
            Ok(pem) => Ok(Some((origin, pem))),
            Err(source) => Err(ConnectError::UnreadableFile {
                what: "certificate authority",
                path,
                source,
            }),
        };
    }
    let origin = "kubeconfig's certificate-authority-data".to_owned();
    match ExecAuthCluster::try_from(cluster) {
        Ok(decoded) => Ok(decoded.certificate_authority_data.map(|pem| (origin, pem))),
        Err(error) => Err(ConnectError::InvalidCertificate {
            what: origin,
            problem: error.to_string(),
        }),
    }
}

/// The certificates in PEM; none at all would trust nobody.
fn certificates(text: &[u8]) -> Result<Vec<Vec<u8>>, String> {
    let blocks = pem::parse_many(text).map_err(|error| format!("it is not PEM: {error}"))?;
    let certificates: Vec<Vec<u8>> = blocks
        .into_iter()
        .filter(|block| block.tag() == "CERTIFICATE")
        .map(pem::Pem::into_contents)
        .collect();
    if certificates.is_empty() {
        return Err("it holds no certificate (BEGIN CERTIFICATE)".to_owned());
    }
    Ok(certificates)
}

/// `kubectl-copyrator/1.0.0 (linux/amd64)`, with Go's names as kubectl has them.
fn user_agent() -> HeaderValue {
    let architecture = match consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    let system = match consts::OS {
        "macos" => "darwin",
        other => other,
    };
    let version = env!("CARGO_PKG_VERSION");
    HeaderValue::try_from(format!(
        "kubectl-copyrator/{version} ({system}/{architecture})"
    ))
    .expect("a version and Rust's names of systems are ASCII")
}
