//! Which originals are copied, and to which namespaces.

use std::collections::BTreeMap;

use k8s_openapi::{
    ByteString,
    api::core::v1::{ConfigMap, Secret},
};
use kube::{Api, api::PostParams};
use serde_json::json;

use crate::sandbox::{Sandbox, configmap, secret};

impl Sandbox {
    async fn has(&self, namespace: &str, name: &str) -> bool {
        self.secret(namespace, name).await.is_some()
    }
}

fn typed(name: &str, r#type: &str, data: &[(&str, &str)]) -> Secret {
    Secret {
        type_: Some(r#type.to_owned()),
        ..secret(name, data)
    }
}

fn labelled(mut secret: Secret, labels: &[(&str, &str)]) -> Secret {
    let labels = labels
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
    secret.metadata.labels = Some(labels.collect());
    secret
}

#[tokio::test]
async fn a_secret_is_copied_with_its_type_and_nothing_of_its_metadata() {
    let sandbox = Sandbox::new("whole").await;
    sandbox.namespaces(&["source", "team-a"]).await;
    let mut original = typed(
        "regcred",
        "kubernetes.io/dockerconfigjson",
        &[(".dockerconfigjson", "{}")],
    );
    original.immutable = Some(true);
    original.metadata.annotations = Some(BTreeMap::from([("note".into(), "original's".into())]));
    let original = labelled(original, &[("argocd.argoproj.io/instance", "app")]);
    sandbox.create_secret("source", &original).await;
    sandbox.sync(&sandbox.rule()).await.succeeded();
    let copy = sandbox.secret("team-a", "regcred").await.unwrap();
    assert_eq!((copy.type_, copy.data), (original.type_, original.data));
    assert_eq!(copy.immutable, None);
    let labels: Vec<String> = copy.metadata.labels.unwrap().into_keys().collect();
    assert_eq!(
        labels,
        [
            "app.kubernetes.io/managed-by",
            "copyrator.dev/rule",
            "copyrator.dev/set"
        ]
    );
    let annotations = copy.metadata.annotations.unwrap();
    assert!(
        annotations
            .keys()
            .all(|key| key.starts_with("copyrator.dev/")),
        "{annotations:?}"
    );
    assert_eq!(
        annotations["copyrator.dev/source"],
        format!("{}/regcred", sandbox.name("source"))
    );
    assert_eq!(
        annotations["copyrator.dev/target"],
        format!("{}/regcred", sandbox.name("team-a"))
    );
}

#[tokio::test]
async fn a_configmap_is_copied_with_its_binary_data() {
    let sandbox = Sandbox::new("configmap").await;
    sandbox.namespaces(&["source", "team-a"]).await;
    let mut original = configmap("settings", &[("text", "ä\nb\"c"), ("empty", "")]);
    original.binary_data = Some(BTreeMap::from([(
        "bytes".into(),
        ByteString(vec![0, 255, 254]),
    )]));
    sandbox.create_configmap("source", &original).await;
    let rule = sandbox.rule_with("ConfigMap", "names: [settings]", "");
    sandbox
        .sync(&rule)
        .await
        .succeeded()
        .prints("configmap/settings created");
    let copy = sandbox.configmap("team-a", "settings").await.unwrap();
    assert_eq!(
        (copy.data, copy.binary_data),
        (original.data, original.binary_data)
    );
    sandbox.sync(&rule).await.wrote_nothing();
}

#[tokio::test]
async fn removed_binary_data_leaves_the_copies() {
    let sandbox = Sandbox::new("binary-removed").await;
    sandbox.namespaces(&["source", "team-a"]).await;
    let mut original = configmap("settings", &[("text", "a")]);
    original.binary_data = Some(BTreeMap::from([("bytes".into(), ByteString(vec![0, 255]))]));
    sandbox.create_configmap("source", &original).await;
    let rule = sandbox.rule_with("ConfigMap", "names: [settings]", "");
    sandbox.sync(&rule).await.succeeded();
    let configmaps: Api<ConfigMap> = sandbox.api("source");
    configmaps
        .replace(
            "settings",
            &PostParams::default(),
            &configmap("settings", &[]),
        )
        .await
        .unwrap();
    sandbox.sync(&rule).await.succeeded().prints("configured");
    let copy = sandbox.configmap("team-a", "settings").await.unwrap();
    assert_eq!(
        (
            copy.data.unwrap_or_default().len(),
            copy.binary_data.unwrap_or_default().len()
        ),
        (0, 0)
    );
    sandbox.sync(&rule).await.wrote_nothing();
}

#[tokio::test]
async fn names_are_globs() {
    let sandbox = Sandbox::new("globs").await;
    sandbox.namespaces(&["source", "team-a"]).await;
    for name in ["tls-web", "tls-api", "regcred", "my-tls-x"] {
        sandbox
            .create_secret("source", &secret(name, &[("k", "v")]))
            .await;
    }
    let rule = sandbox.rule_with("Secret", "names: [\"tls-*\", regcred]", "");
    sandbox.sync(&rule).await.succeeded();
    for (name, copied) in [
        ("tls-web", true),
        ("tls-api", true),
        ("regcred", true),
        ("my-tls-x", false),
    ] {
        assert_eq!(sandbox.has("team-a", name).await, copied, "{name}");
    }
    sandbox.sync(&rule).await.wrote_nothing();
}

#[tokio::test]
async fn a_selector_chooses_by_labels() {
    let sandbox = Sandbox::new("labels").await;
    sandbox.namespaces(&["source", "team-a"]).await;
    for (name, share, tier) in [
        ("yes", "true", "web"),
        ("other", "false", "web"),
        ("tier", "true", "db"),
    ] {
        let secret = labelled(
            secret(name, &[("k", "v")]),
            &[("share", share), ("tier", tier)],
        );
        sandbox.create_secret("source", &secret).await;
    }
    let selector = "selector: {matchLabels: {share: \"true\"}, matchExpressions: [{key: tier, operator: NotIn, values: [db]}]}";
    sandbox
        .sync(&sandbox.rule_with("Secret", selector, ""))
        .await
        .succeeded();
    assert!(sandbox.has("team-a", "yes").await);
    assert!(!sandbox.has("team-a", "other").await && !sandbox.has("team-a", "tier").await);
}

#[tokio::test]
async fn names_and_a_selector_must_both_hold() {
    let sandbox = Sandbox::new("both").await;
    sandbox.namespaces(&["source", "team-a"]).await;
    for (name, share) in [("web-a", "yes"), ("web-b", "no"), ("db", "yes")] {
        let secret = labelled(secret(name, &[("k", "v")]), &[("share", share)]);
        sandbox.create_secret("source", &secret).await;
    }
    let source = "names: [\"web-*\"], selector: {matchLabels: {share: \"yes\"}}";
    sandbox
        .sync(&sandbox.rule_with("Secret", source, ""))
        .await
        .succeeded();
    assert!(sandbox.has("team-a", "web-a").await);
    assert!(!sandbox.has("team-a", "web-b").await && !sandbox.has("team-a", "db").await);
}

#[tokio::test]
async fn types_narrow_the_choice() {
    let sandbox = Sandbox::new("types").await;
    sandbox.namespaces(&["source", "team-a"]).await;
    sandbox
        .create_secret("source", &typed("opaque", "Opaque", &[("k", "v")]))
        .await;
    sandbox
        .create_secret("source", &typed("own", "example.com/own", &[("k", "v")]))
        .await;
    sandbox
        .create_secret(
            "source",
            &typed("third", "example.com/third", &[("k", "v")]),
        )
        .await;
    let rule = sandbox.rule_with("Secret", "names: [\"*\"], types: [example.com/own]", "");
    sandbox.sync(&rule).await.succeeded();
    assert!(sandbox.has("team-a", "own").await && !sandbox.has("team-a", "opaque").await);
    let rule = sandbox.rule_with(
        "Secret",
        "names: [\"*\"], types: [example.com/own, Opaque]",
        "",
    );
    sandbox.sync(&rule).await.succeeded();
    assert!(sandbox.has("team-a", "opaque").await && !sandbox.has("team-a", "third").await);
    let rule = sandbox.rule_with("Secret", "names: [third], types: [Opaque]", "");
    sandbox
        .sync(&rule)
        .await
        .succeeded()
        .says("not of a type in spec.source.types");
}

#[tokio::test]
async fn targets_are_chosen_by_globs_exclusion_and_labels() {
    let sandbox = Sandbox::new("targets").await;
    sandbox.namespace("source", &[]).await;
    sandbox.namespace("team-a", &[("env", "prod")]).await;
    sandbox.namespace("team-b", &[("env", "prod")]).await;
    sandbox.namespace("team-c", &[("env", "dev")]).await;
    sandbox.namespace("other", &[("env", "prod")]).await;
    sandbox.create_regcred("x").await;
    let target = format!(
        "selector: {{matchLabels: {{env: prod}}}}, exclude: [\"{}\"]",
        sandbox.name("*-b")
    );
    sandbox
        .sync(&sandbox.rule_with("Secret", "names: [regcred]", &target))
        .await
        .succeeded();
    for (namespace, copied) in [
        ("team-a", true),
        ("team-b", false),
        ("team-c", false),
        ("other", false),
    ] {
        assert_eq!(
            sandbox.has(namespace, "regcred").await,
            copied,
            "{namespace}"
        );
    }
}

#[tokio::test]
async fn several_source_namespaces_are_copied_from() {
    let sandbox = Sandbox::new("sources").await;
    sandbox.namespaces(&["source", "more", "team-a"]).await;
    sandbox
        .create_secret("source", &secret("one", &[("k", "1")]))
        .await;
    sandbox
        .create_secret("more", &secret("two", &[("k", "2")]))
        .await;
    let rule = sandbox.rule_with("Secret", "names: [one, two]", "");
    let (source, more) = (sandbox.name("source"), sandbox.name("more"));
    let rule = rule.replace(&format!("[{source}]"), &format!("[{source}, {more}]"));
    sandbox.sync(&rule).await.succeeded();
    assert!(sandbox.has("team-a", "one").await && sandbox.has("team-a", "two").await);
}

#[tokio::test]
async fn an_original_is_never_copied_onto_itself() {
    let sandbox = Sandbox::new("itself").await;
    sandbox.namespaces(&["team-source", "team-a"]).await;
    sandbox
        .create_secret("team-source", &secret("regcred", &[("password", "x")]))
        .await;
    let rule = sandbox
        .rule()
        .replace(&sandbox.name("source"), &sandbox.name("team-source"));
    let before = sandbox.version("team-source", "regcred").await;
    sandbox.sync(&rule).await.succeeded().says("1 created");
    assert_eq!(sandbox.version("team-source", "regcred").await, before);
}

#[tokio::test]
async fn what_is_never_copied_is_not() {
    let sandbox = Sandbox::new("never").await;
    sandbox.namespaces(&["source", "team-a"]).await;
    // The token of an account that isn't there yet would be deleted by the controllers.
    sandbox.create_service_account("source", "robot").await;
    let token = json!({"metadata": {"name": "token", "annotations": {"kubernetes.io/service-account.name": "robot"}}, "type": "kubernetes.io/service-account-token"});
    sandbox
        .create_secret("source", &serde_json::from_value(token).unwrap())
        .await;
    sandbox
        .create_secret(
            "source",
            &typed("release", "helm.sh/release.v1", &[("release", "x")]),
        )
        .await;
    sandbox
        .create_secret(
            "source",
            &typed(
                "join",
                "bootstrap.kubernetes.io/token",
                &[("token-id", "x")],
            ),
        )
        .await;
    let marked = labelled(
        secret("copy", &[("k", "v")]),
        &[("app.kubernetes.io/managed-by", "kubectl-copyrator")],
    );
    sandbox.create_secret("source", &marked).await;
    sandbox
        .sync(&sandbox.rule_with("Secret", "names: [\"*\"]", ""))
        .await
        .wrote_nothing();
    let named = sandbox.rule_with("Secret", "names: [token, release, join, copy]", "");
    sandbox
        .sync(&named)
        .await
        .wrote_nothing()
        .says("it is a service account's token")
        .says("it is Helm's record of a release")
        .says("it is a bootstrap token")
        .says("it is a copy itself");
    let everything = sandbox.rule_with("ConfigMap", "names: [\"*\"]", "");
    sandbox.sync(&everything).await.wrote_nothing();
}

#[tokio::test]
async fn a_source_namespace_that_is_not_there_is_told() {
    let sandbox = Sandbox::new("no-source").await;
    sandbox.namespaces(&["team-a"]).await;
    let ran = sandbox.sync(&sandbox.rule()).await.failed_with(1);
    ran.says(&format!("there is no namespace {}", sandbox.name("source")));
}

#[tokio::test]
async fn an_original_that_is_not_there_is_told() {
    let sandbox = Sandbox::new("no-original").await;
    sandbox.namespaces(&["source", "team-a"]).await;
    sandbox
        .sync(&sandbox.rule())
        .await
        .succeeded()
        .says("there is no secret/regcred");
}
