//! Objects at the limits of what the API takes: made, changed and deleted, and not lost by a fault.

use std::collections::BTreeMap;

use futures::future::join_all;
use http::Method;
use k8s_openapi::{
    ByteString,
    api::core::v1::{ConfigMap, Secret},
};
use kube::api::PostParams;

use super::mixed::{WRITES, count, first_writes};
use crate::sandbox::{Fault, Sandbox, configmap, planted, secret};

/// The most that all values of a Secret or ConfigMap may have together.
const MEBIBYTE: usize = 1 << 20;

/// A sync through a proxy that cuts the connection after the first write of each kind took effect.
async fn sync(sandbox: &Sandbox, rule: &str, says: &str) {
    let proxy = sandbox.proxy(first_writes(|| Fault::CutAfterwards)).await;
    let arguments = ["sync", "-v9", "-f", "-"];
    let ran = proxy.program(&arguments).stdin(rule).run().await;
    ran.succeeded().says(says);
    let requests = proxy.requests();
    let writes = WRITES
        .iter()
        .map(|method: &Method| count(&requests, method));
    assert_eq!(
        writes.sum::<usize>(),
        3,
        "two writes, one repeated: {requests:#?}"
    );
    sandbox.sync(rule).await.wrote_nothing();
}

/// Makes, changes and deletes the copies of a Secret in two namespaces.
async fn lives(prefix: &str, first: Secret, second: Secret) {
    let sandbox = Sandbox::new(prefix).await;
    sandbox.namespaces(&["source", "team-a", "team-b"]).await;
    let name = first.metadata.name.clone().expect("it has a name");
    let rule = sandbox.rule_with("Secret", &format!("names: [{name}]"), "");
    sandbox.create_secret("source", &first).await;
    sync(&sandbox, &rule, "2 created in ").await;
    are_like(&sandbox, &name, &first).await;
    let originals = sandbox.api::<Secret>("source");
    let parameters = PostParams::default();
    let replaced = originals.replace(&name, &parameters, &second).await;
    replaced.expect("the original is changed");
    sync(&sandbox, &rule, "2 configured in ").await;
    are_like(&sandbox, &name, &second).await;
    let elsewhere = rule.replace("team-*", "nobody-*");
    sync(&sandbox, &elsewhere, "2 pruned in ").await;
    assert_eq!(sandbox.version("team-a", &name).await, None);
}

async fn are_like(sandbox: &Sandbox, name: &str, original: &Secret) {
    for team in ["team-a", "team-b"] {
        let copy = sandbox.secret(team, name).await.expect("a copy");
        assert!(copy.data == original.data, "{team} has other values");
    }
}

#[tokio::test]
async fn a_mebibyte_is_copied() {
    let big = |version: &str| {
        let mut value = planted(version).repeat(MEBIBYTE / planted(version).len());
        value.push_str(&"x".repeat(MEBIBYTE - value.len()));
        secret("big", &[("value", &value)])
    };
    lives("extreme-size", big("v1"), big("v2")).await;
}

#[tokio::test]
async fn five_hundred_keys_are_copied() {
    let many = |version: &str, count: usize| {
        let entry = |number| {
            (
                format!("key-{number}"),
                planted(format!("{version}-{number}")),
            )
        };
        let entries: Vec<(String, String)> = (0..count).map(entry).collect();
        let entries: Vec<(&str, &str)> = entries
            .iter()
            .map(|(key, value)| (&**key, &**value))
            .collect();
        secret("many", &entries)
    };
    // Some keys go, some stay, and all values change.
    lives("extreme-keys", many("v1", 500), many("v2", 480)).await;
}

#[tokio::test]
async fn names_at_their_limits_are_copied() {
    let name = format!("{}.n", "n".repeat(251));
    let key = "k".repeat(253);
    let long = |version: &str| secret(&name, &[(&key, &planted(version))]);
    lives("extreme-names", long("v1"), long("v2")).await;

    let sandbox = Sandbox::new("extreme-places").await;
    let fill = |name: &str| {
        let length = sandbox.name(name).len();
        format!("{name}{}", "x".repeat(63 - length))
    };
    let (source, team, rule_name) = (fill("source"), fill("team-"), fill("rule"));
    sandbox.namespaces(&[&source, &team]).await;
    sandbox.create_secret(&source, &long("v1")).await;
    let rule = sandbox
        .rule_with("Secret", &format!("names: [{name}]"), "")
        .replace(&sandbox.name("source"), &sandbox.name(&source))
        .replace(&sandbox.name("rule"), &sandbox.name(&rule_name));
    assert!(rule.contains(&sandbox.name(&source)) && rule.contains(&sandbox.name(&rule_name)));
    sandbox.sync(&rule).await.succeeded().says("1 created in ");
    let copy = sandbox.secret(&team, &name).await.expect("a copy");
    assert!(copy.data == long("v1").data);
    sandbox.sync(&rule).await.wrote_nothing();
    let elsewhere = rule.replace("team-*", "nobody-*");
    sandbox
        .sync(&elsewhere)
        .await
        .succeeded()
        .says("1 pruned in ");
}

#[tokio::test]
async fn bytes_that_are_no_text_are_copied() {
    let bytes = |first: u8| (0..=255).map(|byte: u8| byte.wrapping_add(first)).collect();
    let binary = |first: u8| ConfigMap {
        binary_data: Some(BTreeMap::from([(
            "bytes".to_owned(),
            ByteString(bytes(first)),
        )])),
        ..configmap("binary", &[("text", "läßt\u{0}\u{7f}\u{feff}\r\n")])
    };
    let sandbox = Sandbox::new("extreme-bytes").await;
    sandbox.namespaces(&["source", "team-a", "team-b"]).await;
    let rule = sandbox.rule_with("ConfigMap", "names: [binary]", "");
    sandbox.create_configmap("source", &binary(0)).await;
    sync(&sandbox, &rule, "2 created in ").await;
    let originals = sandbox.api::<ConfigMap>("source");
    let parameters = PostParams::default();
    let replaced = originals.replace("binary", &parameters, &binary(7)).await;
    replaced.expect("the original is changed");
    sync(&sandbox, &rule, "2 configured in ").await;
    for copy in join_all(["team-a", "team-b"].map(|team| sandbox.configmap(team, "binary"))).await {
        let copy = copy.expect("a copy");
        assert_eq!(
            (copy.data, copy.binary_data),
            (binary(7).data, binary(7).binary_data)
        );
    }
    let elsewhere = rule.replace("team-*", "nobody-*");
    sync(&sandbox, &elsewhere, "2 pruned in ").await;

    let secret_bytes = |first: u8| Secret {
        data: Some(BTreeMap::from([(
            "bytes".to_owned(),
            ByteString(bytes(first)),
        )])),
        ..secret("binary", &[])
    };
    lives("extreme-secret-bytes", secret_bytes(0), secret_bytes(7)).await;
}
