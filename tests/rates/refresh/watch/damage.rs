//! ConfigMaps that somebody else changes or deletes while they are watched.

use rustix::process::Signal;
use serde_json::json;

use crate::rates::refresh::{
    clerk::{Clerk, apply},
    desk::{Desk, PATH},
};

#[tokio::test]
async fn what_is_edited_or_deleted_is_mended() {
    let desk = Desk::new("erw-mended").await;
    desk.apply("eur", "currency: USD, configMap: {labels: {team: shop}}")
        .await;
    let running = desk.watch(&[]).await;
    desk.edit("eur", json!({"data": {"rate": "9", "more": "x"}}))
        .await;
    desk.eventually("eur", |found| {
        let data = found.and_then(|found| found.data.as_ref());
        data.is_some_and(|data| data["rate"] == "1.0812" && !data.contains_key("more"))
    })
    .await;
    desk.delete_configmap("eur").await;
    desk.eventually_rate("eur", "1.0812").await;
    desk.edit("eur", json!({"metadata": {"labels": {"team": "till"}}}))
        .await;
    desk.eventually("eur", |found| {
        let labels = found.and_then(|found| found.metadata.labels.as_ref());
        labels.is_some_and(|labels| labels["team"] == "shop")
    })
    .await;
    // The echo of what was written is no reason for a run.
    desk.apply("eur", "currency: JPY").await;
    desk.eventually_rate("eur", "163.2").await;
    assert_eq!(desk.provider.targets(), [PATH; 5]);
    running.stop(Signal::INT).await.failed_with(130);
}

#[tokio::test]
async fn those_of_files_are_mended_too() {
    let desk = Desk::new("erw-files").await;
    let manifest = desk.rate("eur", "currency: USD");
    let program = desk.program(&["refresh", "--watch", "-f", "-"]);
    let running = program.stdin(&manifest).start().await;
    desk.eventually_rate("eur", "1.0812").await;
    desk.delete_configmap("eur").await;
    desk.eventually_rate("eur", "1.0812").await;
    desk.edit("eur", json!({"data": {"rate": "9"}})).await;
    desk.eventually_rate("eur", "1.0812").await;
    running
        .stop(Signal::INT)
        .await
        .says("2 created, 1 configured");
}

#[tokio::test]
async fn the_rights_to_single_configmaps_are_enough() {
    let desk = Desk::new("erw-names").await;
    let watching = [
        ("exchangerates", "list watch"),
        ("exchangerates/status", "patch"),
    ];
    let clerk = Clerk::who_may(&desk, &watching).await;
    let (namespace, user) = (desk.namespace(), &clerk.name);
    apply(&format!(
        "apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {{name: maps, namespace: {namespace}}}
rules:
- {{apiGroups: [''], resources: [configmaps], verbs: [create]}}
- {{apiGroups: [''], resources: [configmaps], resourceNames: [eur], verbs: [get, list, watch, patch, update, delete]}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {{name: maps, namespace: {namespace}}}
roleRef: {{apiGroup: rbac.authorization.k8s.io, kind: Role, name: maps}}
subjects: [{{apiGroup: rbac.authorization.k8s.io, kind: User, name: '{user}'}}]
"
    ));
    clerk.eventually_may("create", "configmaps").await;
    desk.apply("eur", "currency: USD").await;
    let running = desk.watch(&["--as", user]).await;
    desk.eventually_rate("eur", "1.0812").await;
    running
        .says("so they are listed by the names that ExchangeRates give them")
        .await;
    desk.edit("eur", json!({"data": {"rate": "9"}})).await;
    desk.eventually_rate("eur", "1.0812").await;
    desk.delete_configmap("eur").await;
    desk.eventually_rate("eur", "1.0812").await;
    running
        .stop(Signal::INT)
        .await
        .says("2 created, 1 configured");
}
