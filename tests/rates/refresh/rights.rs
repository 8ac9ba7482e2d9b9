//! Refreshes with the rights to one namespace, or with less than that.

use super::{
    answers::{simple, today},
    clerk::{Clerk, apply, manifests},
    desk::{Desk, PATH},
};
use crate::sandbox::{planted, secret};

/// What refreshes a namespace.
const ENOUGH: [(&str, &str); 3] = [
    ("exchangerates", "list"),
    ("exchangerates/status", "patch"),
    ("configmaps", "list create patch delete"),
];

#[tokio::test]
async fn the_rights_to_a_namespace_are_enough() {
    let desk = Desk::new("er-rights").await;
    let clerk = Clerk::who_may(&desk, &ENOUGH).await;
    desk.apply("eur", "currency: USD").await;
    let ran = clerk.run(&["refresh"]).await.succeeded();
    let ran = ran.says("1 created");
    assert!(!ran.stderr.contains("Warning"), "{ran:#?}");
    assert_eq!(desk.condition("eur", "Ready").await[0], "True");
    desk.provider.has(PATH, simple(today(), "USD 1.09"));
    desk.apply("eur", "currency: USD, configMap: {name: other}")
        .await;
    let ran = clerk.run(&["refresh"]).await.succeeded();
    ran.says("1 created, 1 pruned");
    clerk.run(&["refresh"]).await.wrote_nothing();
    clerk.run(&["diff"]).await.succeeded();
}

#[tokio::test]
async fn without_the_right_to_list_configmaps_they_are_looked_up() {
    let desk = Desk::new("er-unlisted").await;
    let clerk = Clerk::who_may(
        &desk,
        &[
            ("exchangerates", "list"),
            ("exchangerates/status", "patch"),
            ("configmaps", "get create patch"),
        ],
    )
    .await;
    desk.apply("eur", "currency: USD").await;
    let refresh = ["refresh", "--prune=false"];
    let ran = clerk.run(&refresh).await.succeeded();
    ran.says("1 created")
        .says("so they are looked up one by one, and no configmaps are pruned");
    let before = desk.both("eur").await;
    clerk.run(&refresh).await.succeeded().says("1 unchanged");
    assert_eq!(desk.both("eur").await, before);
    // The last good rates are known all the same.
    desk.provider.has(PATH, simple(today(), "USD 2"));
    let ran = clerk.run(&refresh).await.succeeded();
    ran.says("more than 25%").says("1 unchanged");
    let ran = clerk.run(&["refresh"]).await.failed_with(1);
    ran.says("no configmaps are pruned");
}

/// Files have no status that would know the last good rates.
#[tokio::test]
async fn a_file_s_configmap_is_looked_up_without_the_right_to_list_too() {
    let desk = Desk::new("er-unlistedfile").await;
    let clerk = Clerk::who_may(&desk, &[("configmaps", "get create patch")]).await;
    let manifest = desk.rate("eur", "currency: USD, history: 3");
    let arguments = ["refresh", "--prune=false", "-f", "-", "--as", &clerk.name];
    let refresh = async || desk.program(&arguments).stdin(&manifest).run().await;
    refresh().await.succeeded().says("1 created");
    let before = desk.configmap("eur").await;
    desk.provider.has(PATH, simple(today(), "USD 2"));
    let ran = refresh().await.succeeded();
    ran.says("more than 25%").says("1 unchanged");
    assert_eq!(desk.configmap("eur").await, before);
}

#[tokio::test]
async fn what_is_missing_is_told_with_what_grants_it() {
    let desk = Desk::new("er-granted").await;
    let reads = [("exchangerates", "list"), ("configmaps", "list")];
    let clerk = Clerk::who_may(&desk, &reads).await;
    desk.apply("eur", "currency: USD").await;
    let ran = clerk.run(&["refresh"]).await.failed_with(1);
    let ran = ran.says("1 failed").says(&format!(
        "User \"{}\" cannot create resource \"configmaps\"",
        clerk.name
    ));
    assert!(desk.configmap("eur").await.is_none());
    apply(manifests(&ran));
    clerk.eventually_may("create", "configmaps").await;
    assert!(!clerk.may("delete", "configmaps").await);
    let ran = clerk.run(&["refresh"]).await.succeeded();
    ran.says("1 created");
    clerk
        .allow("statuses", &[("exchangerates/status", "patch")])
        .await;
    let ran = clerk.run(&["refresh"]).await.succeeded();
    assert!(!ran.stderr.contains("status"), "{ran:#?}");
    assert_eq!(desk.condition("eur", "Ready").await[0], "True");
}

#[tokio::test]
async fn a_secret_that_may_not_be_read_is_told_and_the_next_provider_is_asked() {
    let desk = Desk::new("er-nosecret").await;
    let clerk = Clerk::who_may(&desk, &ENOUGH).await;
    let key = secret("oxr", &[("app-id", &planted("rights"))]);
    desk.sandbox.create_secret("shop", &key).await;
    let oxr = format!(
        "{{type: OpenExchangeRates, url: '{}', secretKeyRef: {{name: oxr, key: app-id}}}}",
        desk.provider.url("/oxr")
    );
    let spec = format!("currency: USD, providers: [{oxr}, {}]", desk.at(PATH));
    desk.apply("eur", &spec).await;
    let ran = clerk.run(&["refresh"]).await.succeeded();
    ran.says("cannot get resource \"secrets\"")
        .says("; the next provider was asked");
    assert_eq!(desk.provider.targets(), [PATH]);
}

#[tokio::test]
async fn without_the_right_to_list_exchangerates_there_is_nothing_to_do() {
    let desk = Desk::new("er-blind").await;
    let clerk = Clerk::who_may(&desk, &[("configmaps", "list create patch delete")]).await;
    desk.apply("eur", "currency: USD").await;
    desk.refresh().await.succeeded();
    let ran = clerk.run(&["refresh"]).await.failed_with(1);
    ran.says("cannot list resource \"exchangerates\"");
    assert!(desk.configmap("eur").await.is_some());
}
