//! `rates create` in a cluster.

use kubectl_copyrator::api::ExchangeRate;

use super::desk::{Desk, PATH};
use crate::sandbox::Sandbox;

#[tokio::test]
async fn what_is_created_can_be_published_at_once() {
    let desk = Desk::new("er-create").await;
    let provider = format!("URL={}", desk.provider.url(PATH));
    let arguments = ["create", "eur", "--quotes=usd", "--provider", &provider];
    let ran = desk.run(&arguments).await.succeeded();
    assert_eq!(ran.stdout, "exchangerate.copyrator.dev/eur created\n");
    assert_eq!(ran.stderr, "");
    let stored = desk.stored("eur").await;
    assert_eq!(stored["spec"]["quotes"], serde_json::json!(["USD"]));
    let manager = &stored["metadata"]["managedFields"][0]["manager"];
    assert_eq!(manager, "kubectl-copyrator");
    desk.refresh().await.succeeded().says("1 created");
    let again = desk.run(&arguments).await.failed_with(1);
    again.says("already exists");
}

#[tokio::test]
async fn a_rehearsal_creates_nothing() {
    let desk = Desk::new("er-rehearse").await;
    let client = ["create", "eur", "--quotes=USD", "--dry-run"];
    let ran = desk.run(&client).await.succeeded();
    let dry = "exchangerate.copyrator.dev/eur created (dry run)\n";
    assert_eq!(ran.stdout, dry);
    let server = [
        "create",
        "eur",
        "--quotes=USD",
        "--dry-run=server",
        "-o",
        "yaml",
    ];
    let ran = desk.run(&server).await.succeeded();
    assert!(ran.stdout.contains("maxChange: 25%"), "{ran:?}");
    assert!(!ran.stdout.contains("managedFields"), "{ran:?}");
    let listed = desk.sandbox.api::<ExchangeRate>("shop");
    let listed = listed
        .list(&kube::api::ListParams::default())
        .await
        .unwrap();
    assert_eq!(listed.items, []);
}

#[tokio::test]
async fn without_the_definition_it_is_said_how_to_get_it() {
    let desk = Desk::in_sandbox(Sandbox::blank("er-create-blank").await).await;
    let ran = desk.run(&["create", "eur", "--quotes=USD"]).await;
    ran.failed_with(1).says("crd install");
}
