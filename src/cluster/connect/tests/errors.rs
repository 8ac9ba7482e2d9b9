//! What is said when the flags and the kubeconfig don't make a connection.

use insta::assert_snapshot;

use super::super::ConnectOptions;
use super::fixtures::{CERTIFICATE, Place, TWO, options, secret, some};

fn refused(change: impl FnOnce(&mut ConnectOptions)) -> String {
    Place::with(TWO).error(&options(change))
}

fn refused_kubeconfig(text: &str) -> String {
    Place::with(text).error(&options(|_| ()))
}

#[test]
fn no_configuration() {
    let mut place = Place::empty();
    assert_snapshot!(place.error(&options(|_| ())), @"no cluster is configured: there is no kubeconfig at FOLDER/home/.kube/config; set KUBECONFIG, or pass --kubeconfig or --server");
    place.list(&["one", "two"]);
    assert_snapshot!(place.error(&options(|_| ())), @"no cluster is configured: there is no kubeconfig at FOLDER/one, FOLDER/two; set KUBECONFIG, or pass --kubeconfig or --server");
    place.set("KUBECONFIG", "");
    place.environment.home = None;
    assert_snapshot!(place.error(&options(|_| ())), @"no cluster is configured: neither KUBECONFIG nor a home folder is set; set KUBECONFIG, or pass --kubeconfig or --server");
    assert_snapshot!(place.error(&options(|it| it.context = some("x"))), @r#"context "x" does not exist; there is no kubeconfig"#);
}

#[test]
fn a_missing_kubeconfig() {
    let place = Place::with(TWO);
    let missing = place.path("gone");
    assert_snapshot!(place.error(&options(|it| it.kubeconfig = Some(missing))), @"there is no kubeconfig at FOLDER/gone; check --kubeconfig");
}

#[test]
fn unknown_names() {
    assert_snapshot!(refused(|it| it.context = some("prodution")), @r#"context "prodution" does not exist in FOLDER/config, did you mean "production"? (contexts: dev, production)"#);
    assert_snapshot!(refused(|it| it.cluster = some("x")), @r#"cluster "x" does not exist in FOLDER/config (clusters: dev-cluster, production-cluster)"#);
    assert_snapshot!(refused(|it| it.user = some("dev-usr")), @r#"user "dev-usr" does not exist in FOLDER/config, did you mean "dev-user"? (users: dev-user, production-user)"#);
    assert_snapshot!(refused_kubeconfig(&TWO.replace("name: dev-user", "name: gone")), @r#"user "dev-user" does not exist in FOLDER/config (users: gone, production-user)"#);
}

#[test]
fn no_current_context() {
    assert_snapshot!(refused_kubeconfig(&TWO.replace("current-context: dev", "")), @"no current context is set in FOLDER/config; pass --context with one of: dev, production");
    assert_snapshot!(refused_kubeconfig(""), @"no current context is set in FOLDER/config; it holds no contexts; pass --server, or another --kubeconfig");
}

#[test]
fn servers_that_are_none() {
    let silent = TWO.replace("server: \"https://dev.example:6443\", ", "");
    assert_snapshot!(refused_kubeconfig(&silent), @r#"the cluster of the context "dev" has no server; pass --server"#);
    assert_snapshot!(refused(|it| it.server = some("ftp://x")), @r#"the server "ftp://x" is not an address: it must begin with https:// or http://"#);
    assert_snapshot!(refused(|it| it.server = some("https://a b")), @r#"the server "https://a b" is not an address: invalid uri character"#);
}

#[test]
fn trust_and_distrust_at_once() {
    let place = Place::with(TWO);
    let authority = place.write("ca.crt", CERTIFICATE);
    assert_snapshot!(place.error(&options(|it| {
        it.certificate_authority = Some(authority);
        it.insecure_skip_tls_verify = Some(true);
    })), @"specifying a root certificates file with the insecure flag is not allowed; do without one of them");
}

#[test]
fn certificates_that_are_none() {
    let place = Place::with(TWO);
    let text = place.write("text", "hello");
    let gone = place.path("gone");
    let at = |path: std::path::PathBuf| options(|it| it.certificate_authority = Some(path));
    assert_snapshot!(place.error(&at(text)), @"certificate-authority: FOLDER/text holds no such thing in PEM form");
    assert_snapshot!(place.error(&at(gone)), @"certificate-authority: FOLDER/gone can't be read: No such file or directory (os error 2)");
    let data = TWO.replace(
        "tls-server-name: dev.internal",
        "certificate-authority-data: '!'",
    );
    assert_snapshot!(refused_kubeconfig(&data), @"the kubeconfig's certificate-authority-data is not base64");
}

#[test]
fn half_a_client_certificate() {
    assert_snapshot!(refused(|it| it.client_certificate = Some("c.crt".into())), @"a client certificate needs its key; pass --client-key as well");
    assert_snapshot!(refused(|it| it.client_key = Some("c.key".into())), @"a client key needs its certificate; pass --client-certificate as well");
}

#[test]
fn credentials_that_cant_be_sent() {
    assert_snapshot!(refused(|it| it.token = secret("two\nlines")), @"the token holds characters that no token can have, such as a line break");
    assert_snapshot!(refused(|it| {
        it.token = secret("t");
        it.username = some("u");
    }), @"--token and --username can't be used together");
    let file = TWO.replace("{token: dev-token}", "{tokenFile: gone}");
    assert_snapshot!(refused_kubeconfig(&file), @"tokenFile: FOLDER/gone can't be read: No such file or directory (os error 2)");
}

#[test]
fn kubeconfigs_that_cant_be_parsed_name_the_line() {
    assert_snapshot!(refused_kubeconfig("contexts: [\n"), @"the kubeconfig FOLDER/config can't be read: line 1: it is not valid YAML, or not what a kubeconfig holds there");
    assert_snapshot!(refused_kubeconfig(&TWO.replace("cluster: dev-cluster, ", "")), @r#"the kubeconfig FOLDER/config can't be read: line 7: the field "cluster" is missing"#);
    assert_snapshot!(refused_kubeconfig(&TWO.replace("user: {token: dev-token}", "user: dev-token")), @"the kubeconfig FOLDER/config can't be read: line 17: it is not valid YAML, or not what a kubeconfig holds there");
    assert_snapshot!(refused_kubeconfig("kind: Config\nkind: Config\n"), @"the kubeconfig FOLDER/config can't be read: line 2: a key is there twice");
    assert_snapshot!(refused_kubeconfig("dev-token"), @"the kubeconfig FOLDER/config can't be read: line 1: it is not valid YAML, or not what a kubeconfig holds there");
}

#[test]
fn no_error_quotes_a_secret() {
    for broken in [
        "[hunter2",
        "{token: [hunter2]}",
        "hunter2",
        "{token: hunter2, token: hunter2}",
    ] {
        let text = TWO.replace("{token: dev-token}", broken);
        let error = refused_kubeconfig(&text);
        assert!(!error.contains("hunter2"), "{error}");
    }
}
