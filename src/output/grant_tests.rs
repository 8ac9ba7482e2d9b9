//! Which rights are granted where, and how that is written.

use insta::assert_snapshot;

use super::*;
use crate::{
    output::{
        fixtures::{config_map, secret},
        grant_text::{grant_text, manifest_list},
    },
    reconcile::{MissingPermissions, ObjectKey},
};

fn missing(user: Option<&str>, denied: impl IntoIterator<Item = (Verb, ObjectKey)>) -> Missing {
    let mut missing = Missing::default();
    missing.foreseen(&MissingPermissions {
        user: user.map(Into::into),
        denied: denied.into_iter().collect(),
    });
    missing
}

fn text(missing: &Missing) -> String {
    grant_text(missing, false).unwrap()
}

#[test]
fn in_one_namespace_a_role_there_is_enough() {
    let missing = missing(Some("jane"), [(Verb::Create, secret("team-a", "regcred"))]);
    assert_snapshot!(text(&missing), @r#"
    hint: an administrator can allow it by applying this (kubectl apply -f):

    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: Role
    metadata:
      name: copyrator-create-secrets-615dfd19
      namespace: team-a
    rules:
    - apiGroups:
      - ""
      resources:
      - secrets
      verbs:
      - create
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: RoleBinding
    metadata:
      name: copyrator-create-secrets-615dfd19
      namespace: team-a
    roleRef:
      apiGroup: rbac.authorization.k8s.io
      kind: Role
      name: copyrator-create-secrets-615dfd19
    subjects:
    - apiGroup: rbac.authorization.k8s.io
      kind: User
      name: jane
    "#);
}

#[test]
fn in_several_namespaces_a_cluster_role_is_bound_in_each() {
    let denied = ["team-a", "team-b"].map(|name| (Verb::Create, secret(name, "regcred")));
    let missing = missing(Some("system:serviceaccount:ci:bot"), denied);
    assert_snapshot!(text(&missing), @r#"
    hint: an administrator can allow it by applying this (kubectl apply -f):

    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata:
      name: copyrator-create-secrets-c670b292
    rules:
    - apiGroups:
      - ""
      resources:
      - secrets
      verbs:
      - create
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: RoleBinding
    metadata:
      name: copyrator-create-secrets-c670b292
      namespace: team-a
    roleRef:
      apiGroup: rbac.authorization.k8s.io
      kind: ClusterRole
      name: copyrator-create-secrets-c670b292
    subjects:
    - kind: ServiceAccount
      name: bot
      namespace: ci
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: RoleBinding
    metadata:
      name: copyrator-create-secrets-c670b292
      namespace: team-b
    roleRef:
      apiGroup: rbac.authorization.k8s.io
      kind: ClusterRole
      name: copyrator-create-secrets-c670b292
    subjects:
    - kind: ServiceAccount
      name: bot
      namespace: ci
    "#);
}

#[test]
fn only_what_is_missing_is_granted_where_it_is_missing() {
    let missing = missing(
        Some("jane"),
        [
            (Verb::Create, secret("a", "tls")),
            (Verb::Create, config_map("b", "ca")),
            (Verb::Patch, config_map("b", "ca")),
            (Verb::Delete, config_map("b", "ca")),
        ],
    );
    let granted: Vec<_> = grants(&missing).iter().map(summary).collect();
    assert_eq!(
        granted,
        [
            "[b]: create configmaps []; patch,delete configmaps [ca]",
            "[a]: create secrets []",
        ]
    );
}

#[test]
fn many_names_make_a_rule_for_all() {
    let denied = (0..=MOST_NAMES).map(|number| (Verb::Patch, secret("a", &format!("s{number}"))));
    let missing = missing(Some("jane"), denied);
    assert_eq!(summary(&grants(&missing)[0]), "[a]: patch secrets []");
}

fn summary(grant: &Grant) -> String {
    let places: Vec<_> = grant
        .places
        .iter()
        .flatten()
        .map(Namespace::as_str)
        .collect();
    let rule = |rule: &Rule| {
        let verbs: Vec<_> = rule.verbs.iter().map(ToString::to_string).collect();
        let names: Vec<_> = rule.names.iter().map(Name::as_str).collect();
        format!(
            "{} {} [{}]",
            verbs.join(","),
            rule.resource.plural,
            names.join(",")
        )
    };
    let rules: Vec<_> = grant.rules.iter().map(rule).collect();
    format!("[{}]: {}", places.join(","), rules.join("; "))
}

#[test]
fn grants_never_share_a_name_that_they_would_fight_over() {
    let one = |user, verb| {
        let missing = missing(Some(user), [(verb, secret("a", "tls"))]);
        grants(&missing)[0].name()
    };
    let two = missing(
        Some("jane"),
        ["a", "b"].map(|name| (Verb::Patch, secret(name, "tls"))),
    );
    let names = [
        one("jane", Verb::Patch),
        one("john", Verb::Patch),
        one("jane", Verb::Delete),
        grants(&two)[0].name(),
    ];
    let distinct: std::collections::BTreeSet<_> = names.iter().collect();
    assert_eq!(distinct.len(), names.len(), "{names:?}");
    assert_eq!(one("jane", Verb::Patch), names[0]);
}

#[test]
fn the_screen_is_not_flooded_but_all_can_be_had() {
    let denied = (10..47).map(|number| (Verb::Create, secret(&format!("team-{number}"), "tls")));
    let missing = missing(Some("jane"), denied);
    let bindings = |text: &str| text.matches("\nkind: RoleBinding").count();
    let text = text(&missing);
    assert_eq!(bindings(&text), 10);
    assert!(text.ends_with(
        "# It is missing in 27 more namespaces: -v shows the bindings for all of them.\n"
    ));
    assert_eq!(bindings(&grant_text(&missing, true).unwrap()), 37);
    let list = serde_json::to_value(manifest_list(&missing).unwrap()).unwrap();
    assert_eq!(list["items"].as_array().unwrap().len(), 38);
}

#[test]
fn an_unknown_user_gets_no_made_up_binding() {
    let missing = missing(None, [(Verb::Create, secret("a", "tls"))]);
    let text = text(&missing);
    assert!(!text.contains("kind: RoleBinding"), "{text}");
    assert!(
        text.contains("# The API server doesn't tell the user's name"),
        "{text}"
    );
}

#[test]
fn nothing_missing_is_nothing_to_grant() {
    assert_eq!(grant_text(&Missing::default(), false), None);
    assert!(manifest_list(&Missing::default()).is_none());
}
