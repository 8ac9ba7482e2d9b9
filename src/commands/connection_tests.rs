//! That every connection flag arrives, and how.

use std::time::Duration;

use clap::Parser;
use secrecy::ExposeSecret;

use super::*;
use crate::cli::Cli;

fn parsed(arguments: &[&str]) -> ConnectOptions {
    let arguments = ["kubectl-copyrator"].iter().chain(arguments);
    options(&Cli::try_parse_from(arguments).unwrap().kube)
}

#[test]
fn every_flag_arrives() {
    let options = parsed(&[
        "sync",
        "--kubeconfig=k",
        "--context=co",
        "--cluster=cl",
        "--user=u",
        "-n",
        "ns",
        "-s",
        "https://server",
        "--as=a",
        "--as-group=g1",
        "--as-group=g2",
        "--as-uid=id",
        "--as-user-extra=k1=v1",
        "--as-user-extra=k1=v2",
        "--as-user-extra=k2=v3",
        "--request-timeout=1m30s",
        "--token=t",
        "--username=un",
        "--password=pw",
        "--client-certificate=cc",
        "--client-key=ck",
        "--certificate-authority=ca",
        "--tls-server-name=tn",
        "--insecure-skip-tls-verify",
        "--disable-compression=true",
        "--cache-dir=cd",
        "-v=6",
    ]);
    assert_eq!(options.kubeconfig, Some("k".into()));
    assert_eq!(options.context.as_deref(), Some("co"));
    assert_eq!(options.cluster.as_deref(), Some("cl"));
    assert_eq!(options.user.as_deref(), Some("u"));
    assert_eq!(options.namespace.as_deref(), Some("ns"));
    assert_eq!(options.server.as_deref(), Some("https://server"));
    assert_eq!(options.request_timeout, Some(Duration::from_secs(90)));
    assert_eq!(options.token.unwrap().expose_secret(), "t");
    assert_eq!(options.username.as_deref(), Some("un"));
    assert_eq!(options.password.unwrap().expose_secret(), "pw");
    assert_eq!(options.client_certificate, Some("cc".into()));
    assert_eq!(options.client_key, Some("ck".into()));
    assert_eq!(options.certificate_authority, Some("ca".into()));
    assert_eq!(options.tls_server_name.as_deref(), Some("tn"));
    assert_eq!(options.insecure_skip_tls_verify, Some(true));
    assert_eq!(options.disable_compression, Some(true));
    let whom = options.impersonate;
    assert_eq!(
        (whom.user.as_deref(), whom.uid.as_deref()),
        (Some("a"), Some("id"))
    );
    assert_eq!(whom.groups, ["g1", "g2"]);
    let extra = [("k1", "v1"), ("k1", "v2"), ("k2", "v3")];
    assert_eq!(
        whom.extra,
        extra.map(|(key, value)| (key.to_owned(), value.to_owned()))
    );
}

#[test]
fn flags_are_accepted_before_and_after_the_command() {
    for arguments in [
        ["-n", "a", "crd", "install"],
        ["crd", "-n", "a", "install"],
        ["crd", "install", "-n", "a"],
    ] {
        assert_eq!(parsed(&arguments).namespace.as_deref(), Some("a"));
    }
}

#[test]
fn what_is_empty_or_zero_says_nothing() {
    let options = parsed(&[
        "sync",
        "--context=",
        "--kubeconfig=",
        "--request-timeout=0s",
    ]);
    assert_eq!((options.context, options.kubeconfig), (None, None));
    assert_eq!(options.request_timeout, None);
    let options = parsed(&["sync", "--insecure-skip-tls-verify=false"]);
    assert_eq!(options.insecure_skip_tls_verify, None);
}

#[test]
fn secrets_are_not_shown() {
    let arguments = [
        "x",
        "sync",
        "--token=hush-token",
        "--password=hush-password",
    ];
    let cli = Cli::try_parse_from(arguments).unwrap();
    let shown = format!("{cli:?}");
    assert!(!shown.contains("hush"), "{shown}");
}
