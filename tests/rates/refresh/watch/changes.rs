//! `ExchangeRate`s that come, change, rest and go while they are watched.

use rustix::process::Signal;
use serde_json::json;

use crate::rates::refresh::{
    answers::{simple, today},
    desk::{Desk, PATH},
};

#[tokio::test]
async fn one_that_comes_is_served_and_one_that_changes_too() {
    let desk = Desk::new("erw-comes").await;
    let running = desk.watch(&[]).await;
    desk.apply("eur", "currency: USD").await;
    desk.eventually_rate("eur", "1.0812").await;
    desk.eventually_ready("eur", "Published").await;
    desk.apply("eur", "currency: JPY").await;
    desk.eventually_rate("eur", "163.2").await;
    desk.eventually_ready("eur", "Published").await;
    desk.apply("eur", "currency: JPY, configMap: {name: other}")
        .await;
    desk.eventually_rate("other", "163.2").await;
    desk.eventually("eur", |found| found.is_none()).await;
    // Neither what was written itself nor a status is a reason to ask.
    assert_eq!(desk.provider.targets(), [PATH; 3]);
    running
        .stop(Signal::INT)
        .await
        .says("2 created, 1 configured, 1 pruned");
}

#[tokio::test]
async fn one_that_goes_takes_its_configmap_with_it() {
    let desk = Desk::new("erw-goes").await;
    desk.apply("eur", "currency: USD").await;
    desk.apply("till", "currency: USD").await;
    let running = desk.watch(&[]).await;
    desk.eventually_rate("till", "1.0812").await;
    // It isn't left to the cluster's own controllers.
    desk.delete_alone("eur").await;
    desk.eventually("eur", |found| found.is_none()).await;
    desk.delete("till").await;
    desk.eventually("till", |found| found.is_none()).await;
    desk.apply("eur", "currency: JPY").await;
    desk.eventually_rate("eur", "163.2").await;
    running.stop(Signal::INT).await;
}

#[tokio::test]
async fn one_that_rests_is_left_alone_until_it_goes_on() {
    let desk = Desk::new("erw-rests").await;
    desk.apply("eur", "currency: USD").await;
    let running = desk.watch(&[]).await;
    desk.patch("eur", json!({"spec": {"suspend": true}})).await;
    desk.eventually_ready("eur", "Suspended").await;
    desk.provider.has(PATH, simple(today(), "USD 1.09"));
    desk.edit("eur", json!({"data": {"rate": "9"}})).await;
    desk.apply("later", "currency: USD").await;
    desk.eventually_rate("later", "1.09").await;
    assert_eq!(desk.data("eur").await["rate"], "9");
    desk.patch("eur", json!({"spec": {"suspend": false}})).await;
    desk.eventually_rate("eur", "1.09").await;
    running.says("spec.suspend: it rests").await;
    running.stop(Signal::INT).await;
}

#[tokio::test]
async fn one_that_can_t_be_understood_keeps_nobody_waiting() {
    let desk = Desk::new("erw-invalid").await;
    let running = desk.watch(&[]).await;
    desk.apply("bad", "currency: USD, schedule: '99 * * * *'")
        .await;
    desk.eventually_ready("bad", "Invalid").await;
    desk.apply("eur", "currency: USD").await;
    desk.eventually_rate("eur", "1.0812").await;
    desk.apply("bad", "currency: USD, schedule: '0 * * * *'")
        .await;
    desk.eventually_rate("bad", "1.0812").await;
    running.stop(Signal::INT).await;
}

#[tokio::test]
async fn only_those_are_served_that_are_named_even_if_they_come_later() {
    let desk = Desk::new("erw-named").await;
    desk.apply("other", "currency: USD").await;
    let running = desk.watch(&["eur"]).await;
    desk.apply("eur", "currency: USD").await;
    desk.eventually_rate("eur", "1.0812").await;
    assert!(desk.configmap("other").await.is_none());
    running.stop(Signal::INT).await;
}
