//! What the plan looks like for programs.

use insta::assert_snapshot;

use super::*;
use crate::output::{
    fixtures::{PLANTED, config_map, content, owner, planted, secret},
    to_json, to_yaml,
};

/// A plan with one change of each kind.
fn report() -> PlanReport {
    let rule = owner("pull-secrets");
    let (planted, other) = (
        planted(),
        content(r#"{"type":"Opaque","data":{"user":"YQ=="}}"#),
    );
    let keys = [
        secret("team-b", "regcred"),
        secret("team-a", "regcred"),
        secret("team-a", "old"),
        config_map("team-a", "settings"),
    ];
    let change = |key, action, before, after| PlannedChange {
        key,
        owner: Some(&rule),
        source: Some("default/regcred"),
        action,
        before,
        after,
    };
    let managers = vec!["helm".to_owned(), "kubectl-edit".to_owned()];
    PlanReport::new(
        [
            change(&keys[0], PlannedAction::Create, None, Some(&planted)),
            change(
                &keys[1],
                PlannedAction::Update(Why::Drifted),
                Some(&other),
                Some(&planted),
            ),
            change(&keys[2], PlannedAction::Prune, Some(&planted), None),
            change(
                &keys[3],
                PlannedAction::Conflict(Conflict::NotOurs { managers }),
                None,
                None,
            ),
        ],
        985,
    )
}

#[test]
fn a_plan_never_holds_values() {
    assert!(!to_json(&report()).unwrap().contains(PLANTED));
}

#[test]
fn a_plan_names_keys() {
    assert_snapshot!(to_yaml(&report()).unwrap(), @r"
    apiVersion: copyrator.dev/v1alpha1
    kind: Plan
    summary:
      create: 1
      update: 1
      replace: 0
      prune: 1
      orphan: 0
      release: 0
      conflict: 1
      unchanged: 985
    changes:
    - namespace: team-a
      resource: configmaps
      name: settings
      action: conflict
      rule: pull-secrets
      set: cluster
      source: default/regcred
      reason: NotOurs
      message: configmap/settings in namespace team-a is not ours (managed by helm, kubectl-edit); left alone
      managers:
      - helm
      - kubectl-edit
    - namespace: team-a
      resource: secrets
      name: old
      action: prune
      rule: pull-secrets
      set: cluster
      source: default/regcred
      keys:
        added: []
        removed:
        - password
        changed: []
    - namespace: team-a
      resource: secrets
      name: regcred
      action: update
      rule: pull-secrets
      set: cluster
      source: default/regcred
      reason: Drifted
      keys:
        added:
        - password
        removed:
        - user
        changed: []
    - namespace: team-b
      resource: secrets
      name: regcred
      action: create
      rule: pull-secrets
      set: cluster
      source: default/regcred
      keys:
        added:
        - password
        removed: []
        changed: []
    ");
}
