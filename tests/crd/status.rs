//! The status of a rule, as the API server keeps it.

use http::Request;
use kubectl_copyrator::api::{
    CopyCounts, CopyratorRuleStatus, FailingNamespace, MOST_FAILING_NAMESPACES,
};
use serde_json::{Value, json};

use super::command::RULES;
use crate::sandbox::Sandbox;

impl Sandbox {
    /// Writes the status of the sandbox's rule, and gives the one that the API server kept, or its
    /// refusal.
    pub async fn put_status(&self, status: &Value) -> Result<Value, String> {
        let uri = format!(
            "{RULES}/{}/status?fieldValidation=Strict",
            self.name("rule")
        );
        let patch = json!({
            "apiVersion": "copyrator.dev/v1alpha1", "kind": "CopyratorRule", "status": status,
        });
        let request = Request::patch(uri)
            .header("Content-Type", "application/merge-patch+json")
            .body(patch.to_string().into_bytes())
            .expect("a valid request");
        match self.client.request::<Value>(request).await {
            Ok(rule) => Ok(rule["status"].clone()),
            Err(kube::Error::Api(status)) => Err(status.message.clone()),
            Err(error) => panic!("{error}"),
        }
    }
}

/// Failures with the longest names, in so many namespaces.
fn failing(count: usize) -> Vec<FailingNamespace> {
    (0..count)
        .map(|number| FailingNamespace {
            namespace: format!("{number:0>63}"),
            name: "a".repeat(253),
            reason: "Forbidden".to_owned(),
        })
        .collect()
}

fn status(failing_namespaces: Vec<FailingNamespace>) -> Value {
    let condition = json!({
        "type": "Ready", "status": "False", "reason": "CopiesFailed", "message": "1 of 3 failed",
        "lastTransitionTime": "2026-01-01T00:00:00Z", "observedGeneration": 3,
    });
    let status = CopyratorRuleStatus {
        observed_generation: Some(3),
        conditions: vec![serde_json::from_value(condition).expect("a condition")],
        sources: 4,
        copies: CopyCounts {
            wanted: u32::MAX,
            in_step: 2,
            conflicts: 1,
            failed: 5,
        },
        failing_namespaces,
        last_sync_time: Some("2026-01-02T03:04:05.123456Z".to_owned()),
    };
    serde_json::to_value(status).expect("a status is JSON")
}

#[tokio::test]
async fn a_status_is_kept_as_it_is_and_within_its_bounds() {
    let sandbox = Sandbox::blank("crd-status").await;
    sandbox.crd("install").await;
    sandbox.apply_rule(&sandbox.rule()).await;
    let full = status(failing(MOST_FAILING_NAMESPACES));
    assert_eq!(sandbox.put_status(&full).await.as_ref(), Ok(&full));
    let unsaid = json!({"observedGeneration": 3, "copies": null, "sources": null});
    let kept = sandbox.put_status(&unsaid).await.expect("it is accepted");
    assert_eq!(
        (&kept["copies"], &kept["sources"]),
        (&Value::Null, &Value::Null)
    );
    for (field, value) in [
        (
            "failingNamespaces",
            json!(failing(MOST_FAILING_NAMESPACES + 1)),
        ),
        ("failingNamespaces[0].reason", json!("")),
        ("failingNamespaces[0].namespace", json!("a".repeat(64))),
        ("copies.failed", json!(-1)),
        ("sources", json!("4")),
        ("lastSyncTime", json!("yesterday")),
        ("conditions[0].status", json!("Perhaps")),
    ] {
        let mut status = full.clone();
        let pointer = format!("/{}", field.replace("[0]", "/0").replace('.', "/"));
        *status.pointer_mut(&pointer).expect("the field is there") = value;
        let refusal = sandbox.put_status(&status).await.expect_err(field);
        assert!(refusal.contains(&format!("status.{field}: ")), "{refusal}");
    }
}
