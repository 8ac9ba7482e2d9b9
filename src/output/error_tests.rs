//! How errors, their causes and hints are worded.

use insta::assert_snapshot;

use super::*;
use crate::{
    output::fixtures::{captured, owner, secret},
    reconcile::Verb,
};

#[derive(Debug, thiserror::Error)]
#[error("cannot load the rules")]
struct Outer(#[source] ApiError);

fn api_error(failure: Failure) -> ApiError {
    ApiError::on(Verb::Create, &secret("team-a", "regcred"), failure)
}

fn written(error: &(dyn Error + 'static), hints: &[String]) -> String {
    let (mut streams, out, err) = captured();
    write_error(&mut streams, error, hints, Palette::default()).unwrap();
    assert_eq!(out.text(), "");
    err.text()
}

#[test]
fn plain_errors_begin_as_in_kubectl() {
    let error = io::Error::other("no such thing");
    assert_snapshot!(written(&error, &["try --help".to_owned()]), @r"
    error: no such thing
    hint: try --help
    ");
}

#[test]
fn errors_of_the_server_name_its_reason() {
    let message = "secrets is forbidden: User \"jane\" cannot create resource \"secrets\" in API group \"\" in the namespace \"team-a\"";
    let error = Outer(api_error(Failure::Forbidden(message.to_owned())));
    assert_snapshot!(written(&error, &[]), @r#"
    Error from server (Forbidden): cannot load the rules: cannot create secret/regcred in namespace team-a: secrets is forbidden: User "jane" cannot create resource "secrets" in API group "" in the namespace "team-a"
    hint: an administrator can allow it: kubectl create role copyrator-create-secrets --verb=create --resource=secrets -n team-a && kubectl create rolebinding copyrator-create-secrets --role=copyrator-create-secrets --user=jane -n team-a
    "#);
}

#[test]
fn errors_without_an_answer_are_plain() {
    let error = api_error(Failure::NotConnected("connection refused".to_owned()));
    assert_snapshot!(written(&error, &[]), @"error: cannot create secret/regcred in namespace team-a: connection refused");
}

#[test]
fn messages_cannot_steer_the_terminal() {
    let error = api_error(Failure::Conflict("\u{1b}]0;owned\u{7}\u{9b}2J".to_owned()));
    assert!(!written(&error, &[]).contains(['\u{1b}', '\u{7}', '\u{9b}']));
}

#[test]
fn only_the_first_word_is_coloured() {
    let palette = Palette { enabled: true };
    assert_eq!(
        painted("Warning: a: b", palette),
        "\u{1b}[33mWarning:\u{1b}[0m a: b"
    );
    assert_eq!(painted("a: b", palette), "a: b");
}

#[test]
fn findings_name_their_rule() {
    let finding = Finding {
        severity: Severity::Warning,
        owner: Some(owner("pull-secrets")),
        message: "the source namespace is missing".to_owned(),
        cause: None,
    };
    assert_eq!(
        finding_message(&finding),
        "Warning: rule pull-secrets: the source namespace is missing"
    );
}

#[test]
fn a_cluster_without_our_resource_is_given_it_by_a_command() {
    let refusal = || Failure::Refused {
        status: 404,
        message: "the server answered 404 Not Found".to_owned(),
    };
    let unread = |verb, subject: &str| ApiError {
        verb,
        subject: subject.to_owned(),
        failure: refusal(),
    };
    for subject in [
        "copyratorrules.copyrator.dev",
        "exchangerates.copyrator.dev in namespace team-a",
    ] {
        for verb in [Verb::List, Verb::Watch] {
            let hint = hint_for(&unread(verb, subject));
            assert!(hint.unwrap().ends_with("kubectl copyrator crd install"));
        }
    }
    assert_eq!(hint_for(&unread(Verb::List, "secrets")), None);
    assert_eq!(hint_for(&api_error(refusal())), None);
}
