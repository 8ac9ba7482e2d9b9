//! `crd uninstall` says what goes and what stays.

use super::{NAME, api};
use crate::sandbox::Sandbox;

#[tokio::test]
async fn nothing_goes_without_a_yes() {
    let sandbox = Sandbox::alone("crd-ask").await;
    sandbox
        .run(&["crd", "uninstall"])
        .await
        .failed_with(1)
        .says("This deletes the definition and 0 rules.")
        .says("nobody can be asked, because this is no terminal")
        .says("hint: to go on without a question, give --yes");
    for dry_run in ["--dry-run", "--dry-run=server"] {
        let ran = sandbox
            .run(&["crd", "uninstall", dry_run])
            .await
            .succeeded();
        assert!(ran.stdout.ends_with("dry run)\n"), "{ran:?}");
    }
    assert!(api(&sandbox).get(NAME).await.is_ok());
}

#[tokio::test]
async fn rules_go_and_copies_stay() {
    let sandbox = Sandbox::alone("crd-census").await;
    sandbox.namespaces(&["source", "team-a"]).await;
    sandbox.create_regcred("value").await;
    sandbox.apply_rule(&sandbox.rule()).await;
    sandbox.run(&["sync"]).await.succeeded();
    let ran = sandbox
        .run(&["crd", "uninstall", "--yes"])
        .await
        .succeeded();
    let ran = ran
        .says("This deletes the definition and 1 rule.")
        .says("Copies stay where they are: 1 Secret and 0 ConfigMaps.");
    let expected = format!("customresourcedefinition.apiextensions.k8s.io \"{NAME}\" deleted\n");
    assert_eq!(ran.stdout, expected);
    assert!(
        api(&sandbox)
            .get_opt(NAME)
            .await
            .expect("an answer")
            .is_none()
    );
    let again = sandbox.run(&["crd", "uninstall"]).await.succeeded();
    let _ = again.prints("not installed");
}
