//! Each flag wins over the kubeconfig.

use std::time::Duration;

use http::header;

use super::fixtures::{CERTIFICATE, Place, TWO, options, password, some, token};

#[test]
fn without_flags_the_current_context_counts() {
    let resolved = Place::with(TWO).resolved(&options(|_| ()));
    assert_eq!(resolved.context.as_deref(), Some("dev"));
    let config = resolved.config;
    assert_eq!(config.cluster_url, "https://dev.example:6443/");
    assert_eq!(config.default_namespace, "dev-namespace");
    assert_eq!(config.tls_server_name.as_deref(), Some("dev.internal"));
    assert_eq!(token(&config.auth_info), Some("dev-token"));
}

#[test]
fn context_changes_cluster_user_and_namespace() {
    let resolved = Place::with(TWO).resolved(&options(|it| it.context = some("production")));
    assert_eq!(resolved.context.as_deref(), Some("production"));
    let config = resolved.config;
    assert_eq!(config.cluster_url, "https://production.example:6443/");
    assert_eq!(config.default_namespace, "default");
    assert_eq!(password(&config.auth_info), Some("opensesame"));
}

#[test]
fn cluster_and_user_change_only_themselves() {
    let place = Place::with(TWO);
    let config = place.config(&options(|it| it.cluster = some("production-cluster")));
    assert_eq!(config.cluster_url, "https://production.example:6443/");
    assert_eq!(token(&config.auth_info), Some("dev-token"));
    let config = place.config(&options(|it| it.user = some("production-user")));
    assert_eq!(config.cluster_url, "https://dev.example:6443/");
    assert_eq!(config.auth_info.username.as_deref(), Some("admin"));
}

#[test]
fn namespace_wins_over_the_context() {
    let config = Place::with(TWO).config(&options(|it| it.namespace = some("other")));
    assert_eq!(config.default_namespace, "other");
}

#[test]
fn another_server_has_another_name_but_the_same_user() {
    let config = Place::with(TWO).config(&options(|it| it.server = some("https://x.example")));
    assert_eq!(config.cluster_url, "https://x.example/");
    assert_eq!(config.tls_server_name, None);
    assert_eq!(token(&config.auth_info), Some("dev-token"));
}

#[test]
fn tls_server_name_and_compression() {
    let config = Place::with(TWO).config(&options(|it| {
        it.tls_server_name = some("x.internal");
        it.disable_compression = Some(true);
    }));
    assert_eq!(config.tls_server_name.as_deref(), Some("x.internal"));
    assert!(config.disable_compression);
}

#[test]
fn an_authority_replaces_the_kubeconfigs_word_on_trust() {
    let insecure = TWO.replace(
        "tls-server-name: dev.internal",
        "insecure-skip-tls-verify: true",
    );
    let place = Place::with(&insecure);
    assert!(place.config(&options(|_| ())).accept_invalid_certs);
    let authority = place.write("ca.crt", CERTIFICATE);
    let config = place.config(&options(|it| it.certificate_authority = Some(authority)));
    assert!(!config.accept_invalid_certs);
    assert_eq!(config.root_cert, Some(vec![vec![0, 0, 0]]));
}

#[test]
fn insecure_drops_the_kubeconfigs_authority() {
    let trusting = TWO.replace(
        "tls-server-name: dev.internal",
        "certificate-authority: ca.crt",
    );
    let place = Place::with(&trusting);
    place.write("ca.crt", CERTIFICATE);
    assert!(place.config(&options(|_| ())).root_cert.is_some());
    let config = place.config(&options(|it| it.insecure_skip_tls_verify = Some(true)));
    assert!(config.accept_invalid_certs);
    assert_eq!(config.root_cert, None);
}

#[test]
fn without_a_kubeconfig_a_server_is_enough() {
    let config = Place::empty().config(&options(|it| it.server = some("https://x.example:6443")));
    assert_eq!(config.cluster_url, "https://x.example:6443/");
    assert_eq!(config.default_namespace, "default");
    assert_eq!(token(&config.auth_info), None);
}

#[test]
fn a_server_without_a_scheme_speaks_tls_only_if_something_says_so() {
    let place = Place::empty();
    let server = |it: &mut super::super::ConnectOptions| it.server = some("localhost:8080");
    let config = place.config(&options(server));
    assert_eq!(config.cluster_url, "http://localhost:8080/");
    let config = place.config(&options(|it| {
        server(it);
        it.insecure_skip_tls_verify = Some(true);
    }));
    assert_eq!(config.cluster_url, "https://localhost:8080/");
}

#[test]
fn the_client_neither_retries_nor_cuts_watches() {
    let place = Place::with(TWO);
    let config = place.config(&options(|_| ()));
    assert!(!config.default_retry);
    assert_eq!(config.read_timeout, None);
    assert_eq!(config.connect_timeout, Some(Duration::from_secs(15)));
    let short = options(|it| it.request_timeout = Some(Duration::from_secs(3)));
    assert_eq!(
        place.config(&short).connect_timeout,
        Some(Duration::from_secs(3))
    );
    let zero = options(|it| it.request_timeout = Some(Duration::ZERO));
    assert_eq!(zero.request_timeout(), None);
    assert_eq!(
        place.config(&zero).connect_timeout,
        Some(Duration::from_secs(15))
    );
}

#[test]
fn the_user_agent_names_the_program() {
    let config = Place::with(TWO).config(&options(|_| ()));
    let (name, value) = &config.headers[0];
    assert_eq!(name, header::USER_AGENT);
    let value = value.to_str().unwrap();
    assert!(
        value.starts_with("kubectl-copyrator/") && value.ends_with(')'),
        "{value}"
    );
}
