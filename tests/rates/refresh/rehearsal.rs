//! Runs that only say what would be done: `--dry-run` and `rates diff`.

use super::{
    answers::{simple, today},
    desk::{Desk, PATH},
};

/// A desk with one that is published and has news, one that is new, and one whose owner is gone.
async fn of_three(prefix: &str) -> Desk {
    let desk = Desk::new(prefix).await;
    desk.apply("changed", "currency: USD").await;
    desk.apply("gone", "currency: USD, configMap: {name: gone-one}")
        .await;
    desk.refresh().await.succeeded().says("2 created");
    desk.apply("gone", "currency: USD, configMap: {name: new-one}")
        .await;
    desk.provider.has(PATH, simple(today(), "USD 1.09"));
    desk
}

#[tokio::test]
async fn a_rehearsal_writes_nothing() {
    let desk = of_three("er-dryrun").await;
    let before = [desk.both("changed").await, desk.both("gone").await];
    for (flag, suffix) in [
        ("--dry-run", "(dry run)"),
        ("--dry-run=client", "(dry run)"),
        ("--dry-run=server", "(server dry run)"),
    ] {
        let (ran, writes) = desk.writes_of(&["refresh", flag]).await;
        let ran = ran.succeeded().says("1 created, 1 configured, 1 pruned");
        assert!(
            ran.stdout.lines().all(|line| line.ends_with(suffix)),
            "{ran:#?}"
        );
        if flag == "--dry-run=server" {
            assert_eq!(writes.len(), 3, "{writes:#?}");
            // A deletion has it in its body; that it isn't kept is seen below.
            let is_tried =
                |request: &String| request.contains("dryRun=All") || request.starts_with("DELETE ");
            assert!(writes.iter().all(is_tried), "{writes:#?}");
        } else {
            assert_eq!(writes, [""; 0]);
        }
        assert_eq!(
            [desk.both("changed").await, desk.both("gone").await],
            before,
            "{flag}"
        );
        assert!(desk.configmap("new-one").await.is_none());
        assert!(desk.configmap("gone-one").await.is_some());
    }
}

#[tokio::test]
async fn a_difference_is_shown_and_told_by_the_exit_code() {
    let desk = of_three("er-diff").await;
    let (ran, writes) = desk.writes_of(&["diff"]).await;
    let ran = ran.failed_with(1);
    assert_eq!(writes, [""; 0]);
    for line in [
        "-  rate: \"1.0812\"",
        "+  rate: \"1.09\"",
        "-        \"USD\": \"1.0812\"",
        "+        \"USD\": \"1.09\"",
        "-  name: gone-one",
        "+  name: new-one",
    ] {
        let is_there = ran.stdout.lines().any(|other| other == line);
        assert!(is_there, "no {line:?} in {}", ran.stdout);
    }
    let ran = desk.run(&["diff", "--prune=false"]).await.failed_with(1);
    assert!(!ran.stdout.contains("gone-one"), "{ran:#?}");
    desk.refresh().await.succeeded();
    let ran = desk.run(&["diff"]).await.succeeded();
    assert_eq!(ran.stdout, "");
}

#[tokio::test]
async fn an_error_of_diff_is_more_than_a_difference() {
    let desk = Desk::new("er-differror").await;
    let gone = format!("currency: USD, providers: [{}]", desk.at("/gone.json"));
    desk.apply("eur", &gone).await;
    let ran = desk.run(&["diff"]).await.failed_with(2);
    ran.says("no provider has good rates");
    let ran = desk.run(&["diff", "nobody"]).await.failed_with(2);
    ran.says("not found");
}

#[tokio::test]
async fn kept_rates_are_no_difference() {
    let desk = Desk::new("er-diffkept").await;
    desk.apply("eur", "currency: USD").await;
    desk.refresh().await.succeeded();
    let gone = super::provider::Answer::Whole(404, String::new());
    desk.provider.answer(PATH, gone);
    let ran = desk.run(&["diff"]).await.succeeded();
    ran.says("are kept: ");
}
