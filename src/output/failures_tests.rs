//! How failures and conflicts are gathered.

use insta::assert_snapshot;

use super::*;
use crate::{
    output::fixtures::{PLANTED, PLANTED_TEXT, failed, forbidden, owner, planted, secret},
    reconcile::{Event, Failure, SECRETS},
};

fn gathered(events: impl IntoIterator<Item = (ObjectKey, Event)>) -> Failures {
    let mut failures = Failures::default();
    for (key, event) in events {
        let Event::Failed(error) = event else {
            panic!("only failures are gathered");
        };
        let message = failure_message(&error, &key, Some(&planted()));
        failures.add(key, &error, &message);
    }
    failures
}

#[test]
fn one_failure_is_told_whole() {
    let failures = gathered([(secret("team-a", "regcred"), forbidden("team-a", "regcred"))]);
    let lines = failures.lines(false);
    assert_snapshot!(lines[0], @r#"
    Error from server (Forbidden): cannot create secret/regcred in namespace team-a: secrets is forbidden: User "jane" cannot create resource "secrets" in API group "" in the namespace "team-a"
    "#);
    assert_eq!(lines.len(), 2);
    assert!(lines[1].contains("kind: RoleBinding"), "{}", lines[1]);
}

#[test]
fn the_same_failure_in_many_namespaces_is_one_line() {
    let namespaces = (10..47).map(|number| format!("team-{number}"));
    let failures =
        gathered(namespaces.map(|name| (secret(&name, "regcred"), forbidden(&name, "regcred"))));
    let lines = failures.lines(false);
    assert_snapshot!(lines[0], @r#"
    Error from server (Forbidden): cannot create 37 secrets: secrets is forbidden: User "jane" cannot create resource "secrets" in API group "" (in namespaces team-10, team-11, team-12 and 34 more)
    "#);
    assert_eq!(lines.len(), 2, "one hint for all of them");
}

#[test]
fn names_are_taken_out_and_put_back_where_they_are_shared() {
    let message = |namespace: &str, name: &str| {
        let message = format!(
            "admission webhook \"team-a.example\" denied the request: [{namespace}] {name} is too big, see {namespace}/{name}."
        );
        (
            secret(namespace, name),
            failed(&SECRETS, namespace, name, Failure::Forbidden(message)),
        )
    };
    let failures = gathered([
        message("team-a", "tls"),
        message("team-b", "tls"),
        message("a", "b"),
    ]);
    assert_snapshot!(failures.lines(false).join("\n"), @r#"Error from server (Forbidden): cannot create 3 secrets: admission webhook "team-a.example" denied the request: [<namespace>] <name> is too big, see <namespace>/<name>. (in namespaces a, team-a, team-b)"#);
}

#[test]
fn messages_that_all_differ_do_not_flood_the_screen() {
    let message = |number| {
        let failure = Failure::Forbidden(format!("request {number} denied"));
        (
            secret("team-a", "tls"),
            failed(&SECRETS, "team-a", "tls", failure),
        )
    };
    let failures = gathered((0..1000).map(message));
    assert_eq!(failures.lines(false).len(), LINES + 1);
    assert_eq!(
        failures.lines(false)[LINES],
        "error: … and 980 more objects failed for other reasons (-v shows them all)"
    );
    assert_eq!(failures.lines(true).len(), 1000);
}

#[test]
fn quoted_values_do_not_get_through() {
    let failure = Failure::Malformed(format!("{{\"password\":\"{PLANTED}\"}} ({PLANTED_TEXT})"));
    let failures = gathered([(
        secret("team-a", "tls"),
        failed(&SECRETS, "team-a", "tls", failure),
    )]);
    let lines = failures.lines(true).join("\n");
    assert!(
        !lines.contains(PLANTED) && !lines.contains(PLANTED_TEXT),
        "{lines}"
    );
}

#[test]
fn what_keeps_being_changed_is_left_alone_only_for_a_while() {
    let mut conflicts = Conflicts::default();
    conflicts.add(secret("team-a", "regcred"), Conflict::Rewritten);
    assert_snapshot!(conflicts.lines(false).join("\n"), @"Warning: secret/regcred in namespace team-a keeps being changed by something else; left alone for a while");
    conflicts.add(secret("team-b", "regcred"), Conflict::Rewritten);
    assert_snapshot!(conflicts.lines(false).join("\n"), @"Warning: 2 secrets keep being changed by something else; left alone for a while (in namespaces team-a, team-b)");
}

#[test]
fn conflicts_name_the_field_managers() {
    let not_ours = || Conflict::NotOurs {
        managers: vec!["helm".to_owned(), "kubectl-edit".to_owned()],
    };
    let mut conflicts = Conflicts::default();
    for namespace in ["team-b", "team-a", "team-d", "team-c"] {
        conflicts.add(secret(namespace, "regcred"), not_ours());
    }
    let contested = Conflict::Contested {
        winner: owner("older"),
        source: "infra/regcred".into(),
    };
    conflicts.add(secret("team-e", "regcred"), contested);
    conflicts.add(
        secret("team-f", "regcred"),
        Conflict::HeldBy(owner("other")),
    );
    conflicts.add(
        secret("team-g", "regcred"),
        Conflict::NotOurs { managers: vec![] },
    );
    assert_snapshot!(conflicts.lines(false).join("\n"), @r"
    Warning: 4 secrets are not ours (managed by helm, kubectl-edit); left alone (in namespaces team-a, team-b, team-c and 1 more)
    Warning: secret/regcred in namespace team-g is not ours (no field manager is recorded); left alone
    Warning: secret/regcred in namespace team-f belongs to rule other; left alone
    Warning: secret/regcred in namespace team-e is wanted by rule older too, which comes first (from infra/regcred); left alone
    ");
}
