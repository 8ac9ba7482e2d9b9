//! What is made of a credential plugin's behaviour, with a shell as the plugin.

use std::collections::HashMap;

use secrecy::ExposeSecret;

use kube::config::ExecConfig;

use super::*;

const VERSION: &str = "client.authentication.k8s.io/v1";

fn shell(script: &str) -> ExecConfig {
    let variable = |name: &str, value: &str| {
        HashMap::from([
            ("name".to_owned(), name.to_owned()),
            ("value".to_owned(), value.to_owned()),
        ])
    };
    ExecConfig {
        api_version: Some(VERSION.to_owned()),
        command: Some("sh".to_owned()),
        args: Some(vec!["-c".to_owned(), script.to_owned()]),
        env: Some(vec![variable("STATUS", r#"{"token":"from-variable"}"#)]),
        install_hint: Some("get it from the shop".to_owned()),
        interactive_mode: Some(ExecInteractiveMode::Never),
        ..ExecConfig::default()
    }
}

fn printing(status: &str) -> ExecConfig {
    shell(&format!(
        r#"printf '{{"kind":"ExecCredential","apiVersion":"{VERSION}","status":%s}}' '{status}'"#
    ))
}

fn refused(plugin: &ExecConfig) -> String {
    match run(plugin) {
        Ok(_) => panic!("not refused"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_token_and_its_end_are_taken() {
    let status = r#"{"token":"t","expirationTimestamp":"2030-01-02T03:04:05Z"}"#;
    let credential = run(&printing(status)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(credential.token.unwrap().expose_secret(), "t");
    assert_eq!(
        credential.expires,
        Some("2030-01-02T03:04:05Z".parse().unwrap())
    );
    assert!(credential.certificate.is_none());
}

#[test]
fn a_certificate_is_taken_with_its_key() {
    let status = r#"{"clientCertificateData":"c","clientKeyData":"k"}"#;
    let credential = run(&printing(status)).unwrap_or_else(|error| panic!("{error}"));
    let (certificate, key) = credential.certificate.unwrap();
    assert_eq!((certificate.as_str(), key.expose_secret()), ("c", "k"));
    assert!(refused(&printing(r#"{"clientCertificateData":"c"}"#)).contains("only one of"));
}

#[test]
fn the_plugin_gets_its_variables_and_the_request() {
    let script = format!(
        r#"case "$KUBERNETES_EXEC_INFO" in *'"interactive":false'*) ;; *) exit 9;; esac
        read -r line && exit 8
        printf '{{"kind":"ExecCredential","apiVersion":"{VERSION}","status":%s}}' "$STATUS""#
    );
    let credential = run(&shell(&script)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(credential.token.unwrap().expose_secret(), "from-variable");
}

#[test]
fn a_plugin_that_is_missing_is_named_with_its_hint() {
    let mut plugin = shell("");
    plugin.command = Some("no-such-plugin".to_owned());
    assert_eq!(
        refused(&plugin),
        "the credential plugin \"no-such-plugin\" is not installed\n\
         get it from the shop"
    );
}

#[test]
fn what_a_plugin_prints_is_never_quoted() {
    let table = [
        ("echo hush; exit 3", "failed (exit status: 3)"),
        ("echo hush", "printed no ExecCredential"),
        (r#"echo '{"kind":"hush"}'"#, "printed no ExecCredential"),
        (
            r#"echo '{"kind":"ExecCredential","apiVersion":"v0","status":{"token":"hush"}}'"#,
            "answered in API version v0, but the kubeconfig asks for client.authentication.k8s.io/v1",
        ),
        ("kill -9 $$", "failed (signal: 9"),
    ];
    for (script, expected) in table {
        let error = refused(&shell(script));
        assert!(
            error.contains(expected) && !error.contains("hush"),
            "{error}"
        );
    }
    assert!(refused(&printing("{}")).contains("neither a token nor a certificate"));
    assert!(refused(&printing("null")).contains("gave no status"));
}
