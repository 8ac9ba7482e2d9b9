//! ConfigMaps that somebody else has, edits or deletes.

use std::sync::atomic::{AtomicBool, Ordering};

use http::{Method, Uri};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::{
    Api, ResourceExt as _,
    api::{DeleteParams, Patch, PatchParams},
};
use serde_json::json;

use super::{
    answers::{ecb, simple, today},
    desk::{Desk, PATH, RATES},
    provider::Answer,
};
use crate::sandbox::{Fault, Ran, annotation, configmap, label};

/// A desk that has published `eur`.
async fn published(prefix: &str) -> Desk {
    let desk = Desk::new(prefix).await;
    desk.apply("eur", "quotes: [USD, JPY]").await;
    desk.refresh().await.succeeded().says("1 created");
    desk
}

#[tokio::test]
async fn a_configmap_of_somebody_else_is_left_alone() {
    let desk = Desk::new("er-foreign").await;
    let theirs = configmap("eur", &[("rate", "theirs")]);
    desk.sandbox.create_configmap("shop", &theirs).await;
    let before = desk.configmap("eur").await;
    desk.apply("eur", "currency: USD").await;
    let ran = desk.refresh().await.failed_with(1);
    ran.says("1 conflict");
    assert_eq!(desk.configmap("eur").await, before);
    let ready = desk.condition("eur", "Ready").await;
    let text = "the ConfigMap's place is taken by an object that isn't its own";
    assert_eq!(ready, ["False", "NotOurs", text]);
    let status = desk.status("eur").await;
    assert!(status["rates"].is_null(), "nothing is published: {status}");
    let (ran, writes) = desk.writes_of(&["refresh"]).await;
    ran.failed_with(1);
    let is_status = |request: &String| request.contains("/status");
    assert!(!writes.iter().any(is_status), "it is told already");
    desk.delete_configmap("eur").await;
    desk.refresh().await.succeeded().says("1 created");
    assert_eq!(desk.condition("eur", "Ready").await[0], "True");
}

#[tokio::test]
async fn what_somebody_edited_is_put_right() {
    let desk = published("er-drift").await;
    let before = desk.data("eur").await;
    for change in [
        json!({"data": {"USD": "9"}}),
        json!({"data": {"USD": null}}),
        json!({"data": {"extra": "x"}}),
        json!({"data": {"rates.json": "{}", "rates.csv": "x", "rates.env": null}}),
    ] {
        desk.edit("eur", change.clone()).await;
        desk.refresh().await.succeeded().says("1 configured");
        assert_eq!(desk.data("eur").await, before, "{change}");
        desk.refresh().await.wrote_nothing();
    }
    let marks =
        json!({"metadata": {"ownerReferences": null, "labels": {"copyrator.dev/set": "x"}}});
    desk.edit("eur", marks).await;
    desk.refresh().await.succeeded().says("1 configured");
    let published = desk.configmap("eur").await.expect("it is there");
    assert_eq!(label(&published, "copyrator.dev/set"), Some("cluster"));
    assert_eq!(published.owner_references().len(), 1);
}

#[tokio::test]
async fn what_others_add_to_its_metadata_stays() {
    let desk = published("er-added").await;
    let added = json!({"metadata": {"labels": {"theirs": "x"}, "annotations": {"theirs": "y"}}});
    desk.edit("eur", added).await;
    desk.refresh().await.wrote_nothing();
    desk.provider
        .has(PATH, simple(today(), "USD 1.1 JPY 163.2"));
    desk.refresh().await.succeeded().says("1 configured");
    let published = desk.configmap("eur").await.expect("it is there");
    assert_eq!(label(&published, "theirs"), Some("x"));
    assert_eq!(annotation(&published, "theirs"), Some("y"));
}

#[tokio::test]
async fn a_deleted_configmap_is_made_again_even_without_a_provider() {
    let desk = published("er-deleted").await;
    let before = desk.data("eur").await;
    desk.delete_configmap("eur").await;
    desk.provider
        .answer(PATH, Answer::Whole(404, String::new()));
    let ran = desk.refresh().await.succeeded();
    ran.says("1 created").says("are kept: ");
    assert_eq!(desk.data("eur").await, before, "the status knew the rates");
}

