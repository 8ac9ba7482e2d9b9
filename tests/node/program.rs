//! The program in a pod.

use serde_json::json;

use super::ground::{Ground, IMAGE};

#[tokio::test]
async fn it_runs_without_root_and_without_writing_to_its_image() {
    let Some(ground) = Ground::new("node-version").await else {
        return;
    };
    let container = json!({
        "image": IMAGE,
        "args": ["--version"],
        "securityContext": {
            "runAsNonRoot": true,
            "readOnlyRootFilesystem": true,
            "allowPrivilegeEscalation": false,
            "capabilities": {"drop": ["ALL"]},
        },
    });
    ground.start("version", container, json!([])).await;
    let expected = format!("kubectl-copyrator {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(ground.finished("version").await, expected);
}
