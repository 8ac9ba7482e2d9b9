//! Which marks a document shows, and how its file is named.

use insta::assert_snapshot;

use super::*;
use crate::{
    output::fixtures::{RULES, content, desired, desired_with, secret},
    reconcile::{Carried, Depth, Observer, RawObject, SECRETS},
};

/// A Secret `regcred` in `team-a` with these labels and annotations.
fn live(labels: &str, annotations: &str) -> Live {
    let metadata = format!(
        r#"{{"name":"regcred","namespace":"team-a","uid":"1","resourceVersion":"2",
             "labels":{labels},"annotations":{annotations}}}"#
    );
    let json = format!(r#"{{"metadata":{metadata},"type":"Opaque","data":{{"a":"eA=="}}}}"#);
    let object = RawObject::new(&json);
    Live {
        observed: Observer::new(&RULES)
            .observe(&SECRETS, object, Depth::Full)
            .unwrap(),
        content: content(&json),
        labels: serde_json::from_str(labels).unwrap(),
        annotations: serde_json::from_str(annotations).unwrap(),
        owner_kind: &RULES,
    }
}

fn wanted() -> Desired {
    desired(
        secret("team-a", "regcred"),
        content(r#"{"type":"Opaque","data":{"a":"eA=="}}"#),
    )
}

#[test]
fn what_is_found_shows_only_the_marks_that_are_there() {
    let live = live(
        r#"{"copyrator.dev/rule":"pull-secrets","copyrator.dev/set":"cluster","other":"x"}"#,
        r#"{"copyrator.dev/source":"default/regcred","other":"y"}"#,
    );
    let wanted = wanted();
    let change = Change {
        key: &wanted.key,
        before: Some(Document::live(&live, Some(&wanted))),
        after: Some(Document::desired(&wanted)),
    };
    assert_eq!(change.file_name(), "v1.Secret.team-a.regcred");
    assert_snapshot!(change.render(Secrecy::Masked).before, @r#"
    apiVersion: v1
    kind: Secret
    metadata:
      name: regcred
      namespace: team-a
      labels:
        copyrator.dev/rule: pull-secrets
        copyrator.dev/set: cluster
      annotations:
        copyrator.dev/source: default/regcred
    type: Opaque
    data:
      a: "***"
    "#);
    assert_snapshot!(change.render(Secrecy::Masked).after, @r#"
    apiVersion: v1
    kind: Secret
    metadata:
      name: regcred
      namespace: team-a
      labels:
        app.kubernetes.io/managed-by: kubectl-copyrator
        copyrator.dev/rule: pull-secrets
        copyrator.dev/set: cluster
      annotations:
        copyrator.dev/content: "***"
        copyrator.dev/owner: cluster/pull-secrets
        copyrator.dev/prune: Delete
        copyrator.dev/source: default/regcred
        copyrator.dev/target: team-a/regcred
    type: Opaque
    data:
      a: "***"
    "#);
}

#[test]
fn what_is_taken_over_of_the_original_is_shown() {
    let live = live(r#"{"app":"old","mine":"x"}"#, "{}");
    let carried = Carried {
        labels: [("app".into(), "new".into())].into(),
        ..Carried::default()
    };
    let wanted = desired_with(secret("team-a", "regcred"), wanted_content(), carried);
    let before = Document::live(&live, Some(&wanted));
    assert_eq!(before.labels, [("app".into(), "old".into())].into());
    let after = Document::desired(&wanted);
    assert_eq!(after.labels["app"], "new");
    assert_eq!(
        after.annotations["copyrator.dev/carried"],
        r#"{"labels":["app"]}"#
    );
}

fn wanted_content() -> Content {
    content(r#"{"type":"Opaque","data":{"a":"eA=="}}"#)
}

#[test]
fn a_takeover_remembers_and_a_release_restores() {
    let foreign = live(r#"{"app.kubernetes.io/managed-by":"Helm"}"#, "{}");
    let wanted = wanted();
    let taken = Document::changed(&wanted, &foreign);
    assert_eq!(taken.annotations["copyrator.dev/adopted"], "Helm");
    let as_json = |map| serde_json::to_string(map).unwrap();
    let ours = live(&as_json(&taken.labels), &as_json(&taken.annotations));
    assert!(ours.observed.marks.are_ours());
    let released = Document::released(&ours);
    assert_eq!(
        released.labels,
        [("app.kubernetes.io/managed-by".into(), "Helm".into())].into()
    );
    assert!(released.annotations.is_empty());
}
