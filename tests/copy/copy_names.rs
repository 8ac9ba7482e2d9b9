//! `spec.target.name`: what copies are called.

use crate::sandbox::{Sandbox, secret, text};

/// Secrets `regcred` in two namespaces, and a rule that copies both under names by this template.
async fn two_sources(prefix: &str, template: &str) -> (Sandbox, String) {
    let sandbox = Sandbox::new(prefix).await;
    sandbox.namespaces(&["source", "second", "team-a"]).await;
    sandbox.create_regcred("first").await;
    let second = secret("regcred", &[("password", "second")]);
    sandbox.create_secret("second", &second).await;
    let target = format!("name: \"{template}\"");
    let rule = sandbox.rule_with("Secret", "names: [regcred]", &target);
    let (source, second) = (sandbox.name("source"), sandbox.name("second"));
    let rule = rule.replace(&format!("[{source}]"), &format!("[{source}, {second}]"));
    (sandbox, rule)
}

async fn password_of(sandbox: &Sandbox, name: &str) -> Option<String> {
    text(&sandbox.secret("team-a", name).await?, "password")
}

#[tokio::test]
async fn the_originals_namespace_keeps_names_apart() {
    let (sandbox, rule) = two_sources("names-apart", "{namespace}-{name}").await;
    sandbox.sync(&rule).await.succeeded().says("2 created");
    for (namespace, password) in [("source", "first"), ("second", "second")] {
        let name = format!("{}-regcred", sandbox.name(namespace));
        assert_eq!(
            password_of(&sandbox, &name).await.as_deref(),
            Some(password)
        );
    }
    sandbox.is_in_step(&rule).await;
}

#[tokio::test]
async fn of_two_originals_with_one_name_the_first_source_wins_and_the_other_is_told() {
    let (sandbox, rule) = two_sources("names-one", "shared").await;
    let second = sandbox.name("second");
    let ran = sandbox.sync(&rule).await.failed_with(1);
    let first = format!("from {}/regcred", sandbox.name("source"));
    ran.says("1 created").says("1 conflict").says(&first);
    assert_eq!(
        password_of(&sandbox, "shared").await.as_deref(),
        Some("first")
    );
    let turned = rule.replace(
        &format!("[{}, {second}]", sandbox.name("source")),
        &format!("[{second}, {}]", sandbox.name("source")),
    );
    assert_ne!(turned, rule);
    let ran = sandbox.sync(&turned).await.failed_with(1);
    ran.says("1 configured").says("1 conflict");
    assert_eq!(
        password_of(&sandbox, "shared").await.as_deref(),
        Some("second")
    );
}

#[tokio::test]
async fn a_name_that_is_too_long_is_told_and_nothing_is_tried() {
    let sandbox = Sandbox::new("names-long").await;
    sandbox.namespaces(&["source", "team-a"]).await;
    let long = "a".repeat(250);
    sandbox
        .create_secret("source", &secret(&long, &[("k", "v")]))
        .await;
    let rule = sandbox.rule_with("Secret", "names: [\"a*\"]", "name: \"copy-{name}\"");
    let (ran, writes) = sandbox.writes_of(&["sync", "-f", "-"], &rule).await;
    ran.failed_with(1)
        .says("spec.target.name: ")
        .says("more than 253 characters");
    assert_eq!(writes, [""; 0]);
}

#[tokio::test]
async fn a_copy_may_be_in_its_originals_namespace_under_another_name() {
    let sandbox = Sandbox::new("names-beside").await;
    sandbox.namespaces(&["source"]).await;
    sandbox.create_regcred("x").await;
    let before = sandbox.version("source", "regcred").await;
    let rule = sandbox.rule_with("Secret", "names: [regcred]", "name: \"{name}-copy\"");
    let rule = sandbox.aimed(&rule, "source");
    sandbox.sync(&rule).await.succeeded().says("1 created");
    let copy = sandbox
        .secret("source", "regcred-copy")
        .await
        .expect("a copy");
    assert_eq!(text(&copy, "password").as_deref(), Some("x"));
    assert_eq!(sandbox.version("source", "regcred").await, before);
    sandbox.is_in_step(&rule).await;
    let ran = sandbox
        .sync(&sandbox.aimed(&sandbox.rule(), "nobody"))
        .await;
    ran.succeeded().says("1 pruned");
}

#[tokio::test]
async fn globs_that_match_the_copies_themselves_copy_no_copies() {
    let sandbox = Sandbox::new("names-own").await;
    sandbox.namespaces(&["source"]).await;
    sandbox.create_regcred("x").await;
    let rule = sandbox.rule_with("Secret", "names: [\"regcred*\"]", "name: \"{name}-copy\"");
    let rule = sandbox.aimed(&rule, "source");
    sandbox.sync(&rule).await.succeeded().says("1 created");
    sandbox.is_in_step(&rule).await;
    assert_eq!(sandbox.secret("source", "regcred-copy-copy").await, None);
}

#[tokio::test]
async fn another_template_moves_the_copies() {
    let sandbox = Sandbox::new("names-moved").await;
    sandbox.namespaces(&["source", "team-a"]).await;
    sandbox.create_regcred("x").await;
    let rule = |template: &str| {
        sandbox.rule_with(
            "Secret",
            "names: [regcred]",
            &format!("name: \"{template}\""),
        )
    };
    sandbox.sync(&rule("old.{name}")).await.succeeded();
    for dry_run in ["--dry-run", "--dry-run=server"] {
        let ran = sandbox
            .run_on(&["sync", dry_run], &rule("new-{name}"))
            .await;
        ran.succeeded().says("1 created, 1 pruned");
    }
    let ran = sandbox.sync(&rule("new-{name}")).await.succeeded();
    ran.prints("secret/new-regcred created")
        .prints("secret/old.regcred pruned");
    assert_eq!(
        password_of(&sandbox, "new-regcred").await.as_deref(),
        Some("x")
    );
    assert_eq!(sandbox.secret("team-a", "old.regcred").await, None);
}
