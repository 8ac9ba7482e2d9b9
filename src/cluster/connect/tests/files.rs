//! Which files are read, and how they come together.

use super::fixtures::{CERTIFICATE, KEY, Place, TWO, options, some, token};

const OTHER: &str = r#"
current-context: other
contexts:
- name: other
  context: {cluster: other, user: dev-user}
clusters:
- name: other
  cluster: {server: "https://other.example"}
users:
- name: dev-user
  user: {token: of-the-other-file}
"#;

#[test]
fn the_first_file_that_says_something_wins() {
    let mut place = Place::with(TWO);
    place.write("other", OTHER);
    place.list(&["config", "other"]);
    let resolved = place.resolved(&options(|_| ()));
    assert_eq!(resolved.context.as_deref(), Some("dev"));
    place.list(&["other", "config"]);
    let config = place.config(&options(|it| it.context = some("dev")));
    assert_eq!(config.cluster_url, "https://dev.example:6443/");
    assert_eq!(token(&config.auth_info), Some("of-the-other-file"));
}

#[test]
fn missing_files_in_the_list_are_skipped() {
    let mut place = Place::with(TWO);
    place.list(&["gone", "config", "gone-too"]);
    assert_eq!(
        place.resolved(&options(|_| ())).context.as_deref(),
        Some("dev")
    );
}

#[test]
fn an_empty_current_context_is_none() {
    let mut place = Place::with(TWO);
    place.write("first", "current-context: \"\"\n");
    place.list(&["first", "config"]);
    assert_eq!(
        place.resolved(&options(|_| ())).context.as_deref(),
        Some("dev")
    );
}

#[test]
fn the_home_folder_counts_only_without_the_variable() {
    let mut place = Place::empty();
    place.write("home/.kube/config", TWO);
    assert_eq!(
        place.resolved(&options(|_| ())).context.as_deref(),
        Some("dev")
    );
    place.write("other", OTHER);
    place.list(&["other"]);
    assert_eq!(
        place.resolved(&options(|_| ())).context.as_deref(),
        Some("other")
    );
    place.set("KUBECONFIG", "");
    assert_eq!(
        place.resolved(&options(|_| ())).context.as_deref(),
        Some("dev")
    );
}

#[test]
fn the_flags_file_is_the_only_one() {
    let place = Place::with(TWO);
    let path = place.write("other", OTHER);
    let resolved = place.resolved(&options(|it| it.kubeconfig = Some(path)));
    assert_eq!(resolved.context.as_deref(), Some("other"));
}

#[test]
fn an_empty_kubeconfig_and_a_server_are_enough() {
    let place = Place::empty();
    let path = place.write("empty", "");
    let config = place.config(&options(|it| {
        it.kubeconfig = Some(path);
        it.server = some("https://x.example");
    }));
    assert_eq!(config.cluster_url, "https://x.example/");
}

#[test]
fn relative_paths_begin_at_the_kubeconfigs_folder() {
    let text = TWO
        .replace(
            "tls-server-name: dev.internal",
            "certificate-authority: pki/ca.crt",
        )
        .replace(
            "{token: dev-token}",
            "{client-certificate: pki/c.crt, client-key: pki/c.key}",
        );
    let mut place = Place::empty();
    place.write("deep/config", &text);
    place.write("deep/pki/ca.crt", CERTIFICATE);
    let certificate = place.write("deep/pki/c.crt", CERTIFICATE);
    place.write("deep/pki/c.key", KEY);
    place.list(&["deep/config"]);
    let config = place.config(&options(|_| ()));
    assert_eq!(config.root_cert, Some(vec![vec![0, 0, 0]]));
    assert_eq!(
        config.auth_info.client_certificate.as_deref(),
        certificate.to_str()
    );
}

fn pod() -> Place {
    let mut place = Place::empty();
    place.write("service-account/token", "pod-token\n");
    place.write("service-account/ca.crt", CERTIFICATE);
    place.write("service-account/namespace", "pod-namespace\n");
    place.set("KUBERNETES_SERVICE_HOST", "fd00::1");
    place.set("KUBERNETES_SERVICE_PORT", "443");
    place
}

#[test]
fn in_a_pod_the_cluster_around_it_is_found() {
    let place = pod();
    let resolved = place.resolved(&options(|it| it.impersonate.user = some("jane")));
    assert_eq!(resolved.context, None);
    let config = resolved.config;
    assert_eq!(config.cluster_url, "https://[fd00::1]:443/");
    assert_eq!(config.default_namespace, "pod-namespace");
    let token = place.path("service-account/token");
    assert_eq!(config.auth_info.token_file.as_deref(), token.to_str());
    assert_eq!(config.auth_info.impersonate.as_deref(), Some("jane"));
    assert!(config.root_cert.is_some());
}

#[test]
fn a_kubeconfig_or_a_flag_wins_over_the_pod() {
    let mut place = pod();
    let config = place.config(&options(|it| it.server = some("https://x.example")));
    assert_eq!(config.cluster_url, "https://x.example/");
    assert_eq!(token(&config.auth_info), None);
    place.write("config", TWO);
    place.list(&["config"]);
    assert_eq!(
        place.resolved(&options(|_| ())).context.as_deref(),
        Some("dev")
    );
}

#[test]
fn without_a_token_there_is_no_pod() {
    let place = pod();
    std::fs::remove_file(place.path("service-account/token")).unwrap();
    let error = place.error(&options(|_| ()));
    assert!(error.starts_with("no cluster is configured"), "{error}");
}
