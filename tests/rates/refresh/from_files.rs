//! `ExchangeRate`s from files, and their sets.

use kube::ResourceExt as _;

use super::{
    answers::{simple, today},
    desk::{Desk, PATH},
};
use crate::sandbox::{Ran, annotation, label};

impl Desk {
    /// Runs the program on manifests given on standard input.
    async fn run_on(&self, arguments: &[&str], manifests: &str) -> Ran {
        let arguments = [arguments, &["-f", "-"]].concat();
        self.program(&arguments).stdin(manifests).run().await
    }

    /// The same, about a set of the test's own.
    async fn on_set(&self, arguments: &[&str], set: &str, manifests: &str) -> Ran {
        let set = self.sandbox.name(set);
        let arguments = [arguments, &["--set", &set]].concat();
        self.run_on(&arguments, manifests).await
    }

    /// Two of them, each with a ConfigMap of its own.
    fn two(&self) -> [String; 2] {
        ["eur", "yen"].map(|name| self.rate(name, "currency: USD"))
    }

    /// Which of the two are published.
    async fn published(&self) -> Vec<&'static str> {
        let mut there = Vec::new();
        for name in ["eur", "yen"] {
            if self.configmap(name).await.is_some() {
                there.push(name);
            }
        }
        there
    }
}

#[tokio::test]
async fn one_without_a_namespace_is_put_where_n_says() {
    let desk = Desk::new("er-placed").await;
    desk.sandbox.namespaces(&["bank"]).await;
    let manifest = desk.manifest("{name: eur}", "currency: USD");
    desk.run_on(&["refresh"], &manifest).await.succeeded();
    let published = desk.configmap("eur").await.expect("it is published");
    assert_eq!(published.data.as_ref().expect("data")["rate"], "1.0812");
    assert_eq!(label(&published, "copyrator.dev/set"), Some("files"));
    let owner = format!("files/{}/eur", desk.namespace());
    assert_eq!(annotation(&published, "copyrator.dev/owner"), Some(&*owner));
    assert!(published.owner_references().is_empty(), "{published:#?}");
    desk.run_on(&["refresh"], &manifest).await.wrote_nothing();
    // One that names its namespace stays there.
    let bank = desk.sandbox.name("bank");
    let metadata = format!("{{name: eur, namespace: {bank}}}");
    let elsewhere = desk.manifest(&metadata, "currency: USD");
    desk.run_on(&["refresh"], &elsewhere).await.succeeded();
    assert!(desk.sandbox.configmap("bank", "eur").await.is_some());
}

#[tokio::test]
async fn a_file_that_is_wrong_is_refused_before_anything_is_asked() {
    let desk = Desk::new("er-refused").await;
    let good = desk.rate("good", "currency: USD");
    let bad = desk.rate("bad", "currency: USD, maxChange: '-1%'");
    let ran = desk
        .run_on(&["refresh"], &format!("{good}---\n{bad}"))
        .await;
    ran.failed_with(1).says("maxChange");
    assert!(desk.configmap("good").await.is_none());
    assert_eq!(desk.provider.targets(), [""; 0]);
}

#[tokio::test]
async fn rates_of_files_are_kept_and_marked_without_a_status() {
    let desk = Desk::new("er-filekept").await;
    let manifest = desk.rate("eur", "currency: USD");
    desk.run_on(&["refresh"], &manifest).await.succeeded();
    let before = desk.data("eur").await;
    let gone = super::provider::Answer::Whole(404, String::new());
    desk.provider.answer(PATH, gone);
    let ran = desk.run_on(&["refresh"], &manifest).await.wrote_nothing();
    ran.says("are kept: ");
    assert_eq!(desk.data("eur").await, before);
    desk.provider.has(PATH, simple(today(), "USD 2"));
    let ran = desk.run_on(&["refresh"], &manifest).await.succeeded();
    ran.says("more than 25%");
    assert_eq!(desk.data("eur").await, before);
}

#[tokio::test]
async fn what_the_cluster_s_own_publishes_is_not_handed_over() {
    let desk = Desk::new("er-clusters").await;
    desk.apply("eur", "currency: USD").await;
    desk.refresh().await.succeeded();
    let before = desk.configmap("eur").await;
    let manifest = desk.rate("eur", "currency: USD");
    let ran = desk.run_on(&["refresh"], &manifest).await.failed_with(1);
    ran.says("1 conflict").says("belongs to exchangerate ");
    assert_eq!(desk.configmap("eur").await, before);
    desk.refresh().await.wrote_nothing();
}

#[tokio::test]
async fn sets_never_touch_each_others_configmaps() {
    let desk = Desk::new("er-sets").await;
    let [one, two] = desk.two();
    desk.on_set(&["refresh"], "a", &one).await.succeeded();
    desk.on_set(&["refresh"], "b", &two).await.succeeded();
    let ran = desk.on_set(&["refresh"], "b", &one).await.failed_with(1);
    ran.says("1 conflict");
    for (set, manifest) in [("a", &one), ("b", &two)] {
        let arguments = ["refresh", "--prune-set"];
        let ran = desk.on_set(&arguments, set, manifest).await;
        ran.wrote_nothing();
    }
    assert_eq!(desk.published().await, ["eur", "yen"]);
}

#[tokio::test]
async fn a_whole_set_loses_the_configmaps_of_those_that_are_gone() {
    let desk = Desk::new("er-whole").await;
    desk.sandbox.namespaces(&["bank"]).await;
    let [one, two] = desk.two();
    let both = format!("{one}---\n{two}");
    desk.on_set(&["refresh"], "whole", &both).await.succeeded();
    desk.on_set(&["refresh"], "whole", &one)
        .await
        .wrote_nothing();
    let whole = ["refresh", "--prune-set"];
    let tried = [&whole[..], &["--dry-run"]].concat();
    let ran = desk.on_set(&tried, "whole", &one).await;
    ran.succeeded().says("1 pruned");
    let ran = desk.on_set(&["diff", "--prune-set"], "whole", &one).await;
    ran.failed_with(1).prints("name: yen");
    assert_eq!(desk.published().await, ["eur", "yen"]);
    let ran = desk.on_set(&whole, "whole", &one).await;
    ran.succeeded().says("1 pruned").says("1 unchanged");
    assert_eq!(desk.published().await, ["eur"]);
    // Wherever it was: the last one moves to another namespace.
    let metadata = format!("{{name: eur, namespace: {}}}", desk.sandbox.name("bank"));
    let moved = desk.manifest(&metadata, "currency: USD");
    let ran = desk.on_set(&whole, "whole", &moved).await;
    ran.succeeded().says("1 created, 1 pruned");
    assert_eq!(desk.published().await, [""; 0]);
}

#[tokio::test]
async fn flags_that_do_not_fit_together_are_refused() {
    let desk = Desk::new("er-flags").await;
    let manifest = desk.rate("eur", "currency: USD");
    for arguments in [
        &["refresh", "--set", "x"][..],
        &["refresh", "--prune-set"],
        &["diff", "--set", "x"],
    ] {
        let code = if arguments[0] == "diff" { 2 } else { 1 };
        let ran = desk.run(arguments).await.failed_with(code);
        ran.says("give them with -f");
    }
    let ran = desk
        .run_on(&["refresh", "--prune-set", "--prune=false"], &manifest)
        .await;
    ran.failed_with(1).says("contradict each other");
    let ran = desk.run_on(&["refresh", "eur"], &manifest).await;
    ran.failed_with(1).says("cannot be used with");
}
