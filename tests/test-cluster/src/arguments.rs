//! The command-line arguments of each component.

use std::net::SocketAddrV4;
use std::path::Path;

use crate::credentials::KUBECONFIG;

/// The addresses of Services.
pub(crate) const SERVICE_RANGE: &str = "10.0.0.0/24";

/// The address that the Service of the API server gets: the first of the range.
pub(crate) fn api_server_service_address() -> &'static str {
    "10.0.0.1"
}

/// Arguments of etcd. Nothing that it keeps has to survive a power cut.
pub(crate) fn etcd(folder: &Path, client_port: u16, peer_port: u16) -> Vec<String> {
    let client = format!("http://127.0.0.1:{client_port}");
    let peer = format!("http://127.0.0.1:{peer_port}");
    vec![
        "--name=test-cluster".to_owned(),
        format!("--data-dir={}", folder.join("etcd").display()),
        format!("--listen-client-urls={client}"),
        format!("--advertise-client-urls={client}"),
        format!("--listen-peer-urls={peer}"),
        format!("--initial-advertise-peer-urls={peer}"),
        format!("--initial-cluster=test-cluster={peer}"),
        "--socket-reuse-port=true".to_owned(),
        "--unsafe-no-fsync=true".to_owned(),
        "--log-level=warn".to_owned(),
    ]
}

/// What kube-apiserver's arguments depend on.
#[derive(Debug)]
pub(crate) struct ApiServer<'a> {
    pub(crate) folder: &'a Path,
    pub(crate) address: SocketAddrV4,
    pub(crate) etcd_port: u16,
    pub(crate) controllers: bool,
    pub(crate) nodes: bool,
}

/// Arguments of kube-apiserver. Without controllers nobody makes service accounts, so pods must
/// not be made to wait for them.
pub(crate) fn api_server(server: &ApiServer<'_>) -> Vec<String> {
    let ApiServer {
        folder,
        address,
        etcd_port,
        ..
    } = server;
    let file = |name: &str| folder.join(name).display().to_string();
    let mut arguments = vec![
        format!("--secure-port={}", address.port()),
        format!("--bind-address={}", address.ip()),
        // By default it is that of the default route, which a machine may lack.
        format!("--advertise-address={}", address.ip()),
        "--permit-port-sharing=true".to_owned(),
        format!("--etcd-servers=http://127.0.0.1:{etcd_port}"),
        format!("--tls-cert-file={}", file("kube-apiserver.crt")),
        format!("--tls-private-key-file={}", file("kube-apiserver.key")),
        format!("--client-ca-file={}", file("ca.crt")),
        format!("--token-auth-file={}", file("tokens.csv")),
        "--authorization-mode=Node,RBAC".to_owned(),
        "--service-account-issuer=https://kubernetes.default.svc".to_owned(),
        format!(
            "--service-account-key-file={}",
            file("service-accounts.pub")
        ),
        format!(
            "--service-account-signing-key-file={}",
            file("service-accounts.key")
        ),
        format!("--service-cluster-ip-range={SERVICE_RANGE}"),
        "--allow-privileged=true".to_owned(),
        "--profiling=false".to_owned(),
    ];
    if !server.controllers {
        arguments.push("--disable-admission-plugins=ServiceAccount".to_owned());
    }
    if server.nodes {
        arguments.push("--kubelet-preferred-address-types=InternalIP".to_owned());
        arguments.push(format!(
            "--kubelet-client-certificate={}",
            file("admin.crt")
        ));
        arguments.push(format!("--kubelet-client-key={}", file("admin.key")));
    } else {
        // An endpoint may not be a loopback address, so there is nothing to publish.
        arguments.push("--endpoint-reconciler-type=none".to_owned());
    }
    arguments
}

/// Arguments of kube-controller-manager. It serves nothing, and its usual limits on requests would
/// make a test with thousands of namespaces wait.
pub(crate) fn controller_manager(folder: &Path) -> Vec<String> {
    let file = |name: &str| folder.join(name).display().to_string();
    vec![
        format!("--kubeconfig={}", file(KUBECONFIG)),
        format!("--root-ca-file={}", file("ca.crt")),
        format!(
            "--service-account-private-key-file={}",
            file("service-accounts.key")
        ),
        format!("--cluster-signing-cert-file={}", file("ca.crt")),
        format!("--cluster-signing-key-file={}", file("ca.key")),
        "--leader-elect=false".to_owned(),
        "--secure-port=0".to_owned(),
        "--kube-api-qps=1000".to_owned(),
        "--kube-api-burst=1000".to_owned(),
        "--profiling=false".to_owned(),
    ]
}

/// Arguments of kube-scheduler, which serves nothing either.
pub(crate) fn scheduler(folder: &Path) -> Vec<String> {
    vec![
        format!("--kubeconfig={}", folder.join(KUBECONFIG).display()),
        "--leader-elect=false".to_owned(),
        "--secure-port=0".to_owned(),
        "--profiling=false".to_owned(),
    ]
}
