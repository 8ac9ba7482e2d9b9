//! Which server, which user and which namespace come of files, flags and surroundings.

use std::{fs, path::PathBuf};

use secrecy::{ExposeSecret, SecretString};

use super::*;
use crate::cluster::Impersonation;

/// A folder with kubeconfig files, and the surroundings that name them.
struct Files {
    folder: tempfile::TempDir,
    environment: Environment,
}

impl Files {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut paths: Vec<PathBuf> = Vec::new();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            paths.push(path);
        }
        let environment = Environment {
            kubeconfig: (!paths.is_empty()).then(|| std::env::join_paths(paths).unwrap()),
            home: Some(folder.path().join("home")),
            ..Environment::default()
        };
        Self {
            folder,
            environment,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn prepare(&self, options: &ConnectOptions) -> Prepared {
        match prepare(&self.environment, options) {
            Ok(prepared) => prepared,
            Err(error) => panic!("{error}"),
        }
    }

    /// The error's text, without the folder's name.
    fn refused(&self, options: &ConnectOptions) -> String {
        let folder = format!("{}/", self.folder.path().display());
        match prepare(&self.environment, options) {
            Ok(_) => panic!("not refused: {options:?}"),
            Err(error) => error.to_string().replace(&folder, ""),
        }
    }
}

const TWO: &str = "
apiVersion: v1
kind: Config
current-context: one
contexts:
- {name: one, context: {cluster: first, user: ann, namespace: team}}
- {name: two, context: {cluster: second, user: bob}}
clusters:
- {name: first, cluster: {server: 'https://first:6443', tls-server-name: old, insecure-skip-tls-verify: true}}
- {name: second, cluster: {server: 'http://second'}}
users:
- {name: ann, user: {token: ann-token}}
- {name: bob, user: {username: bob, password: secret}}
";

fn text(value: &str) -> Option<String> {
    Some(value.to_owned())
}

#[test]
fn the_current_context_is_used() {
    let prepared = Files::new(&[("a", TWO)]).prepare(&ConnectOptions::default());
    let config = &prepared.config;
    assert_eq!(config.cluster_url, "https://first:6443");
    assert_eq!(config.default_namespace, "team");
    assert_eq!(config.tls_server_name.as_deref(), Some("old"));
    assert!(config.accept_invalid_certs);
    assert_eq!(prepared.context.as_deref(), Some("one"));
    let token = prepared.credentials.auth_info.token.unwrap();
    assert_eq!(token.expose_secret(), "ann-token");
}

#[test]
fn the_client_hides_no_repetition_and_no_limit() {
    let config = Files::new(&[("a", TWO)])
        .prepare(&ConnectOptions::default())
        .config;
    assert!(!config.default_retry);
    assert_eq!(config.read_timeout, None);
    let agent = config.headers[0].1.to_str().unwrap();
    assert!(agent.starts_with("kubectl-copyrator/"), "{agent}");
}

#[test]
fn flags_change_the_context_part_by_part() {
    let files = Files::new(&[("a", TWO)]);
    let prepared = files.prepare(&ConnectOptions {
        context: text("two"),
        ..Default::default()
    });
    assert_eq!(prepared.config.cluster_url, "http://second");
    assert_eq!(prepared.config.default_namespace, "default");
    let prepared = files.prepare(&ConnectOptions {
        cluster: text("second"),
        user: text("bob"),
        namespace: text("mine"),
        ..Default::default()
    });
    assert_eq!(prepared.config.cluster_url, "http://second");
    assert_eq!(prepared.config.default_namespace, "mine");
    assert_eq!(
        prepared.credentials.auth_info.username.as_deref(),
        Some("bob")
    );
    let prepared = files.prepare(&ConnectOptions {
        server: text("https://other"),
        ..Default::default()
    });
    assert_eq!(prepared.config.cluster_url, "https://other");
    // The old server's name is not asked of another one.
    assert_eq!(prepared.config.tls_server_name, None);
}

#[test]
fn a_token_flag_replaces_the_kubeconfigs_token_and_plugin() {
    let user = "users: [{name: ann, user: {exec: {command: /nowhere, apiVersion: v}}}]";
    let exec = TWO.replace("users:\n- {name: ann, user: {token: ann-token}}", user);
    let exec = exec.replace("- {name: bob, user: {username: bob, password: secret}}", "");
    let options = ConnectOptions {
        token: Some(SecretString::from("mine")),
        ..Default::default()
    };
    for kubeconfig in [TWO, &exec] {
        let prepared = Files::new(&[("a", kubeconfig)]).prepare(&options);
        let token = prepared.credentials.auth_info.token.unwrap();
        assert_eq!(token.expose_secret(), "mine");
        assert!(prepared.credentials.tokens.is_none());
    }
}

#[test]
fn the_first_file_that_says_something_wins_and_missing_files_are_skipped() {
    let first = "current-context: ''\nclusters: [{name: first, cluster: {server: 'https://mine'}}]";
    let mut files = Files::new(&[("a", first), ("b", TWO)]);
    let paths = [
        files.path("missing"),
        PathBuf::new(),
        files.path("a"),
        files.path("b"),
    ];
    files.environment.kubeconfig = Some(std::env::join_paths(paths).unwrap());
    let prepared = files.prepare(&ConnectOptions::default());
    assert_eq!(prepared.config.cluster_url, "https://mine");
    assert_eq!(prepared.context.as_deref(), Some("one"));
}

