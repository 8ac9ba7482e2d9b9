//! Lets somebody hear of every request that a client sends, watches and retries included.

use std::sync::Arc;

use http::{Method, Request, Response, Uri};
use kube::{Client, client::Body};
use tower::{BoxError, service_fn};

/// A request that has been answered, or never will be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestEnd<'a> {
    /// What it was to do, as RBAC spells it.
    pub verb: &'static str,
    /// The plural of the resource that it was about, with the subresource after a slash if there was one.
    pub resource: &'a str,
    /// The HTTP status; none when no answer came, or nobody waited for it any more.
    pub code: Option<u16>,
}

/// Hears of requests.
pub type Meter = Arc<dyn Fn(RequestEnd<'_>) + Send + Sync>;

/// The same client, of whose requests `meter` hears.
pub fn metered(client: &Client, meter: Meter) -> Client {
    let default_namespace = client.default_namespace().to_owned();
    let client = client.clone();
    let service = service_fn(move |request: Request<Body>| {
        let (client, meter) = (client.clone(), Arc::clone(&meter));
        async move { send(&client, request, meter).await }
    });
    Client::new(service, default_namespace)
}

async fn send(
    client: &Client,
    request: Request<Body>,
    meter: Meter,
) -> Result<Response<Body>, BoxError> {
    let mut pending = Pending {
        verb: verb(request.method(), request.uri()),
        resource: resource(request.uri().path()),
        code: None,
        meter,
    };
    let response = client.send(request).await?;
    pending.code = Some(response.status().as_u16());
    Ok(response)
}

/// A request on its way; told when it ends, however that comes about.
struct Pending {
    verb: &'static str,
    resource: String,
    code: Option<u16>,
    meter: Meter,
}

impl Drop for Pending {
    fn drop(&mut self) {
        (self.meter)(RequestEnd {
            verb: self.verb,
            resource: &self.resource,
            code: self.code,
        });
    }
}

/// The path after the API's group and version, without the namespace that it is in: the resource, and
/// perhaps a name and a subresource
/// (<https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-uris>).
fn within_version(path: &str) -> Vec<&str> {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let rest = match parts.as_slice() {
        ["api", _, rest @ ..] | ["apis", _, _, rest @ ..] => rest,
        _ => &[],
    };
    match rest {
        ["namespaces", _, resource @ ..] if !resource.is_empty() => resource.to_vec(),
        rest => rest.to_vec(),
    }
}

fn resource(path: &str) -> String {
    match within_version(path).as_slice() {
        [resource, _, subresource, ..] => format!("{resource}/{subresource}"),
        [resource, ..] => (*resource).to_owned(),
        [] => String::new(),
    }
}

fn verb(method: &Method, uri: &Uri) -> &'static str {
    let is_collection = within_version(uri.path()).len() == 1;
    let is_watch = uri.query().is_some_and(|query| {
        form_urlencoded::parse(query.as_bytes())
            .any(|(key, value)| key == "watch" && value != "false")
    });
    match *method {
        Method::GET if is_watch => "watch",
        Method::GET if is_collection => "list",
        Method::GET => "get",
        Method::POST => "create",
        Method::PUT => "update",
        Method::PATCH => "patch",
        Method::DELETE => "delete",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(method: &Method, uri: &str) -> String {
        let uri: Uri = uri.parse().unwrap();
        format!("{} {}", verb(method, &uri), resource(uri.path()))
    }

    #[test]
    fn requests_are_named_as_rbac_names_them() {
        for (method, uri, name) in [
            (Method::GET, "/api/v1/secrets?limit=5", "list secrets"),
            (Method::GET, "/api/v1/secrets?watch=true", "watch secrets"),
            (Method::GET, "/api/v1/namespaces/a/secrets/b", "get secrets"),
            (Method::GET, "/api/v1/namespaces", "list namespaces"),
            (Method::GET, "/api/v1/namespaces/a", "get namespaces"),
            (
                Method::POST,
                "/api/v1/namespaces/a/secrets",
                "create secrets",
            ),
            (
                Method::DELETE,
                "/api/v1/namespaces/a/secrets/b",
                "delete secrets",
            ),
            (
                Method::PATCH,
                "/apis/copyrator.dev/v1alpha1/copyratorrules/a/status",
                "patch copyratorrules/status",
            ),
            (
                Method::PUT,
                "/apis/coordination.k8s.io/v1/namespaces/a/leases/b",
                "update leases",
            ),
            (Method::GET, "/version", "get "),
        ] {
            assert_eq!(told(&method, uri), name, "{uri}");
        }
    }
}
