//! What follows for a step from what is known of its rights.

use super::*;
use crate::reconcile::SECRETS;

const REPLACE: [Verb; 2] = [Verb::Create, Verb::Delete];

fn key() -> ObjectKey {
    ObjectKey::namespaced(&SECRETS, "team-a".into(), "tls".into())
}

fn refusals(denied: &[(Verb, &str)]) -> Refusals {
    let denied = denied.iter();
    Refusals {
        user: Some("jane".into()),
        denied: denied
            .map(|(verb, reason)| ((*verb, key()), (*reason).to_owned()))
            .collect(),
    }
}

fn message(refusals: &Refusals, verbs: &[Verb]) -> Option<String> {
    let error = refusals.refusal(&key(), verbs)?;
    Some(error.failure.to_string())
}

#[test]
fn a_denial_has_the_words_of_the_api_server() {
    let refusals = refusals(&[(Verb::Create, ""), (Verb::Patch, "locked")]);
    assert_eq!(
        message(&refusals, &[Verb::Create]).unwrap(),
        r#"secrets is forbidden: User "jane" cannot create resource "secrets" in API group "" in the namespace "team-a""#
    );
    assert_eq!(
        message(&refusals, &[Verb::Patch]).unwrap(),
        r#"secrets "tls" is forbidden: User "jane" cannot patch resource "secrets" in API group "" in the namespace "team-a": locked"#
    );
}

#[test]
fn what_is_not_denied_is_attempted() {
    let refusals = refusals(&[(Verb::Create, "")]);
    assert_eq!(message(&refusals, &[Verb::Patch]), None);
    assert_eq!(message(&refusals, &[]), None);
    assert_eq!(Refusals::default().missing(), None);
}

#[test]
fn nothing_is_deleted_that_may_not_be_made_anew() {
    assert_eq!(message(&refusals(&[]), &REPLACE), None);
    for verb in REPLACE {
        let refusal = message(&refusals(&[(verb, "")]), &REPLACE);
        assert!(refusal.is_some(), "{verb}");
    }
}

#[test]
fn all_that_is_missing_is_told_at_once() {
    let both = refusals(&[(Verb::Delete, ""), (Verb::Create, "")]);
    let missing = both.missing().unwrap();
    assert_eq!(
        missing.denied,
        [(Verb::Create, key()), (Verb::Delete, key())]
    );
}
