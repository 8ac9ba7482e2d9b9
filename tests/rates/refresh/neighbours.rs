//! Rules and `ExchangeRate`s in one cluster: neither takes, changes or removes what the other made.

use kube::{ResourceExt as _, api::PostParams};
use serde_json::json;

use super::{
    answers::{simple, today},
    desk::{Desk, PATH},
};
use crate::sandbox::{Ran, configmap, label};

/// A desk with a namespace `source`, in which there is a ConfigMap of this name.
async fn with_source(prefix: &str, name: &str) -> Desk {
    let desk = Desk::new(prefix).await;
    desk.sandbox.namespaces(&["source"]).await;
    let original = configmap(name, &[("k", "v")]);
    desk.sandbox.create_configmap("source", &original).await;
    desk
}

impl Desk {
    /// A rule that copies ConfigMaps of this name from one namespace to another.
    fn copying(&self, name: &str, from: &str, to: &str) -> String {
        format!(
            "apiVersion: copyrator.dev/v1alpha1\nkind: CopyratorRule\nmetadata: {{name: {}}}\n\
             spec:\n  resource: ConfigMap\n  source: {{namespaces: [{}], names: [{name}]}}\n  \
             target: {{namespaces: [{}]}}\n",
            self.sandbox.name("rule"),
            self.sandbox.name(from),
            self.sandbox.name(to)
        )
    }

    /// Runs the program on manifests of the set of this name.
    async fn on_common_set(&self, arguments: &[&str], manifests: &str) -> Ran {
        let set = self.sandbox.name("set");
        let arguments = [arguments, &["-f", "-", "--set", &set]].concat();
        let program = match arguments[0] {
            "sync" | "prune" => self.sandbox.program(&arguments),
            _ => self.program(&arguments),
        };
        program.stdin(manifests).run().await
    }
}

#[tokio::test]
async fn a_rule_never_takes_what_rates_are_published_in() {
    let desk = with_source("er-ruled", "eur").await;
    let rate = desk.rate("eur", "currency: USD");
    desk.on_common_set(&["refresh"], &rate).await.succeeded();
    let before = desk.configmap("eur").await;
    let rule = desk.copying("eur", "source", "shop");
    for arguments in [&["sync"][..], &["sync", "--prune-set"]] {
        let ran = desk.on_common_set(arguments, &rule).await.failed_with(1);
        ran.says("1 conflict");
        assert_eq!(desk.configmap("eur").await, before, "{arguments:?}");
    }
    desk.on_common_set(&["refresh"], &rate)
        .await
        .wrote_nothing();
}

#[tokio::test]
async fn rates_are_never_published_over_a_copy() {
    let desk = with_source("er-copied", "eur").await;
    let rule = desk.copying("eur", "source", "shop");
    desk.on_common_set(&["sync"], &rule).await.succeeded();
    let before = desk.configmap("eur").await;
    let rate = desk.rate("eur", "currency: USD");
    for arguments in [&["refresh"][..], &["refresh", "--prune-set"]] {
        let ran = desk.on_common_set(arguments, &rate).await.failed_with(1);
        ran.says("1 conflict");
        assert_eq!(desk.configmap("eur").await, before, "{arguments:?}");
    }
}

#[tokio::test]
async fn each_prunes_only_its_own() {
    let desk = with_source("er-apart", "copy").await;
    let rule = desk.copying("copy", "source", "shop");
    let rate = desk.rate("eur", "currency: USD");
    desk.on_common_set(&["sync"], &rule).await.succeeded();
    desk.on_common_set(&["refresh"], &rate).await.succeeded();
    desk.on_common_set(&["sync", "--prune-set"], &rule)
        .await
        .wrote_nothing();
    desk.on_common_set(&["refresh", "--prune-set"], &rate)
        .await
        .wrote_nothing();
    let set = desk.sandbox.name("set");
    let ran = desk.run(&["prune", "--all", "--set", &set]).await;
    ran.succeeded().says("1 pruned");
    assert!(desk.configmap("eur").await.is_none());
    assert!(desk.configmap("copy").await.is_some());
    desk.on_common_set(&["refresh"], &rate).await.succeeded();
    let prune = ["prune", "--all", "--set", &set];
    let ran = desk.sandbox.run(&prune).await.succeeded();
    ran.says("1 pruned");
    assert!(desk.configmap("eur").await.is_some());
    assert!(desk.configmap("copy").await.is_none());
}

#[tokio::test]
async fn what_is_published_can_be_copied_elsewhere() {
    let desk = Desk::new("er-spread").await;
    desk.sandbox.namespaces(&["team-a"]).await;
    desk.apply("eur", "currency: USD").await;
    desk.refresh().await.succeeded();
    let rule = desk.copying("eur", "shop", "team-a");
    desk.sandbox.sync(&rule).await.succeeded().says("1 created");
    desk.provider.has(PATH, simple(today(), "USD 1.09"));
    desk.refresh().await.succeeded();
    let ran = desk.sandbox.sync(&rule).await.succeeded();
    ran.says("1 configured");
    let copy = desk
        .sandbox
        .configmap("team-a", "eur")
        .await
        .expect("a copy");
    assert_eq!(copy.data.as_ref(), Some(&desk.data("eur").await));
    assert_eq!(label(&copy, "copyrator.dev/exchange-rate"), None);
    desk.refresh().await.wrote_nothing();
    desk.sandbox.sync(&rule).await.wrote_nothing();
}

#[tokio::test]
async fn somebody_s_clone_is_neither_pruned_nor_taken() {
    let desk = Desk::new("er-clone").await;
    desk.apply("eur", "currency: USD").await;
    desk.refresh().await.succeeded();
    let published = desk.configmap("eur").await.expect("it is published");
    let mut clone = configmap("clone", &[("rate", "mine")]);
    clone.metadata.labels = Some(published.labels().clone());
    clone.metadata.annotations = Some(published.annotations().clone());
    let configmaps: kube::Api<_> = desk.sandbox.api("shop");
    let made = configmaps.create(&PostParams::default(), &clone).await;
    made.expect("the clone is made");
    let before = desk.configmap("clone").await;
    desk.refresh().await.wrote_nothing();
    desk.apply("other", "currency: USD, configMap: {name: clone}")
        .await;
    desk.refresh().await.failed_with(1).says("1 conflict");
    let none = json!({"spec": {"configMap": null}});
    desk.patch("other", none).await;
    desk.delete_alone("eur").await;
    desk.refresh().await.succeeded().says("1 pruned");
    assert_eq!(desk.configmap("clone").await, before);
}
