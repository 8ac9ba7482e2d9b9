//! Namespaces that come, change and go while copies are watched.

use k8s_openapi::api::core::v1::Namespace;
use kube::{Api, api::DeleteParams};
use serde_json::json;

use super::watched::ends;
use crate::sandbox::{Sandbox, eventually};

impl Sandbox {
    /// Deletes a namespace, and waits until it is gone.
    pub async fn end_namespace(&self, name: &str) {
        let namespaces = Api::<Namespace>::all(self.client.clone());
        let name = self.name(name);
        let deleted = namespaces.delete(&name, &DeleteParams::default()).await;
        deleted.expect("the namespace is deleted");
        let selection = kube::api::ListParams::default().fields(&format!("metadata.name={name}"));
        eventually(&namespaces, selection, |found| found.is_empty()).await;
    }

    /// A rule whose target is selected by these labels among the test's teams.
    pub fn rule_by(&self, selector: &str) -> String {
        self.rule_with(
            "Secret",
            "names: [regcred]",
            &format!("selector: {selector}"),
        )
    }
}

#[tokio::test]
async fn a_new_namespace_has_its_copy_soon() {
    let sandbox = Sandbox::with_source("watch-new", &["team-a"]).await;
    let rule = sandbox.rule();
    let running = sandbox.watch(&rule).await;
    sandbox.eventually_password("team-a", Some("x")).await;
    sandbox.namespaces(&["team-b", "other"]).await;
    sandbox.eventually_password("team-b", Some("x")).await;
    let line = format!("regcred created in namespace {}", sandbox.name("team-b"));
    running.prints(&line).await;
    ends(running).await;
    assert_eq!(sandbox.password("other").await, None);
    sandbox.is_in_step(&rule).await;
}

#[tokio::test]
async fn a_namespace_is_relabelled_into_the_selection_and_out_of_it() {
    let sandbox = Sandbox::with_source("watch-labels", &[]).await;
    sandbox.namespace("team-a", &[("tier", "web")]).await;
    sandbox.namespace("team-b", &[("tier", "db")]).await;
    let rule = sandbox.rule_by("{matchLabels: {tier: web}}");
    let running = sandbox.watch(&rule).await;
    sandbox.eventually_password("team-a", Some("x")).await;
    sandbox
        .relabel_namespace("team-b", json!({"tier": "web"}))
        .await;
    sandbox.eventually_password("team-b", Some("x")).await;
    sandbox
        .relabel_namespace("team-a", json!({"tier": null}))
        .await;
    sandbox.eventually_password("team-a", None).await;
    sandbox
        .relabel_namespace("team-a", json!({"tier": "web", "other": "label"}))
        .await;
    sandbox
        .relabel_namespace("team-b", json!({"tier": "db"}))
        .await;
    let ended = [("team-a", Some("x")), ("team-b", None)];
    sandbox.eventually_passwords(&ended).await;
    ends(running).await;
    sandbox.is_in_step(&rule).await;
}

#[tokio::test]
async fn a_namespace_that_is_deleted_and_comes_back_has_its_copy_again() {
    let sandbox = Sandbox::with_source("watch-again", &["team-a", "team-b"]).await;
    let rule = sandbox.rule();
    let running = sandbox.watch(&rule).await;
    sandbox.eventually_password("team-a", Some("x")).await;
    let uid = sandbox.regcred("team-a").await.metadata.uid;
    sandbox.end_namespace("team-a").await;
    sandbox.namespaces(&["team-a"]).await;
    sandbox.eventually_password("team-a", Some("x")).await;
    assert_ne!(sandbox.regcred("team-a").await.metadata.uid, uid);
    sandbox.eventually_password("team-b", Some("x")).await;
    ends(running).await;
    sandbox.is_in_step(&rule).await;
}

#[tokio::test]
async fn a_source_namespace_that_goes_takes_no_copies_with_it_and_goes_on_when_it_is_back() {
    let sandbox = Sandbox::with_source("watch-source-ns", &["team-a"]).await;
    let rule = sandbox.rule();
    let running = sandbox.watch(&rule).await;
    sandbox.eventually_password("team-a", Some("x")).await;
    sandbox.end_namespace("source").await;
    running.says("nothing is pruned for this rule").await;
    let told = running.stdout();
    assert!(!told.contains("pruned"), "{told}");
    assert_eq!(sandbox.password("team-a").await.as_deref(), Some("x"));
    // Once the namespace is back, an original that isn't there has been deleted.
    sandbox.namespaces(&["source"]).await;
    sandbox.create_regcred("y").await;
    sandbox.eventually_password("team-a", Some("y")).await;
    ends(running).await;
    sandbox.is_in_step(&rule).await;
}
