//! `ExchangeRate`s that rest, and those that can't be understood.

use serde_json::json;

use super::{
    answers::{simple, today},
    desk::{Desk, PATH},
};

/// A desk that has published `eur`, and has other rates since.
async fn published(prefix: &str) -> Desk {
    let desk = Desk::new(prefix).await;
    desk.apply("eur", "currency: USD").await;
    desk.refresh().await.succeeded().says("1 created");
    desk.provider.has(PATH, simple(today(), "USD 1.1"));
    desk.provider.requests();
    desk
}

#[tokio::test]
async fn one_that_rests_keeps_its_configmap_as_it_is() {
    let desk = published("er-rests").await;
    desk.edit("eur", json!({"data": {"extra": "x"}})).await;
    let before = desk.configmap("eur").await;
    desk.apply(
        "eur",
        "currency: USD, suspend: true, configMap: {name: other}",
    )
    .await;
    let ran = desk.refresh().await.succeeded();
    ran.says("spec.suspend: it rests, so its ConfigMap stays as it is");
    assert_eq!(desk.configmap("eur").await, before);
    assert!(desk.configmap("other").await.is_none());
    assert_eq!(desk.provider.targets(), [""; 0], "nobody is asked");
    let ready = desk.condition("eur", "Ready").await;
    assert_eq!(ready[..2], ["False", "Suspended"]);
    let fresh = desk.condition("eur", "Fresh").await;
    assert_eq!(fresh[..2], ["True", "UpToDate"], "as it was");
    let status = desk.status("eur").await;
    assert_eq!(status["rates"][0]["rate"], "1.0812", "{status}");
    let (ran, writes) = desk.writes_of(&["refresh"]).await;
    ran.succeeded();
    assert_eq!(writes, [""; 0], "it is told already");
    desk.apply("eur", "currency: USD").await;
    desk.refresh().await.succeeded().says("1 configured");
    assert_eq!(desk.data("eur").await["rate"], "1.1");
}

#[tokio::test]
async fn one_that_is_not_understood_keeps_its_configmap_and_does_not_trouble_others() {
    let desk = published("er-invalid").await;
    let before = desk.configmap("eur").await;
    desk.apply(
        "eur",
        "currency: USD, schedule: '0 17 * * * Europe/Atlantis'",
    )
    .await;
    desk.apply("other", "currency: USD").await;
    let ran = desk.refresh().await.failed_with(1);
    ran.says("eur: spec.schedule: ")
        .says("Europe/Atlantis")
        .says("1 created");
    assert_eq!(desk.configmap("eur").await, before);
    let ready = desk.condition("eur", "Ready").await;
    assert_eq!(ready[..2], ["False", "Invalid"]);
    assert!(ready[2].contains("Europe/Atlantis"), "{ready:?}");
    assert_eq!(desk.data("other").await["rate"], "1.1");
    let (ran, writes) = desk.writes_of(&["refresh"]).await;
    ran.failed_with(1);
    assert_eq!(writes, [""; 0], "it is told already");
}