#[test]
fn an_explicit_file_is_the_only_one_and_must_exist() {
    let files = Files::new(&[("a", TWO), ("b", &TWO.replace("first:6443", "b"))]);
    let explicit = |name| ConnectOptions {
        kubeconfig: Some(files.path(name)),
        ..Default::default()
    };
    assert_eq!(
        files.prepare(&explicit("b")).config.cluster_url,
        "https://b"
    );
    assert_eq!(
        files.refused(&explicit("c")),
        "cannot read the kubeconfig c: there is no such file"
    );
}

#[test]
fn relative_paths_are_of_the_kubeconfigs_folder() {
    let kubeconfig = TWO.replace("token: ann-token", "tokenFile: the-token");
    let files = Files::new(&[("the-token", "from-file\n"), ("a", &kubeconfig)]);
    let options = ConnectOptions {
        kubeconfig: Some(files.path("a")),
        ..Default::default()
    };
    assert!(files.prepare(&options).credentials.tokens.is_some());
    fs::remove_file(files.path("the-token")).unwrap();
    let error = files.refused(&options);
    assert!(
        error.starts_with("cannot read the token file the-token: "),
        "{error}"
    );
}

#[test]
fn what_does_not_exist_is_named_with_what_does() {
    let files = Files::new(&[("a", TWO)]);
    let refused = |options| files.refused(&options);
    let default = ConnectOptions::default;
    assert_eq!(
        refused(ConnectOptions {
            context: text("x"),
            ..default()
        }),
        r#"context "x" does not exist in a; there are: one, two"#
    );
    assert_eq!(
        refused(ConnectOptions {
            cluster: text("x"),
            ..default()
        }),
        r#"cluster "x" does not exist in a; there are: first, second"#
    );
    assert_eq!(
        refused(ConnectOptions {
            user: text("x"),
            ..default()
        }),
        r#"user "x" does not exist in a; there are: ann, bob"#
    );
    let files = Files::new(&[(
        "a",
        &TWO.replace("current-context: one", "current-context: gone"),
    )]);
    assert_eq!(
        files.refused(&default()),
        r#"context "gone" does not exist in a; it is the current-context; there are: one, two"#
    );
    let files = Files::new(&[("a", &TWO.replace("current-context: one", ""))]);
    assert_eq!(
        files.refused(&default()),
        "no context is current in a; choose one with --context: one, two"
    );
}

#[test]
fn without_any_configuration_the_error_says_what_was_looked_for() {
    assert_eq!(
        Files::new(&[]).refused(&ConnectOptions::default()),
        "no cluster to connect to: home/.kube/config does not exist, and this is not a pod with a \
         service account; name a kubeconfig with --kubeconfig or $KUBECONFIG, or an API server \
         with --server"
    );
}

#[test]
fn a_server_alone_is_enough() {
    let files = Files::new(&[]);
    let server = |server: &str| ConnectOptions {
        server: text(server),
        ..Default::default()
    };
    let url = |options| files.prepare(&options).config.cluster_url.to_string();
    assert_eq!(url(server("https://s:6443")), "https://s:6443/");
    assert_eq!(url(server("s:8080")), "http://s:8080/");
    let insecure = ConnectOptions {
        insecure_skip_tls_verify: true,
        ..server("s:8080")
    };
    assert_eq!(url(insecure), "https://s:8080/");
    assert!(
        files
            .refused(&server("ftp://s"))
            .contains("must begin with https://")
    );
}

#[test]
fn a_mistake_in_a_kubeconfig_is_placed_but_not_quoted() {
    let files = Files::new(&[("a", "users:\n- name: a\n  user: {token: [hush]}\n")]);
    let error = files.refused(&ConnectOptions::default());
    assert!(
        error.starts_with("the kubeconfig a is not valid: "),
        "{error}"
    );
    assert!(
        error.contains("line 3") && !error.contains("hush"),
        "{error}"
    );
}

#[test]
fn contradictions_are_refused() {
    let files = Files::new(&[("a", TWO), ("empty", "")]);
    let default = ConnectOptions::default;
    let refused = |options| files.refused(&options);
    let groups = Impersonation {
        groups: vec!["g".to_owned()],
        ..Default::default()
    };
    let both = ConnectOptions {
        username: text("u"),
        password: Some("p".into()),
        ..default()
    };
    let table = [
        (
            ConnectOptions {
                impersonation: groups,
                ..default()
            },
            "without impersonating a user",
        ),
        (both, "username and token are both set"),
        (
            ConnectOptions {
                context: text("two"),
                token: Some("t".into()),
                ..default()
            },
            "username and token are both set",
        ),
        (
            ConnectOptions {
                client_key: Some(files.path("a")),
                ..default()
            },
            "the certificate (--client-certificate) is missing",
        ),
        (
            ConnectOptions {
                client_certificate: Some(files.path("a")),
                ..default()
            },
            "the key (--client-key) is missing",
        ),
        (
            ConnectOptions {
                certificate_authority: Some(files.path("empty")),
                ..default()
            },
            "certificate authority empty can't be used: it holds no certificate",
        ),
        (
            ConnectOptions {
                client_key: Some(files.path("none")),
                ..default()
            },
            "cannot read the client key none: ",
        ),
    ];
    for (options, expected) in table {
        let error = refused(options);
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn an_authority_and_insecurity_exclude_each_other() {
    let pem = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    let files = Files::new(&[("ca", pem), ("a", TWO)]);
    let authority = |insecure| ConnectOptions {
        kubeconfig: Some(files.path("a")),
        certificate_authority: Some(files.path("ca")),
        insecure_skip_tls_verify: insecure,
        ..Default::default()
    };
    // The flag ends the kubeconfig's own insecurity.
    assert!(!files.prepare(&authority(false)).config.accept_invalid_certs);
    let error = files.refused(&authority(true));
    assert!(
        error.starts_with("specifying a root certificates file with the insecure"),
        "{error}"
    );
}
