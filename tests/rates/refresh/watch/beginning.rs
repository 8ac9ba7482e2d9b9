//! How a watch begins and ends, and what it finds there.

use rustix::process::Signal;

use super::watched::READY;
use crate::{
    rates::refresh::{
        answers::{simple, today},
        desk::{Desk, PATH},
        provider::Answer,
    },
    sandbox::Sandbox,
};

#[tokio::test]
async fn what_is_there_is_served_with_one_question_for_all() {
    let desk = Desk::new("erw-first").await;
    for name in ["eur", "till", "web"] {
        desk.apply(name, "currency: USD").await;
    }
    let running = desk.watch(&[]).await;
    for name in ["eur", "till", "web"] {
        desk.eventually_rate(name, "1.0812").await;
        let line = format!("configmap/{name} created in namespace {}", desk.namespace());
        running.prints(&line).await;
    }
    assert_eq!(desk.provider.targets(), [PATH]);
    let ran = running.stop(Signal::INT).await.failed_with(130);
    ran.says("3 created");
}

#[tokio::test]
async fn a_watch_ends_at_once_although_a_provider_thinks() {
    let desk = Desk::new("erw-term").await;
    desk.provider.answer("/slow.json", Answer::Never);
    let spec = format!("currency: USD, providers: [{}]", desk.at("/slow.json"));
    desk.apply("slow", &spec).await;
    let running = desk.program(&["refresh", "--watch"]).start().await;
    desk.provider.is_asked().await;
    let ran = running.stop(Signal::TERM).await.failed_with(143);
    assert!(!ran.stderr.contains("error"), "{ran:#?}");
    assert!(desk.configmap("slow").await.is_none());
}

#[tokio::test]
async fn what_was_published_in_time_is_not_asked_for_again() {
    let desk = Desk::new("erw-again").await;
    desk.apply("eur", "currency: USD, schedule: '0 0 1 1 *'")
        .await;
    desk.refresh().await.succeeded().says("1 created");
    desk.provider.has(PATH, simple(today(), "USD 1.09"));
    desk.provider.requests();
    let before = desk.both("eur").await;
    let running = desk.watch(&[]).await;
    assert_eq!(desk.both("eur").await, before);
    assert_eq!(desk.provider.targets(), [""; 0], "its time hasn't come");
    running.stop(Signal::INT).await;
    let running = desk.watch(&["--provider=URL"]).await;
    desk.eventually_rate("eur", "1.09").await;
    running.stop(Signal::INT).await;
}

#[tokio::test]
async fn what_was_damaged_meanwhile_is_mended_at_the_beginning() {
    let desk = Desk::new("erw-meanwhile").await;
    for name in ["edited", "deleted", "changed", "whole"] {
        let schedule = "schedule: '0 0 1 1 *'";
        desk.apply(name, &format!("currency: USD, {schedule}"))
            .await;
    }
    desk.refresh().await.succeeded().says("4 created");
    desk.edit("edited", serde_json::json!({"data": {"rate": "9"}}))
        .await;
    desk.delete_configmap("deleted").await;
    desk.apply("changed", "currency: JPY").await;
    desk.provider.has(PATH, simple(today(), "USD 1.09 JPY 164"));
    let running = desk.watch(&[]).await;
    for (name, rate) in [("edited", "1.09"), ("deleted", "1.09"), ("changed", "164")] {
        desk.eventually_rate(name, rate).await;
    }
    assert_eq!(desk.data("whole").await["rate"], "1.0812");
    running.stop(Signal::INT).await;
}

#[tokio::test]
async fn a_watch_waits_for_the_definition() {
    let desk = Desk::in_sandbox(Sandbox::blank("erw-blank").await).await;
    let running = desk.program(&["refresh", "--watch"]).start().await;
    running.says("trying again").await;
    desk.sandbox.run(&["crd", "install"]).await.succeeded();
    running.says(READY).await;
    desk.apply("eur", "currency: USD").await;
    desk.eventually_rate("eur", "1.0812").await;
    desk.sandbox
        .run(&["crd", "uninstall", "--yes", "--force"])
        .await
        .succeeded();
    running.stop(Signal::INT).await.failed_with(130);
}

#[tokio::test]
async fn flags_without_a_meaning_are_refused() {
    let desk = Desk::new("erw-flags").await;
    for flag in ["--dry-run", "--fail-fast", "-ojson"] {
        let ran = desk.run(&["refresh", "--watch", flag]).await.failed_with(1);
        ran.says("contradict each other");
    }
}
