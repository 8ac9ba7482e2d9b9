//! Copies that the API server doesn't let be changed: deleted and made anew, if that is safe.

use std::sync::atomic::{AtomicUsize, Ordering};

use http::{Method, StatusCode};
use k8s_openapi::api::core::v1::{ResourceQuota, Secret};
use kube::{Api, ResourceExt, api::PostParams};
use serde_json::json;

use crate::sandbox::{Fault, Sandbox, secret, text};

/// A copy that is immutable, and in step.
async fn frozen(prefix: &str) -> Sandbox {
    let sandbox = Sandbox::new(prefix).await;
    sandbox.namespaces(&["source", "team-a"]).await;
    sandbox.create_regcred("x").await;
    sandbox.sync(&sandbox.rule()).await.succeeded();
    sandbox.freeze_regcred("team-a").await;
    sandbox
}

/// The same, and its original has changed.
async fn outdated(prefix: &str) -> (Sandbox, Secret) {
    let sandbox = frozen(prefix).await;
    sandbox.rotate_regcred("rotated").await;
    let old = sandbox.regcred("team-a").await;
    (sandbox, old)
}

async fn assert_untouched(sandbox: &Sandbox, old: &Secret) {
    assert_eq!(&sandbox.regcred("team-a").await, old);
}

async fn assert_replaced(sandbox: &Sandbox, old: &Secret) {
    let new = sandbox.regcred("team-a").await;
    assert_ne!(new.uid(), old.uid());
    assert_eq!(text(&new, "password").as_deref(), Some("rotated"));
    assert_eq!(new.immutable, None);
    sandbox.is_in_step(&sandbox.rule()).await;
}

#[tokio::test]
async fn an_immutable_copy_in_step_is_left_as_it_is() {
    let sandbox = frozen("frozen").await;
    sandbox.is_in_step(&sandbox.rule()).await;
}

#[tokio::test]
async fn an_immutable_copy_of_a_changed_original_is_replaced_in_one_run() {
    let (sandbox, old) = outdated("replaced").await;
    let ran = sandbox.sync(&sandbox.rule()).await.succeeded();
    ran.prints("regcred replaced").says("1 replaced");
    assert_replaced(&sandbox, &old).await;
}

#[tokio::test]
async fn a_copy_of_an_original_with_another_type_is_replaced() {
    let sandbox = Sandbox::new("retyped").await;
    sandbox.namespaces(&["source", "team-a"]).await;
    sandbox.create_regcred("x").await;
    sandbox.sync(&sandbox.rule()).await.succeeded();
    sandbox.delete_secret("source", "regcred").await;
    let retyped = Secret {
        type_: Some("example.com/own".to_owned()),
        ..secret("regcred", &[("password", "rotated")])
    };
    sandbox.create_secret("source", &retyped).await;
    let ran = sandbox.sync(&sandbox.rule()).await.succeeded();
    ran.says("1 replaced");
    let copy = sandbox.regcred("team-a").await;
    assert_eq!(copy.type_.as_deref(), Some("example.com/own"));
    assert_eq!(text(&copy, "password").as_deref(), Some("rotated"));
    sandbox.is_in_step(&sandbox.rule()).await;
}

#[tokio::test]
async fn rehearsals_tell_the_replacement_and_change_nothing() {
    let (sandbox, old) = outdated("replace-rehearsed").await;
    for dry_run in ["--dry-run=client", "--dry-run=server"] {
        let ran = sandbox.run_on(&["sync", dry_run], &sandbox.rule()).await;
        ran.succeeded()
            .prints("regcred replaced")
            .says("1 replaced");
        assert_untouched(&sandbox, &old).await;
    }
    let ran = sandbox
        .run_on(&["diff", "-o", "json"], &sandbox.rule())
        .await;
    ran.failed_with(1).prints("\"action\": \"replace\"");
    assert_untouched(&sandbox, &old).await;
}

