//! `crd install --check`, in each state, and `crd print`.

use serde_json::{Value, json};

use super::command::{LINE, OTHER_LINE};
use crate::sandbox::Sandbox;

const CHECK: &str = "install --check";

#[tokio::test]
async fn a_check_tells_each_state_and_changes_nothing() {
    let sandbox = Sandbox::blank("crd-check").await;
    let advice = "; run: kubectl copyrator crd install";
    sandbox.crd(CHECK).await.fails(&format!(
        "error: {LINE} is missing; {OTHER_LINE} is missing{advice}"
    ));
    sandbox.crd("install").await;
    let version = sandbox.definition_version().await;
    let (ours, other) = (installed(LINE, 2), installed(OTHER_LINE, 2));
    sandbox.crd(CHECK).await.prints(&[&ours, &other]);
    assert_eq!(sandbox.definition_version().await, version);
    sandbox.set_revision(json!("0")).await;
    sandbox.crd(CHECK).await.fails_after(
        &[&other],
        &format!("{LINE} is older: its schema revision is 0, ours 2{advice}"),
    );
    sandbox.set_revision(json!("99")).await;
    sandbox
        .crd(CHECK)
        .await
        .prints(&[&installed(LINE, 99), &other]);
    sandbox.disown().await;
    sandbox
        .crd(CHECK)
        .await
        .fails_after(&[&other], "was not made by kubectl-copyrator");
}

fn installed(definition: &str, revision: u32) -> String {
    format!("{definition} is installed, with schema revision {revision}")
}

/// A definition with the names of ours is never established.
#[tokio::test]
async fn names_that_stay_taken_are_told_of() {
    let sandbox = Sandbox::blank("crd-names").await;
    let thief = thief();
    sandbox.create_definition(&thief).await;
    super::command::eventually("the thief takes the name", async || {
        sandbox.names_accepted("thieves.copyrator.dev").await
    })
    .await;
    let ended = sandbox.crd("install").await;
    let checked = sandbox.crd(CHECK).await;
    sandbox.delete_definition("thieves.copyrator.dev").await;
    super::command::eventually("the name is free again", async || {
        sandbox.names_accepted("copyratorrules.copyrator.dev").await
    })
    .await;
    assert!(!ended.succeeded, "{ended:#?}");
    ended.says("is not served, because its names are taken: ");
    checked.fails_after(&[installed(OTHER_LINE, 2)], "is not established");
}

fn thief() -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "thieves.copyrator.dev"},
        "spec": {
            "group": "copyrator.dev",
            "scope": "Cluster",
            "names": {"kind": "CopyratorRule", "plural": "thieves", "singular": "thief"},
            "versions": [{
                "name": "v1alpha1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object"}},
            }],
        },
    })
}

#[tokio::test]
async fn what_is_printed_is_what_is_installed() {
    let sandbox = Sandbox::blank("crd-print").await;
    let yaml = sandbox.crd("print").await;
    let json = sandbox.crd("print -o json").await;
    let printed: Value = serde_json::from_str(&json.out).expect("JSON is printed");
    assert!(
        yaml.out.ends_with('\n') && json.out.ends_with("}\n"),
        "{yaml:#?}"
    );
    let from_yaml: Vec<Value> = serde_saphyr::from_multiple(&yaml.out).expect("YAML is printed");
    let printed = printed["items"].as_array().expect("JSON has a list");
    assert_eq!(printed.len(), from_yaml.len());
    for (from_json, from_yaml) in printed.iter().zip(&from_yaml) {
        assert_eq!(from_json["metadata"], from_yaml["metadata"]);
        sandbox.create_definition(from_json).await;
    }
    sandbox.crd("install").await.prints(&[
        &format!("{LINE} unchanged"),
        &format!("{OTHER_LINE} unchanged"),
    ]);
}
