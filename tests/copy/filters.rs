//! `spec.data`: which keys of an original are copied, and under which names.

use k8s_openapi::{ByteString, api::core::v1::Secret};

use crate::sandbox::{Sandbox, and, configmap, secret, text};

/// A ConfigMap with text and bytes, and a rule for it with this `spec.data`.
async fn settings(prefix: &str, data: &str) -> (Sandbox, String) {
    let sandbox = Sandbox::new(prefix).await;
    sandbox.namespaces(&["source", "team-a"]).await;
    let mut original = configmap(
        "settings",
        &[("app.yaml", "a"), ("app.json", "b"), ("log.yaml", "c")],
    );
    original.binary_data = Some([("logo.png".to_owned(), ByteString(vec![255]))].into());
    sandbox.create_configmap("source", &original).await;
    let rule = sandbox.rule_with("ConfigMap", "names: [settings]", "");
    let rule = and(&rule, &format!("data: {data}"));
    (sandbox, rule)
}

/// The keys of the copy, those of binary data in brackets.
async fn keys(sandbox: &Sandbox) -> Vec<String> {
    let copy = sandbox
        .configmap("team-a", "settings")
        .await
        .expect("a copy");
    let text = copy.data.unwrap_or_default().into_keys();
    let bytes = copy.binary_data.unwrap_or_default().into_keys();
    text.chain(bytes.map(|key| format!("[{key}]"))).collect()
}

#[tokio::test]
async fn keys_are_included_and_excluded() {
    let data = r#"{include: ["*.yaml", "*.png"], exclude: ["log.*"]}"#;
    let (sandbox, rule) = settings("keys-chosen", data).await;
    sandbox.sync(&rule).await.succeeded();
    assert_eq!(keys(&sandbox).await, ["app.yaml", "[logo.png]"]);
    sandbox.is_in_step(&rule).await;
}

#[tokio::test]
async fn keys_are_renamed_with_their_values() {
    let data = "{rename: {app.yaml: application.yaml, logo.png: icon.png}}";
    let (sandbox, rule) = settings("keys-renamed", data).await;
    sandbox.sync(&rule).await.succeeded();
    let expected = ["app.json", "application.yaml", "log.yaml", "[icon.png]"];
    assert_eq!(keys(&sandbox).await, expected);
    let copy = sandbox.configmap("team-a", "settings").await.unwrap();
    assert_eq!(copy.data.unwrap()["application.yaml"], "a");
    assert_eq!(copy.binary_data.unwrap()["icon.png"].0, [255]);
    sandbox.is_in_step(&rule).await;
}

#[tokio::test]
async fn another_choice_reaches_the_copies() {
    let (sandbox, rule) = settings("keys-changed", "{}").await;
    sandbox.sync(&rule).await.succeeded();
    assert_eq!(keys(&sandbox).await.len(), 4);
    for (data, expected) in [
        (
            "{exclude: [\"*.png\", \"*.json\"]}",
            &["app.yaml", "log.yaml"][..],
        ),
        ("{include: [app.yaml], rename: {app.yaml: a}}", &["a"]),
        ("{include: [nothing]}", &[]),
        ("{include: [logo.png]}", &["[logo.png]"]),
    ] {
        let rule = rule.replace("data: {}", &format!("data: {data}"));
        sandbox.sync(&rule).await.succeeded().says("1 configured");
        assert_eq!(keys(&sandbox).await, expected, "{data}");
        sandbox.is_in_step(&rule).await;
    }
}