/// Lets no more Secrets into the namespace, and waits until that holds.
async fn fill_quota(sandbox: &Sandbox, namespace: &str) {
    let quota = json!({"metadata": {"name": "full"}, "spec": {"hard": {"secrets": "1"}}});
    let quotas: Api<ResourceQuota> = sandbox.api(namespace);
    let quota = serde_json::from_value(quota).expect("a quota");
    let made = quotas.create(&PostParams::default(), &quota).await;
    made.expect("the quota is made");
    let another = secret("another", &[]);
    let rehearsed = PostParams {
        dry_run: true,
        ..PostParams::default()
    };
    let deadline = std::time::Instant::now() + std::time::Duration::from_mins(1);
    loop {
        let tried = sandbox.api(namespace).create(&rehearsed, &another).await;
        match tried {
            Err(error) if error.to_string().contains("exceeded quota") => return,
            _ => assert!(std::time::Instant::now() < deadline, "{tried:?}"),
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn where_the_new_copy_would_be_refused_the_old_one_stays() {
    let (sandbox, old) = outdated("replace-refused").await;
    fill_quota(&sandbox, "team-a").await;
    let (ran, writes) = sandbox
        .writes_of(&["sync", "-f", "-"], &sandbox.rule())
        .await;
    ran.failed_with(1).says("exceeded quota").says("1 failed");
    assert!(
        writes.iter().all(|write| !write.starts_with("DELETE")),
        "{writes:?}"
    );
    assert_untouched(&sandbox, &old).await;
}

#[tokio::test]
async fn in_a_namespace_that_goes_the_old_copy_stays() {
    let (sandbox, old) = outdated("replace-leaving").await;
    let proxy = sandbox
        .proxy(|method, _| {
            let answer = r#"{"kind":"Status","reason":"Forbidden","details":{"causes":[{"reason":"NamespaceTerminating"}]}}"#;
            match *method {
                Method::POST => Fault::Answer(StatusCode::FORBIDDEN, &[], answer),
                _ => Fault::None,
            }
        })
        .await;
    let sync = proxy.program(&["sync", "-f", "-"]).stdin(&sandbox.rule());
    sync.run().await.succeeded().says("1 skipped");
    assert_untouched(&sandbox, &old).await;
}

#[tokio::test]
async fn an_object_that_changed_meanwhile_is_looked_at_again() {
    let (sandbox, old) = outdated("replace-disputed").await;
    let deletions = AtomicUsize::new(0);
    let proxy = sandbox
        .proxy(move |method, _| {
            let answer = r#"{"kind":"Status","reason":"Conflict","message":"the ResourceVersion in the precondition does not match"}"#;
            let first = method == Method::DELETE && deletions.fetch_add(1, Ordering::SeqCst) == 0;
            if first { Fault::Answer(StatusCode::CONFLICT, &[], answer) } else { Fault::None }
        })
        .await;
    let sync = proxy.program(&["sync", "-f", "-"]).stdin(&sandbox.rule());
    sync.run().await.succeeded().says("1 replaced");
    let requests = proxy.requests();
    let methods: Vec<&str> = requests
        .iter()
        .skip_while(|request| !request.starts_with("POST"))
        .filter_map(|request| request.split(' ').next())
        .collect();
    assert_eq!(methods, ["POST", "DELETE", "GET", "POST", "DELETE", "POST"]);
    assert_replaced(&sandbox, &old).await;
}

#[tokio::test]
async fn a_replacement_waits_for_finalizers_and_the_next_run_ends_it() {
    let (sandbox, _) = outdated("replace-held").await;
    let hold = json!({"metadata": {"finalizers": ["example.com/hold"]}});
    sandbox
        .patch_secret("team-a", "regcred", "somebody", hold)
        .await;
    let old = sandbox.regcred("team-a").await;
    for _ in 0..2 {
        let ran = sandbox.sync(&sandbox.rule()).await.failed_with(1);
        ran.says("1 skipped").prints("waits for its finalizers");
    }
    let diff = sandbox.run_on(&["diff"], &sandbox.rule()).await;
    diff.failed_with(1).says("waits for its finalizers");
    assert_eq!(sandbox.regcred("team-a").await.uid(), old.uid());
    let release = json!({"metadata": {"finalizers": null}});
    sandbox
        .patch_secret("team-a", "regcred", "somebody", release)
        .await;
    sandbox
        .sync(&sandbox.rule())
        .await
        .succeeded()
        .says("1 created");
    assert_replaced(&sandbox, &old).await;
}

#[tokio::test]
async fn a_replacement_cut_in_two_is_ended_by_the_next_run() {
    let (sandbox, old) = outdated("replace-cut").await;
    let proxy = sandbox
        .proxy(|method, uri| {
            let tried = uri.query().is_some_and(|query| query.contains("dryRun"));
            let answer = r#"{"kind":"Status","reason":"Forbidden","message":"not today"}"#;
            match *method {
                Method::POST if !tried => Fault::Answer(StatusCode::FORBIDDEN, &[], answer),
                _ => Fault::None,
            }
        })
        .await;
    let sync = proxy.program(&["sync", "-f", "-"]).stdin(&sandbox.rule());
    sync.run().await.failed_with(1).says("not today");
    assert_eq!(sandbox.secret("team-a", "regcred").await, None);
    sandbox
        .sync(&sandbox.rule())
        .await
        .succeeded()
        .says("1 created");
    assert_replaced(&sandbox, &old).await;
}

#[tokio::test]
async fn a_creation_without_an_answer_still_counts_as_a_replacement() {
    let (sandbox, old) = outdated("replace-unanswered").await;
    let creations = AtomicUsize::new(0);
    let proxy = sandbox
        .proxy(move |method, uri| {
            let tried = uri.query().is_some_and(|query| query.contains("dryRun"));
            let creates = method == Method::POST && !tried;
            let first = creates && creations.fetch_add(1, Ordering::SeqCst) == 0;
            if first {
                Fault::CutAfterwards
            } else {
                Fault::None
            }
        })
        .await;
    let sync = proxy.program(&["sync", "-f", "-"]).stdin(&sandbox.rule());
    sync.run().await.succeeded().says("1 replaced");
    assert_replaced(&sandbox, &old).await;
}

#[tokio::test]
async fn what_was_taken_over_is_never_deleted_to_be_replaced() {
    let sandbox = Sandbox::new("replace-adopted").await;
    sandbox.namespaces(&["source", "team-a"]).await;
    sandbox.create_regcred("x").await;
    let theirs = secret("regcred", &[("password", "x")]);
    sandbox.create_secret_as("team-a", "helm", &theirs).await;
    let rule = sandbox.rule_and("conflictPolicy: Adopt");
    sandbox.sync(&rule).await.succeeded();
    sandbox.freeze_regcred("team-a").await;
    sandbox.rotate_regcred("rotated").await;
    let old = sandbox.regcred("team-a").await;
    for arguments in [
        &["sync"][..],
        &["sync", "--dry-run"],
        &["sync", "--dry-run=server"],
    ] {
        let ran = sandbox.run_on(arguments, &rule).await.failed_with(1);
        ran.says("was taken over and is immutable")
            .says("1 conflict");
    }
    assert_untouched(&sandbox, &old).await;
}
