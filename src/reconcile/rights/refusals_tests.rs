//! What follows for a step from what is known of its rights.

use super::*;
use crate::reconcile::SECRETS;

const REPLACE: [Verb; 2] = [Verb::Create, Verb::Delete];

fn key() -> ObjectKey {
    ObjectKey::namespaced(&SECRETS, "team-a".into(), "tls".into())
}

fn refusals(verdicts: &[(Verb, Verdict)]) -> Refusals {
    let verdicts = verdicts.iter().cloned();
    Refusals {
        user: Some("jane".into()),
        verdicts: verdicts
            .map(|(verb, verdict)| ((verb, key()), verdict))
            .collect(),
    }
}

fn denied() -> Verdict {
    Verdict::Denied(String::new())
}

fn unknown() -> Verdict {
    let failure = Failure::NotFound("no such resource".to_owned());
    Verdict::Unknown(ApiError {
        verb: Verb::Create,
        subject: "selfsubjectaccessreviews".to_owned(),
        failure,
    })
}

fn message(refusals: &Refusals, verbs: &[Verb]) -> Option<String> {
    let error = refusals.refusal(&key(), verbs)?;
    Some(error.failure.to_string())
}

#[test]
fn a_denial_has_the_words_of_the_api_server() {
    let refusals = refusals(&[
        (Verb::Create, denied()),
        (Verb::Patch, Verdict::Denied("locked".to_owned())),
    ]);
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
fn what_is_allowed_or_unknown_is_attempted() {
    let refusals = refusals(&[(Verb::Create, unknown())]);
    assert_eq!(message(&refusals, &[Verb::Create]), None);
    assert_eq!(message(&refusals, &[Verb::Patch]), None);
    assert_eq!(message(&refusals, &[]), None);
    assert_eq!(refusals.missing(), None);
}

#[test]
fn nothing_is_deleted_that_may_not_be_made_anew() {
    assert_eq!(message(&refusals(&[]), &REPLACE), None);
    for verb in REPLACE {
        let refusal = message(&refusals(&[(verb, denied())]), &REPLACE);
        assert!(refusal.is_some(), "{verb}");
    }
    // The creation is tried before the deletion is.
    let unknown = refusals(&[(Verb::Create, unknown()), (Verb::Delete, unknown())]);
    assert_eq!(message(&unknown, &REPLACE), None);
}

#[test]
fn all_that_is_missing_is_told_at_once() {
    let both = refusals(&[(Verb::Delete, denied()), (Verb::Create, denied())]);
    let missing = both.missing().unwrap();
    assert_eq!(
        missing.denied,
        [(Verb::Create, key()), (Verb::Delete, key())]
    );
}
