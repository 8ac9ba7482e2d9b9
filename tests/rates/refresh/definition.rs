//! A cluster without the definition of `ExchangeRate`s, or that is about to lose it.

use serde_json::json;

use super::desk::Desk;
use crate::sandbox::Sandbox;

#[tokio::test]
async fn without_the_definition_only_files_can_be_used() {
    let desk = Desk::in_sandbox(Sandbox::blank("er-blank").await).await;
    for (arguments, code) in [
        (&["refresh"][..], 1),
        (&["refresh", "eur"], 1),
        (&["diff"], 2),
    ] {
        let ran = desk.run(arguments).await.failed_with(code);
        ran.says(
            "the cluster has no ExchangeRates: their CustomResourceDefinition is not installed",
        )
        .says("crd install");
    }
    let manifest = desk.rate("eur", "currency: USD");
    let program = desk.program(&["refresh", "-f", "-"]).stdin(&manifest);
    program.run().await.succeeded().says("1 created");
    desk.program(&["prune", "-f", "-"])
        .stdin(&manifest)
        .run()
        .await
        .succeeded()
        .says("1 pruned");
}

#[tokio::test]
async fn those_that_go_with_their_definition_leave_their_configmaps() {
    let sandbox = Sandbox::alone("er-going").await;
    let desk = Desk::in_sandbox(sandbox).await;
    desk.apply("eur", "currency: USD").await;
    desk.apply("held", "currency: USD").await;
    desk.refresh().await.succeeded().says("2 created");
    // Only the cluster's own deletion is to be seen here.
    for name in ["eur", "held"] {
        desk.edit(name, json!({"metadata": {"ownerReferences": null}}))
            .await;
    }
    desk.patch(
        "held",
        json!({"metadata": {"finalizers": ["example.com/hold"]}}),
    )
    .await;
    let uninstall = ["crd", "uninstall", "--yes", "--force", "--wait=false"];
    desk.sandbox.run(&uninstall).await.succeeded();
    // `eur` goes first; its ConfigMap isn't taken for one that nobody wants.
    let (ran, writes) = desk.writes_of(&["refresh"]).await;
    ran.failed_with(1).says("is being deleted");
    assert_eq!(writes, [""; 0]);
    for name in ["eur", "held"] {
        assert!(desk.configmap(name).await.is_some(), "{name}");
    }
    desk.patch("held", json!({"metadata": {"finalizers": null}}))
        .await;
}
