//! Writes that quotas and admission policies refuse, in words that quote the values.

use std::time::{Duration, Instant};

use http::StatusCode;
use k8s_openapi::api::{
    admissionregistration::v1::{ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding},
    core::v1::{ResourceQuota, Secret},
};
use kube::{
    Api, Client,
    api::{DeleteParams, Patch, PatchParams, PostParams},
};
use serde_json::{Value, json};

use super::mixed::{Mixed, all_writes};
use crate::sandbox::{Fault, planted, secret};

/// Waits until the API server and its controllers have taken something in.
async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_mins(1);
    while !holds().await {
        assert!(Instant::now() < deadline, "not within a minute: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_full_quota_keeps_out_what_is_new_and_nothing_else() {
    let mixed = Mixed::new("quota").await;
    let quotas: Api<ResourceQuota> = mixed.sandbox.api("team-new");
    let full: ResourceQuota = from(json!({
        "metadata": {"name": "full"}, "spec": {"hard": {"secrets": "1"}},
    }));
    quotas.create(&PostParams::default(), &full).await.unwrap();
    eventually("the quota is counted", async || {
        let quota = quotas.get("full").await.unwrap();
        let used = quota.status.and_then(|status| status.used);
        used.is_some_and(|used| used["secrets"].0 == "1")
    })
    .await;
    let (ran, _) = mixed.sync(|_, _| Fault::None).await;
    ran.failed_with(1)
        .says("1 configured, 1 pruned, 1 failed in ")
        .says("exceeded quota: full, requested: secrets=1, used: secrets=1, limited: secrets=1");
    assert_eq!(mixed.sandbox.password("team-new").await, None);
    quotas
        .delete("full", &DeleteParams::default())
        .await
        .unwrap();
    let secrets: Api<Secret> = mixed.sandbox.api("team-new");
    eventually("the quota is gone", async || {
        let parameters = PostParams {
            dry_run: true,
            ..PostParams::default()
        };
        let probe = secrets.create(&parameters, &secret("probe", &[])).await;
        probe.is_ok()
    })
    .await;
    mixed.recovers().await;
}

/// A policy of this name that refuses all that is done to the copies in the test's namespaces, and
/// quotes all that it sees.
struct Policy {
    client: Client,
    name: String,
}

fn from<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("the test's object is valid")
}

impl Policy {
    async fn new(mixed: &Mixed, quotes: &str) -> Self {
        let name = format!("{}.faults.example", mixed.sandbox.name("policy"));
        let teams = ["team-new", "team-kept", "team-gone"].map(|team| mixed.sandbox.name(team));
        let policy: ValidatingAdmissionPolicy = from(json!({
            "metadata": {"name": name},
            "spec": {
                "failurePolicy": "Fail",
                "matchConstraints": {
                    "namespaceSelector": {"matchExpressions": [
                        {"key": "kubernetes.io/metadata.name", "operator": "In", "values": teams},
                    ]},
                    "resourceRules": [{
                        "apiGroups": [""], "apiVersions": ["v1"], "resources": ["secrets"],
                        "operations": ["CREATE", "UPDATE", "DELETE"],
                    }],
                },
                "matchConditions": [{"name": "copies", "expression": "request.name == 'regcred'"}],
                "validations": [{"expression": "false", "messageExpression": quotes}],
            },
        }));
        let binding: ValidatingAdmissionPolicyBinding = from(json!({
            "metadata": {"name": name},
            "spec": {"policyName": name, "validationActions": ["Deny"]},
        }));
        let client = mixed.sandbox.client.clone();
        let parameters = PostParams::default();
        let policies = Api::all(client.clone());
        let made = policies.create(&parameters, &policy).await;
        made.expect("it is made");
        let bindings = Api::all(client.clone());
        let made = bindings.create(&parameters, &binding).await;
        made.expect("it is made");
        let policy = Self { client, name };
        policy.is_in_force(mixed, true).await;
        policy
    }

    /// Waits until the policy refuses, or doesn't any more; gives its words.
    async fn is_in_force(&self, mixed: &Mixed, force: bool) -> String {
        let secrets: Api<Secret> = mixed.sandbox.api("team-kept");
        let parameters = PatchParams {
            dry_run: true,
            ..PatchParams::default()
        };
        let mut words = String::new();
        eventually("the policy is in force, or not any more", async || {
            let patch = Patch::Merge(json!({"metadata": {"annotations": {"probe": "x"}}}));
            let probe = secrets.patch("regcred", &parameters, &patch).await;
            words = probe
                .as_ref()
                .err()
                .map(ToString::to_string)
                .unwrap_or_default();
            probe.is_err() == force
        })
        .await;
        words
    }

    async fn lift(self, mixed: &Mixed) {
        let parameters = DeleteParams::default();
        let bindings = Api::<ValidatingAdmissionPolicyBinding>::all(self.client.clone());
        let gone = bindings.delete(&self.name, &parameters).await;
        gone.expect("it is deleted");
        let policies = Api::<ValidatingAdmissionPolicy>::all(self.client.clone());
        let gone = policies.delete(&self.name, &parameters).await;
        gone.expect("it is deleted");
        self.is_in_force(mixed, false).await;
    }
}

/// Syncs against a policy that quotes so. The values of the original and of the copies that are there
/// must not be told, which every run of the program is searched for.
async fn refused(prefix: &str, quotes: &str) {
    let mixed = Mixed::new(prefix).await;
    let policy = Policy::new(&mixed, quotes).await;
    let words = policy.is_in_force(&mixed, true).await;
    assert!(
        crate::sandbox::is_seen(&words),
        "the policy quotes nothing: {words}"
    );
    for arguments in [&[][..], &["--dry-run=server"], &["--output=json"]] {
        let (ran, _) = mixed.sync_with(arguments, |_, _| Fault::None).await;
        let ran = ran.failed_with(1);
        let told = format!("{}{}", ran.stdout, ran.stderr);
        for part in [
            "ValidatingAdmissionPolicy",
            &policy.name,
            "cannot create",
            "cannot patch",
            "cannot delete",
        ] {
            assert!(told.contains(part), "no {part:?} in {ran:#?}");
        }
    }
    mixed.is_as_before().await;
    policy.lift(&mixed).await;
    mixed.recovers().await;
}

#[tokio::test]
async fn a_policy_that_quotes_values_is_named_and_not_quoted() {
    let seen = "(request.operation == 'DELETE' ? oldObject : object)";
    refused("policy-new", &format!("'found ' + {seen}.data.password")).await;
}

#[tokio::test]
async fn a_policy_that_quotes_what_is_replaced_is_named_and_not_quoted() {
    let seen = "(request.operation == 'CREATE' ? object : oldObject)";
    let whole = format!("'found ' + {seen}.data.password");
    let piece = format!("'begins with ' + {seen}.data.password.substring(2, 12) + '…'");
    tokio::join!(
        refused("policy-old", &whole),
        refused("policy-piece", &piece),
    );
}

#[tokio::test]
async fn a_webhook_that_quotes_values_is_named_and_not_quoted() {
    let mixed = Mixed::new("webhook").await;
    let (ran, _) = mixed
        .sync(all_writes(|| {
            let quote = &planted("v1")[3..14];
            let message = format!(
                "admission webhook \"guard.example\" denied the request: \"{quote}\" is too weak"
            );
            Fault::Refuse(StatusCode::FORBIDDEN, "Forbidden", message)
        }))
        .await;
    ran.failed_with(1)
        .says("3 failed in ")
        .says("admission webhook \"guard.example\" denied the request");
    mixed.is_as_before().await;
    mixed.recovers().await;
}
