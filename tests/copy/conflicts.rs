//! Objects that are somebody else's: left alone, and told.

use crate::sandbox::{Sandbox, secret};
use k8s_openapi::api::core::v1::Secret;
use kube::{Api, api::PostParams};

async fn with_foreign_copy(prefix: &str) -> Sandbox {
    let sandbox = Sandbox::new(prefix).await;
    sandbox.namespaces(&["source", "team-a", "team-b"]).await;
    sandbox.create_regcred("ours").await;
    let parameters = PostParams {
        field_manager: Some("helm".into()),
        ..PostParams::default()
    };
    let secrets: Api<Secret> = sandbox.api("team-a");
    secrets
        .create(&parameters, &secret("regcred", &[("password", "theirs")]))
        .await
        .expect("the other program's Secret is made");
    sandbox
}

#[tokio::test]
async fn a_foreign_object_is_left_alone_and_told_with_its_managers() {
    let sandbox = with_foreign_copy("foreign").await;
    let before = sandbox.version("team-a", "regcred").await;
    let ran = sandbox.sync(&sandbox.rule()).await.failed_with(1);
    ran.says("1 created").says("1 conflict").says("helm");
    assert_eq!(sandbox.version("team-a", "regcred").await, before);
    assert_eq!(sandbox.password("team-b").await.as_deref(), Some("ours"));
}

#[tokio::test]
async fn a_rehearsal_knows_of_the_conflict() {
    let sandbox = with_foreign_copy("foreign-rehearsed").await;
    for dry_run in ["--dry-run=client", "--dry-run=server"] {
        let ran = sandbox
            .program(&["sync", dry_run, "-f", "-"])
            .stdin(&sandbox.rule())
            .run()
            .await;
        ran.failed_with(1)
            .says("1 created")
            .says("1 conflict")
            .says("helm");
    }
    assert_eq!(sandbox.secret("team-b", "regcred").await, None);
}
