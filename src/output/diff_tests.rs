//! What diffs look like, and that masked ones give nothing away.

use insta::assert_snapshot;
use proptest::{collection::btree_map, prelude::*};

use super::*;
use crate::{
    output::{
        Document,
        fixtures::{PLANTED, config_map, content, desired, secret},
    },
    reconcile::{Content, ObjectKey},
};

fn diff_of(
    key: &ObjectKey,
    before: Option<&Content>,
    after: Option<&Content>,
    secrecy: Secrecy,
    palette: Palette,
) -> String {
    let before = before.map(|content| desired(key.clone(), content.clone()));
    let after = after.map(|content| desired(key.clone(), content.clone()));
    let change = Change {
        key,
        before: before.as_ref().map(Document::desired),
        after: after.as_ref().map(Document::desired),
    };
    let mut out = Vec::new();
    write_diff(&mut out, &change, secrecy, palette).unwrap();
    String::from_utf8(out).unwrap()
}

fn masked(key: &ObjectKey, before: Option<&str>, after: Option<&str>) -> String {
    let (before, after) = (before.map(content), after.map(content));
    diff_of(
        key,
        before.as_ref(),
        after.as_ref(),
        Secrecy::Masked,
        Palette::default(),
    )
}

#[test]
fn creation_is_all_plus() {
    let diff = masked(
        &secret("team-a", "regcred"),
        None,
        Some(r#"{"type":"kubernetes.io/dockerconfigjson","data":{".dockerconfigjson":"e30="}}"#),
    );
    assert_snapshot!(diff, @r#"
    diff -u -N LIVE/v1.Secret.team-a.regcred MERGED/v1.Secret.team-a.regcred
    --- LIVE/v1.Secret.team-a.regcred
    +++ MERGED/v1.Secret.team-a.regcred
    @@ -0,0 +1,18 @@
    +apiVersion: v1
    +kind: Secret
    +metadata:
    +  name: regcred
    +  namespace: team-a
    +  labels:
    +    app.kubernetes.io/managed-by: kubectl-copyrator
    +    copyrator.dev/rule: pull-secrets
    +    copyrator.dev/set: cluster
    +  annotations:
    +    copyrator.dev/content: "***"
    +    copyrator.dev/owner: cluster/pull-secrets
    +    copyrator.dev/prune: Delete
    +    copyrator.dev/source: default/regcred
    +    copyrator.dev/target: team-a/regcred
    +type: kubernetes.io/dockerconfigjson
    +data:
    +  .dockerconfigjson: "***"
    "#);
}

#[test]
fn pruning_is_all_minus() {
    let diff = masked(
        &secret("team-a", "regcred"),
        Some(r#"{"type":"Opaque","data":{"password":"cGxhbnRlZA=="}}"#),
        None,
    );
    assert_snapshot!(diff, @r#"
    diff -u -N LIVE/v1.Secret.team-a.regcred MERGED/v1.Secret.team-a.regcred
    --- LIVE/v1.Secret.team-a.regcred
    +++ MERGED/v1.Secret.team-a.regcred
    @@ -1,18 +0,0 @@
    -apiVersion: v1
    -kind: Secret
    -metadata:
    -  name: regcred
    -  namespace: team-a
    -  labels:
    -    app.kubernetes.io/managed-by: kubectl-copyrator
    -    copyrator.dev/rule: pull-secrets
    -    copyrator.dev/set: cluster
    -  annotations:
    -    copyrator.dev/content: "***"
    -    copyrator.dev/owner: cluster/pull-secrets
    -    copyrator.dev/prune: Delete
    -    copyrator.dev/source: default/regcred
    -    copyrator.dev/target: team-a/regcred
    -type: Opaque
    -data:
    -  password: "***"
    "#);
}

#[test]
fn changed_removed_and_equal_values_of_a_secret_are_told_apart() {
    let diff = masked(
        &secret("team-a", "regcred"),
        Some(r#"{"type":"Opaque","data":{"equal":"YQ==","changed":"Yg==","removed":"Yw=="}}"#),
        Some(r#"{"type":"Opaque","data":{"equal":"YQ==","changed":"eA==","added":"Yw=="}}"#),
    );
    assert_snapshot!(diff, @r#"
    diff -u -N LIVE/v1.Secret.team-a.regcred MERGED/v1.Secret.team-a.regcred
    --- LIVE/v1.Secret.team-a.regcred
    +++ MERGED/v1.Secret.team-a.regcred
    @@ -8,13 +8,13 @@
         copyrator.dev/rule: pull-secrets
         copyrator.dev/set: cluster
       annotations:
    -    copyrator.dev/content: "*** (before)"
    +    copyrator.dev/content: "*** (after)"
         copyrator.dev/owner: cluster/pull-secrets
         copyrator.dev/prune: Delete
         copyrator.dev/source: default/regcred
         copyrator.dev/target: team-a/regcred
     type: Opaque
     data:
    -  changed: "*** (before)"
    +  added: "***"
    +  changed: "*** (after)"
       equal: "***"
    -  removed: "***"
    "#);
}

#[test]
fn config_maps_are_compared_line_by_line() {
    let diff = masked(
        &config_map("team-a", "settings"),
        Some(
            r#"{"data":{"app.conf":"one\ntwo\nthree\n","flag":"on"},"binaryData":{"logo":"AAAA"}}"#,
        ),
        Some(
            r#"{"data":{"app.conf":"one\n2\nthree\n","flag":"off"},"binaryData":{"logo":"AAAB"}}"#,
        ),
    );
    assert_snapshot!(diff, @r#"
    diff -u -N LIVE/v1.ConfigMap.team-a.settings MERGED/v1.ConfigMap.team-a.settings
    --- LIVE/v1.ConfigMap.team-a.settings
    +++ MERGED/v1.ConfigMap.team-a.settings
    @@ -8,7 +8,7 @@
         copyrator.dev/rule: pull-secrets
         copyrator.dev/set: cluster
       annotations:
    -    copyrator.dev/content: v1:9221a2b9e2c12c182971d340102102af5ac14bdd633cf68c47a7b9d0d9d85828
    +    copyrator.dev/content: v1:5cacf4b9bae6ac1c2e2a9d160f500c2db63a2f1149d2d8a82bfe27e91d690139
         copyrator.dev/owner: cluster/pull-secrets
         copyrator.dev/prune: Delete
         copyrator.dev/source: default/regcred
    @@ -16,8 +16,8 @@
     data:
       app.conf: |
         one
    -    two
    +    2
         three
    -  flag: "on"
    +  flag: "off"
     binaryData:
    -  logo: AAAA
    +  logo: AAAB
    "#);
}

#[test]
fn content_without_data_is_a_document_all_the_same() {
    let diff = masked(&config_map("team-a", "empty"), None, Some("{}"));
    assert_snapshot!(diff, @r"
    diff -u -N LIVE/v1.ConfigMap.team-a.empty MERGED/v1.ConfigMap.team-a.empty
    --- LIVE/v1.ConfigMap.team-a.empty
    +++ MERGED/v1.ConfigMap.team-a.empty
    @@ -0,0 +1,15 @@
    +apiVersion: v1
    +kind: ConfigMap
    +metadata:
    +  name: empty
    +  namespace: team-a
    +  labels:
    +    app.kubernetes.io/managed-by: kubectl-copyrator
    +    copyrator.dev/rule: pull-secrets
    +    copyrator.dev/set: cluster
    +  annotations:
    +    copyrator.dev/content: v1:9d908ecfb6b256def8b49a7c504e6c889c4b0e41fe6ce3e01863dd7b61a20aa0
    +    copyrator.dev/owner: cluster/pull-secrets
    +    copyrator.dev/prune: Delete
    +    copyrator.dev/source: default/regcred
    +    copyrator.dev/target: team-a/empty
    ");
}

#[test]
fn equal_objects_have_no_diff() {
    let same = Some(r#"{"data":{"a":"b"}}"#);
    assert_eq!(masked(&config_map("team-a", "settings"), same, same), "");
}

#[test]
fn secrets_are_shown_on_request() {
    let planted = content(&format!(r#"{{"data":{{"password":"{PLANTED}"}}}}"#));
    let key = secret("team-a", "regcred");
    let diff = |secrecy| diff_of(&key, None, Some(&planted), secrecy, Palette::default());
    assert!(diff(Secrecy::Shown).contains(PLANTED));
    assert!(diff(Secrecy::Shown).contains(&planted.hash().to_string()));
    assert!(!diff(Secrecy::Masked).contains(PLANTED));
    assert!(!diff(Secrecy::Masked).contains(&planted.hash().to_string()));
}

#[test]
fn colours_follow_the_lines() {
    let (before, after) = (
        content(r#"{"data":{"a":"1"}}"#),
        content(r#"{"data":{"a":"2"}}"#),
    );
    let diff = diff_of(
        &config_map("team-a", "settings"),
        Some(&before),
        Some(&after),
        Secrecy::Masked,
        Palette { enabled: true },
    );
    assert!(diff.contains("\u{1b}[31m-  a: \"1\"\u{1b}[0m\n\u{1b}[32m+  a: \"2\"\u{1b}[0m\n"));
    assert!(diff.contains("\u{1b}[36m@@ -"));
    assert!(diff.starts_with("\u{1b}[1mdiff -u -N LIVE/v1.ConfigMap.team-a.settings"));
}

#[test]
fn values_cannot_steer_the_terminal() {
    let harmful =
        content(r#"{"data":{"a":"\u001b[2J\u202e","b":"line\n\u009b2J\u001b]0;x\u0007\n"}}"#);
    let diff = diff_of(
        &config_map("team-a", "settings"),
        None,
        Some(&harmful),
        Secrecy::Masked,
        Palette::default(),
    );
    assert!(
        !diff.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']),
        "{diff}"
    );
}

proptest! {
    #[test]
    fn a_masked_diff_never_contains_a_value(
        before in btree_map("[a-z]{1,3}", "[A-Za-z0-9+/]{4,24}", 0..4),
        after in btree_map("[a-z]{1,3}", "[A-Za-z0-9+/]{4,24}", 0..4),
    ) {
        let key = secret("team-a", "regcred");
        let skeleton = diff_of(&key, None, Some(&content(r#"{"type":"Opaque"}"#)), Secrecy::Masked, Palette::default());
        let make = |data: &std::collections::BTreeMap<String, String>| {
            content(&serde_json::json!({"type": "Opaque", "data": data}).to_string())
        };
        let diff = diff_of(&key, Some(&make(&before)), Some(&make(&after)), Secrecy::Masked, Palette::default());
        for value in before.values().chain(after.values()) {
            let known = skeleton.contains(value) || "MERGED before after data".contains(value);
            prop_assert!(known || !diff.contains(value), "{} in {}", value, diff);
        }
    }
}
