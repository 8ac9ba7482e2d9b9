//! `ExchangeRate`s that are deleted, and what becomes of their ConfigMaps.

use std::time::Duration;

use kube::ResourceExt as _;
use serde_json::json;

use super::{
    desk::{Desk, PATH},
    provider::Answer,
};
use crate::sandbox::label;

/// A desk that has published `eur`.
async fn published(prefix: &str) -> Desk {
    let desk = Desk::new(prefix).await;
    desk.apply("eur", "currency: USD").await;
    desk.refresh().await.succeeded().says("1 created");
    desk
}

impl Desk {
    /// Waits until the controllers have deleted a ConfigMap.
    async fn eventually_gone(&self, name: &str) {
        let waiting = async {
            while self.configmap(name).await.is_some() {
                tokio::task::yield_now().await;
            }
        };
        let waited = tokio::time::timeout(Duration::from_mins(1), waiting).await;
        waited.expect("the controllers delete it within a minute");
    }

    /// The uids of the owners of `eur`.
    async fn owners(&self) -> Vec<String> {
        let published = self.configmap("eur").await.expect("it is published");
        let owners = published.owner_references().iter();
        owners.map(|owner| owner.uid.clone()).collect()
    }

    async fn uid(&self) -> String {
        let stored = self.stored("eur").await;
        stored["metadata"]["uid"]
            .as_str()
            .expect("a uid")
            .to_owned()
    }
}

#[tokio::test]
async fn the_cluster_deletes_the_configmap_of_one_that_is_deleted() {
    let desk = published("er-collected").await;
    desk.delete("eur").await;
    desk.eventually_gone("eur").await;
}

#[tokio::test]
async fn the_next_refresh_deletes_what_the_cluster_left() {
    let desk = published("er-left").await;
    desk.apply("other", "currency: JPY").await;
    desk.edit("eur", json!({"metadata": {"ownerReferences": null}}))
        .await;
    desk.delete_alone("eur").await;
    let ran = desk.run(&["refresh", "--prune=false"]).await.succeeded();
    ran.says("1 created");
    assert!(desk.configmap("eur").await.is_some());
    desk.run(&["refresh", "other"]).await.wrote_nothing();
    assert!(
        desk.configmap("eur").await.is_some(),
        "only other was meant"
    );
    // Even without a provider.
    desk.provider
        .answer(PATH, Answer::Whole(404, String::new()));
    let ran = desk.refresh().await.succeeded();
    ran.says("1 pruned");
    assert!(desk.configmap("eur").await.is_none());
    assert!(desk.configmap("other").await.is_some());
}

#[tokio::test]
async fn the_last_one_of_a_namespace_is_cleaned_up_after_too() {
    let desk = published("er-last").await;
    desk.edit("eur", json!({"metadata": {"ownerReferences": null}}))
        .await;
    desk.delete_alone("eur").await;
    let ran = desk.refresh().await.succeeded();
    ran.says("1 pruned").says("there are no ExchangeRates here");
    assert!(desk.configmap("eur").await.is_none());
}

#[tokio::test]
async fn one_made_anew_under_its_name_has_a_configmap_that_stays() {
    let desk = published("er-anew").await;
    let former = desk.uid().await;
    // Without its reference the cluster leaves the ConfigMap, as it does while it lags behind.
    desk.edit("eur", json!({"metadata": {"ownerReferences": null}}))
        .await;
    desk.delete_alone("eur").await;
    desk.apply("eur", "currency: USD").await;
    let uid = desk.uid().await;
    assert_ne!(uid, former);
    desk.refresh().await.succeeded().says("1 configured");
    assert_eq!(desk.owners().await, [uid]);
    desk.refresh().await.wrote_nothing();
}

#[tokio::test]
async fn a_reference_to_a_former_one_of_the_name_is_replaced() {
    let desk = published("er-former").await;
    let uid = desk.uid().await;
    // One that blocks nothing: the controllers check references to kinds that they know, and take a
    // while. What they delete meanwhile is made again.
    let mut references =
        serde_json::to_value(desk.configmap("eur").await.unwrap().owner_references()).unwrap();
    references[0]["uid"] = "00000000-0000-4000-8000-000000000000".into();
    desk.edit("eur", json!({"metadata": {"ownerReferences": references}}))
        .await;
    desk.refresh().await.succeeded();
    assert_eq!(desk.owners().await, [uid]);
    let published = desk.configmap("eur").await.expect("it is there");
    assert_eq!(
        label(&published, "copyrator.dev/exchange-rate"),
        Some("eur")
    );
}
