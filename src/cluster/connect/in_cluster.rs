//! The cluster that we run in, as a Pod with a service account.

use std::fs;

use kube::config::{AuthInfo, Cluster};

use super::{environment::Environment, selection::Selection};

/// The cluster around us, if there is one: its address is in the environment, and the service
/// account's token is mounted.
pub fn find(environment: &Environment) -> Option<Selection> {
    let host = environment.variable("KUBERNETES_SERVICE_HOST")?;
    let port = environment.variable("KUBERNETES_SERVICE_PORT")?;
    let token = environment.service_account.join("token");
    if !token.is_file() {
        return None;
    }
    let authority = environment.service_account.join("ca.crt");
    let cluster = Cluster {
        server: Some(url(&host, &port)),
        certificate_authority: authority.to_str().map(ToOwned::to_owned),
        ..Cluster::default()
    };
    let user = AuthInfo {
        token_file: token.to_str().map(ToOwned::to_owned),
        ..AuthInfo::default()
    };
    let namespace = fs::read_to_string(environment.service_account.join("namespace")).ok();
    let namespace = namespace.map(|text| text.trim().to_owned());
    Some(Selection {
        cluster,
        user,
        namespace: namespace.filter(|namespace| !namespace.is_empty()),
        context: None,
    })
}

fn url(host: &str, port: &str) -> String {
    if host.contains(':') {
        format!("https://[{host}]:{port}")
    } else {
        format!("https://{host}:{port}")
    }
}