#[tokio::test]
async fn a_key_that_is_not_copied_is_removed_where_somebody_adds_it() {
    let sandbox = Sandbox::new("keys-added").await;
    sandbox.namespaces(&["source", "team-a"]).await;
    let original = secret("regcred", &[("password", "x"), ("admin", "y")]);
    sandbox.create_secret("source", &original).await;
    let rule = sandbox.rule_and("data: {exclude: [admin]}");
    sandbox.sync(&rule).await.succeeded();
    let edit = serde_json::json!({"stringData": {"admin": "z"}});
    sandbox
        .patch_secret("team-a", "regcred", "somebody", edit)
        .await;
    sandbox.sync(&rule).await.succeeded().says("1 configured");
    assert_eq!(text(&sandbox.regcred("team-a").await, "admin"), None);
    let edit = serde_json::json!({"stringData": {"admin": "z"}});
    sandbox
        .patch_secret("source", "regcred", "somebody", edit)
        .await;
    sandbox.is_in_step(&rule).await;
}

#[tokio::test]
async fn two_keys_of_one_name_keep_that_original_from_being_written() {
    let data = "{rename: {app.yaml: settings.yaml}}";
    let (sandbox, rule) = settings("keys-taken", data).await;
    sandbox.sync(&rule).await.succeeded();
    let before = keys(&sandbox).await;
    let taken = configmap("settings", &[("app.yaml", "new"), ("settings.yaml", "new")]);
    sandbox.replace_configmap("source", &taken).await;
    sandbox.namespaces(&["team-b"]).await;
    sandbox.create_regcred("x").await;
    let other = sandbox.renamed(&sandbox.rule(), "other");
    let ran = sandbox
        .sync(&format!("{rule}---\n{other}"))
        .await
        .failed_with(1);
    ran.says("app.yaml would become settings.yaml, but the original has a key settings.yaml too")
        .says("2 created");
    assert_eq!(keys(&sandbox).await, before, "what is there stays");
    assert!(sandbox.configmap("team-b", "settings").await.is_none());
    let narrowed = sandbox.aimed(&rule, "nobody");
    sandbox.sync(&narrowed).await.failed_with(1);
    assert_eq!(keys(&sandbox).await, before, "nor is it pruned");
}

#[tokio::test]
async fn one_original_that_cannot_be_copied_does_not_stop_its_siblings() {
    let sandbox = Sandbox::new("keys-sibling").await;
    sandbox.namespaces(&["source", "team-a"]).await;
    let good = secret("good", &[("a", "1")]);
    sandbox.create_secret("source", &good).await;
    let bad = secret("bad", &[("a", "1"), ("b", "2")]);
    sandbox.create_secret("source", &bad).await;
    let rule = and(
        &sandbox.rule_with("Secret", "names: [\"*\"]", ""),
        "data: {rename: {a: b}}",
    );
    let ran = sandbox.sync(&rule).await.failed_with(1);
    ran.says("secret/bad").says("1 created");
    let copy = sandbox.secret("team-a", "good").await.expect("a copy");
    assert_eq!(text(&copy, "b").as_deref(), Some("1"));
}

#[tokio::test]
async fn a_secret_that_would_lack_a_key_of_its_type_is_not_even_tried() {
    for (prefix, r#type, key) in [
        ("keys-tls", "kubernetes.io/tls", "tls.key"),
        ("keys-ssh", "kubernetes.io/ssh-auth", "ssh-privatekey"),
        (
            "keys-docker",
            "kubernetes.io/dockerconfigjson",
            ".dockerconfigjson",
        ),
    ] {
        let sandbox = Sandbox::new(prefix).await;
        sandbox.namespaces(&["source", "team-a"]).await;
        let original = Secret {
            type_: Some(r#type.to_owned()),
            ..secret("regcred", &[("tls.crt", "x"), (key, "{}")])
        };
        sandbox.create_secret("source", &original).await;
        let rule = sandbox.rule_and(&format!("data: {{exclude: [\"{key}\"]}}"));
        let (ran, writes) = sandbox.writes_of(&["sync", "-f", "-"], &rule).await;
        ran.failed_with(1)
            .says(&format!("a Secret of type {type} needs the key {key}"));
        assert_eq!(writes, [""; 0]);
        let (before, after) = (sandbox.run_on(&["diff"], &rule).await, sandbox.rule());
        before.failed_with(2).says("needs the key");
        sandbox.sync(&after).await.succeeded().says("1 created");
    }
}
