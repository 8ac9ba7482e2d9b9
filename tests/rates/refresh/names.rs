//! `ExchangeRate`s that change the name of their ConfigMap, or want one that another has.

use std::time::Duration;

use kube::ResourceExt as _;

use super::{
    desk::{Desk, PATH},
    provider::Answer,
};
use crate::sandbox::annotation;

/// A desk whose `eur` has published `one` with some history, and now names `two`.
async fn renamed(prefix: &str) -> Desk {
    let desk = Desk::new(prefix).await;
    desk.apply(
        "eur",
        "quotes: [USD, JPY], history: 9, configMap: {name: one}",
    )
    .await;
    desk.refresh().await.succeeded().says("1 created");
    desk.apply(
        "eur",
        "quotes: [USD, JPY], history: 9, configMap: {name: two}",
    )
    .await;
    desk
}

#[tokio::test]
async fn the_configmap_of_the_former_name_goes() {
    let desk = renamed("er-renamed").await;
    let before = desk.data("one").await;
    desk.refresh().await.succeeded().says("1 created, 1 pruned");
    assert!(desk.configmap("one").await.is_none());
    assert_eq!(desk.data("two").await, before);
    desk.refresh().await.wrote_nothing();
}

#[tokio::test]
async fn its_rates_and_history_move_even_without_a_provider() {
    let desk = renamed("er-moving").await;
    let before = desk.data("one").await;
    desk.provider
        .answer(PATH, Answer::Whole(404, String::new()));
    desk.refresh().await.succeeded().says("1 created, 1 pruned");
    assert_eq!(desk.data("two").await, before);
}

#[tokio::test]
async fn without_pruning_it_stays() {
    let desk = renamed("er-noprune").await;
    let ran = desk.run(&["refresh", "--prune=false"]).await.succeeded();
    ran.says("1 created");
    assert!(desk.configmap("one").await.is_some());
    desk.refresh().await.succeeded().says("1 pruned");
    assert!(desk.configmap("one").await.is_none());
}

#[tokio::test]
async fn of_two_that_want_one_the_oldest_has_it() {
    let desk = Desk::new("er-contested").await;
    desk.apply("zeta", "currency: USD, configMap: {name: shared}")
        .await;
    // Kubernetes tells the age in whole seconds.
    tokio::time::sleep(Duration::from_millis(1100)).await;
    desk.apply("alpha", "currency: JPY, configMap: {name: shared}")
        .await;
    let ran = desk.refresh().await.failed_with(1);
    ran.says("1 created, 1 conflict").says("zeta");
    assert_eq!(desk.data("shared").await["rate"], "1.0812");
    assert_eq!(desk.condition("zeta", "Ready").await[0], "True");
    let ready = desk.condition("alpha", "Ready").await;
    assert_eq!(ready[..2], ["False", "Contested"]);
    let (ran, writes) = desk.writes_of(&["refresh"]).await;
    ran.failed_with(1);
    assert_eq!(writes, [""; 0], "it is told already");
    // Alone it would still take what belongs to another.
    desk.run(&["refresh", "alpha"]).await.failed_with(1);
    assert_eq!(desk.data("shared").await["rate"], "1.0812");
    desk.delete_alone("zeta").await;
    desk.refresh().await.succeeded().says("1 configured");
    assert_eq!(desk.data("shared").await["rate"], "163.2");
    let shared = desk.configmap("shared").await.expect("it is there");
    let owner = format!("cluster/{}/alpha", desk.namespace());
    assert_eq!(annotation(&shared, "copyrator.dev/owner"), Some(&*owner));
    let references = shared.owner_references();
    let uids: Vec<&str> = references.iter().map(|owner| owner.uid.as_str()).collect();
    assert_eq!(
        uids,
        [desk.stored("alpha").await["metadata"]["uid"]
            .as_str()
            .unwrap()]
    );
    assert_eq!(desk.condition("alpha", "Ready").await[0], "True");
}
