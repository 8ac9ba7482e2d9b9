//! Which marks a document shows, and how its file is named.

use insta::assert_snapshot;

use super::*;
use crate::{
    output::fixtures::{OWNER_LABEL, content, desired, owner, secret},
    reconcile::{Marks, ObjectVersion, PresentMaps, Provenance},
};

#[test]
fn what_is_found_shows_only_the_marks_that_are_there() {
    let key = secret("team-a", "regcred");
    let actual = content(r#"{"type":"Opaque","data":{"a":"eA=="}}"#);
    let observed = Observed {
        key: key.clone(),
        version: ObjectVersion {
            uid: "1".into(),
            resource_version: "2".into(),
        },
        marks: Marks {
            owner: Some(owner("pull-secrets")),
            source: Some("default/regcred".into()),
            ..Marks::default()
        },
        provenance: Provenance::Doubtful,
        actual: None,
        present: PresentMaps::default(),
        deleting: false,
        managers: Vec::new(),
    };
    let wanted = desired(key.clone(), actual.clone());
    let change = Change {
        key: &key,
        before: Some(Document::observed(&observed, &actual, OWNER_LABEL)),
        after: Some(Document::desired(&wanted, OWNER_LABEL)),
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
        copyrator.dev/prune: Delete
        copyrator.dev/source: default/regcred
        copyrator.dev/target: team-a/regcred
    type: Opaque
    data:
      a: "***"
    "#);
}