#[tokio::test]
async fn an_edited_configmap_is_put_right_even_without_a_provider() {
    let desk = published("er-healed").await;
    let before = desk.data("eur").await;
    let edited = json!({"data": {"USD": "9", "rates.json": "{}"}});
    desk.edit("eur", edited).await;
    desk.provider
        .answer(PATH, Answer::Whole(404, String::new()));
    desk.refresh().await.succeeded().says("1 configured");
    assert_eq!(desk.data("eur").await, before);
}

#[tokio::test]
async fn a_newer_status_outlives_an_older_configmap() {
    let desk = Desk::new("er-newer").await;
    desk.provider
        .has("/ecb.xml", ecb(&[(super::answers::days_ago(1), RATES)]));
    let url = desk.provider.url("/ecb.xml");
    let spec = format!("quotes: [USD, JPY], providers: [{{type: ECB, url: '{url}'}}]");
    desk.apply("eur", &spec).await;
    desk.refresh().await.succeeded();
    let old = desk.configmap("eur").await.expect("it is there");
    desk.provider
        .has("/ecb.xml", ecb(&[(today(), "USD 1.09 JPY 164")]));
    desk.refresh().await.succeeded();
    // Somebody restores yesterday's backup.
    let backup = json!({"data": old.data, "metadata": {"annotations": old.metadata.annotations}});
    desk.edit("eur", backup).await;
    desk.provider
        .answer("/ecb.xml", Answer::Whole(404, String::new()));
    desk.refresh().await.succeeded().says("1 configured");
    let data = desk.data("eur").await;
    assert_eq!(
        [&*data["USD"], &*data["date"]],
        ["1.09", &*today().to_string()]
    );
}

impl Desk {
    /// Refreshes, and lets this happen to `eur` between its being read and its being written.
    async fn refresh_while<F>(
        &self,
        happens: impl Fn(Api<ConfigMap>) -> F + Send + Sync + 'static,
    ) -> Ran
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let configmaps: Api<ConfigMap> = self.sandbox.api("shop");
        let has_happened = AtomicBool::new(false);
        let decide = move |method: &Method, uri: &Uri| {
            let is_write = method == Method::PATCH && uri.path().ends_with("/configmaps/eur");
            if is_write && !has_happened.swap(true, Ordering::SeqCst) {
                Fault::after(happens(configmaps.clone()))
            } else {
                Fault::None
            }
        };
        let proxy = self.sandbox.proxy(decide).await;
        let arguments = self.arguments(&["refresh"]);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        proxy.program(&arguments).run().await
    }
}

#[tokio::test]
async fn a_configmap_that_somebody_takes_under_the_run_is_left_alone() {
    let desk = published("er-race").await;
    desk.provider
        .has(PATH, simple(today(), "USD 1.1 JPY 163.2"));
    let taken = async |configmaps: Api<ConfigMap>| {
        let labels =
            json!({"copyrator.dev/exchange-rate": null, "app.kubernetes.io/managed-by": "helm"});
        let annotations = json!({"copyrator.dev/owner": null, "copyrator.dev/target": null});
        let metadata = json!({"labels": labels, "annotations": annotations});
        let theirs = Patch::Merge(json!({"metadata": metadata, "data": {"USD": "theirs"}}));
        let parameters = PatchParams::default();
        let taken = configmaps.patch("eur", &parameters, &theirs).await;
        taken.expect("it is changed");
    };
    let ran = desk.refresh_while(taken).await;
    ran.failed_with(1).says("1 conflict");
    assert_eq!(desk.data("eur").await["USD"], "theirs");
    assert_eq!(desk.condition("eur", "Ready").await[1], "NotOurs");
}

#[tokio::test]
async fn a_configmap_that_goes_under_the_run_is_made_again() {
    let desk = published("er-gone").await;
    desk.provider
        .has(PATH, simple(today(), "USD 1.1 JPY 163.2"));
    let gone = async |configmaps: Api<ConfigMap>| {
        let deleted = configmaps.delete("eur", &DeleteParams::default()).await;
        deleted.expect("it is deleted");
    };
    let ran = desk.refresh_while(gone).await;
    ran.succeeded().says("1 created");
    assert_eq!(desk.data("eur").await["USD"], "1.1");
    assert_eq!(desk.condition("eur", "Ready").await[0], "True");
}
