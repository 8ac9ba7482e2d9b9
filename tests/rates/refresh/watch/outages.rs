//! An API server that goes away and comes back while it is watched.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use rustix::process::Signal;
use serde_json::json;

use super::watched::READY;
use crate::{rates::refresh::desk::Desk, sandbox::Fault};

#[tokio::test]
async fn what_happened_while_the_api_server_was_away_is_made_up_for() {
    let desk = Desk::new("erw-away").await;
    desk.apply("eur", "currency: USD").await;
    let is_away = Arc::new(AtomicBool::new(false));
    let away = Arc::clone(&is_away);
    let proxy = desk.sandbox.proxy(move |_, _| {
        if away.load(Ordering::SeqCst) {
            Fault::CutBeforeBody
        } else {
            Fault::None
        }
    });
    let proxy = proxy.await;
    let arguments = desk.arguments(&["refresh", "--watch"]);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let running = proxy.program(&arguments).start().await;
    running.says(READY).await;
    is_away.store(true, Ordering::SeqCst);
    proxy.cut_watches();
    desk.edit("eur", json!({"data": {"rate": "9"}})).await;
    desk.apply("till", "currency: JPY").await;
    running.says("trying again").await;
    is_away.store(false, Ordering::SeqCst);
    desk.eventually_rate("eur", "1.0812").await;
    desk.eventually_rate("till", "163.2").await;
    running.stop(Signal::INT).await.failed_with(130);
}

#[tokio::test]
async fn a_watch_that_ends_goes_on_where_it_was() {
    let desk = Desk::new("erw-cut").await;
    let proxy = desk.sandbox.proxy(|_, _| Fault::None).await;
    let arguments = desk.arguments(&["refresh", "--watch"]);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let running = proxy.program(&arguments).start().await;
    running.says(READY).await;
    for (name, currency, rate) in [("eur", "USD", "1.0812"), ("yen", "JPY", "163.2")] {
        proxy.cut_watches();
        desk.apply(name, &format!("currency: {currency}")).await;
        desk.eventually_rate(name, rate).await;
    }
    running.stop(Signal::INT).await.says("2 created");
}

#[tokio::test]
async fn what_was_not_heard_is_found_once_in_a_while() {
    let desk = Desk::new("erw-deaf").await;
    for name in ["eur", "gone", "whole"] {
        desk.apply(name, "currency: USD").await;
    }
    let proxy = desk.sandbox.proxy(|_, _| Fault::None).await;
    let arguments = desk.arguments(&["refresh", "--watch", "--resync=4s"]);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let running = proxy.program(&arguments).start().await;
    running.says(READY).await;
    proxy.swallow_events(true);
    desk.edit("eur", json!({"data": {"rate": "9"}})).await;
    desk.apply("new", "currency: JPY").await;
    desk.delete_alone("gone").await;
    desk.eventually_rate("eur", "1.0812").await;
    desk.eventually_rate("new", "163.2").await;
    desk.eventually("gone", |found| found.is_none()).await;
    running.stop(Signal::INT).await.failed_with(130);
}

#[tokio::test]
async fn while_nothing_happens_nothing_is_asked() {
    let desk = Desk::new("erw-idle").await;
    desk.apply("eur", "currency: USD").await;
    let proxy = desk.sandbox.proxy(|_, _| Fault::None).await;
    let arguments = desk.arguments(&["refresh", "--watch"]);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let running = proxy.program(&arguments).start().await;
    running.says(READY).await;
    desk.eventually_ready("eur", "Published").await;
    desk.provider.requests();
    // Longer than anything is put off that happens by itself.
    let time = Duration::from_secs(4);
    proxy.rests(time, |one| !one.contains("watch=true")).await;
    assert_eq!(desk.provider.targets(), [""; 0]);
    running.stop(Signal::INT).await.failed_with(130);
}
