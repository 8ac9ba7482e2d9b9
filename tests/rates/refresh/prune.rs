//! `rates prune`: ConfigMaps removed on purpose, and no others.

use super::desk::Desk;
use crate::sandbox::configmap;

/// Three `ExchangeRate`s that are published, beside ConfigMaps of others.
async fn published(prefix: &str) -> Desk {
    let desk = Desk::new(prefix).await;
    desk.sandbox.namespaces(&["bank"]).await;
    for name in ["eur", "usd", "yen"] {
        desk.apply(name, "currency: CHF").await;
    }
    desk.provider.has(
        super::desk::PATH,
        super::answers::simple(super::answers::today(), "CHF 0.93"),
    );
    desk.refresh().await.succeeded().says("3 created");
    let theirs = configmap("theirs", &[("rate", "1")]);
    desk.sandbox.create_configmap("shop", &theirs).await;
    let metadata = format!("{{name: eur, namespace: {}}}", desk.sandbox.name("bank"));
    let bank = desk.manifest(&metadata, "currency: CHF");
    let program = desk.program(&["refresh", "-f", "-", "--set", &desk.sandbox.name("set")]);
    program.stdin(&bank).run().await.succeeded();
    desk
}

impl Desk {
    /// The ConfigMaps of the namespace but for that of the cluster's own authority.
    async fn left(&self) -> Vec<String> {
        let configmaps: kube::Api<k8s_openapi::api::core::v1::ConfigMap> = self.sandbox.api("shop");
        let all = configmaps.list(&kube::api::ListParams::default()).await;
        let names = all.expect("a list").items.into_iter();
        let names = names.filter_map(|one| one.metadata.name);
        names.filter(|name| name != "kube-root-ca.crt").collect()
    }
}

#[tokio::test]
async fn those_that_are_named_are_removed() {
    let desk = published("er-prunenames").await;
    let (ran, writes) = desk.writes_of(&["prune", "eur", "--dry-run"]).await;
    ran.succeeded().says("1 pruned").says("(dry run)");
    assert_eq!(writes, [""; 0]);
    let ran = desk.run(&["prune", "eur", "usd"]).await.succeeded();
    ran.says("2 pruned");
    assert_eq!(desk.left().await, ["theirs", "yen"]);
    assert!(desk.sandbox.configmap("bank", "eur").await.is_some());
    let ran = desk.run(&["prune", "eur"]).await.succeeded();
    ran.says("no ConfigMap of it was found in set cluster");
    desk.refresh().await.succeeded().says("2 created");
}

#[tokio::test]
async fn those_of_files_are_removed_whether_they_are_there_or_not() {
    let desk = published("er-prunefiles").await;
    let set = desk.sandbox.name("set");
    let metadata = format!("{{name: eur, namespace: {}}}", desk.sandbox.name("bank"));
    let bank = desk.manifest(&metadata, "currency: CHF");
    let prune = ["prune", "-f", "-", "--set", &set];
    let ran = desk.program(&prune).stdin(&bank).run().await.succeeded();
    ran.says("1 pruned");
    assert!(desk.sandbox.configmap("bank", "eur").await.is_none());
    assert_eq!(desk.left().await, ["eur", "theirs", "usd", "yen"]);
    let ran = desk.program(&prune).stdin(&bank).run().await.succeeded();
    ran.says(&format!("was found in set {set}"));
}

#[tokio::test]
async fn all_of_a_namespace_are_removed_and_no_others() {
    let desk = published("er-pruneall").await;
    desk.delete_alone("yen").await;
    let ran = desk.run(&["prune", "--all"]).await.succeeded();
    ran.says("3 pruned");
    assert_eq!(desk.left().await, ["theirs"]);
    assert!(desk.sandbox.configmap("bank", "eur").await.is_some());
}

#[tokio::test]
async fn it_must_be_said_what_is_meant() {
    let desk = Desk::new("er-prunewhat").await;
    let ran = desk.run(&["prune"]).await.failed_with(1);
    ran.says("name ExchangeRates, give files with -f, or say --all");
    let ran = desk.run(&["prune", "eur", "--all"]).await.failed_with(1);
    ran.says("--all is about all ExchangeRates");
}
