//! Providers that fail while rates are watched.

use rustix::process::Signal;
use serde_json::json;

use crate::rates::refresh::{
    answers::{simple, today},
    desk::{Desk, PATH},
    provider::Answer,
};

const OTHER: &str = "/other.json";

#[tokio::test]
async fn a_provider_that_fails_keeps_nobody_waiting_and_is_asked_again() {
    let desk = Desk::new("erw-down").await;
    desk.apply("eur", "currency: USD").await;
    let running = desk.watch(&[]).await;
    desk.eventually_rate("eur", "1.0812").await;
    desk.provider
        .answer(PATH, Answer::Whole(503, "down".to_owned()));
    desk.provider.has(OTHER, simple(today(), "JPY 163.5"));
    desk.patch("eur", json!({"spec": {"maxAge": 9}})).await;
    let other = format!("currency: JPY, providers: [{}]", desk.at(OTHER));
    desk.apply("yen", &other).await;
    desk.eventually_rate("yen", "163.5").await;
    desk.eventually_ready("eur", "HttpStatus").await;
    assert_eq!(
        desk.data("eur").await["rate"],
        "1.0812",
        "the last good one"
    );
    running.says("HTTP 503").await;
    desk.provider.has(PATH, simple(today(), "USD 1.09"));
    desk.eventually_rate("eur", "1.09").await;
    desk.eventually_ready("eur", "Published").await;
    running.stop(Signal::INT).await.failed_with(130);
}

#[tokio::test]
async fn a_provider_that_thinks_keeps_nobody_waiting() {
    let desk = Desk::new("erw-thinks").await;
    let running = desk.watch(&[]).await;
    desk.provider.answer(OTHER, Answer::Never);
    let slow = format!("currency: USD, providers: [{}]", desk.at(OTHER));
    desk.apply("slow", &slow).await;
    desk.provider.is_asked().await;
    desk.apply("eur", "currency: USD").await;
    desk.eventually_rate("eur", "1.0812").await;
    assert!(desk.configmap("slow").await.is_none());
    running.stop(Signal::INT).await.failed_with(130);
}

#[tokio::test]
async fn a_provider_that_wants_to_be_left_alone_is_left_alone() {
    let desk = Desk::new("erw-limited").await;
    desk.provider.answer(PATH, Answer::Limited(12));
    desk.apply("eur", "currency: USD").await;
    let running = desk.watch(&[]).await;
    running.says("it wants no more requests for now").await;
    desk.provider.has(PATH, simple(today(), "USD 1.09"));
    // What is asked for meanwhile doesn't change that.
    desk.apply("till", "currency: USD").await;
    desk.eventually_ready("till", "NoRates").await;
    assert_eq!(desk.provider.targets(), [PATH]);
    desk.eventually_rate("eur", "1.09").await;
    desk.eventually_rate("till", "1.09").await;
    assert_eq!(desk.provider.targets(), [PATH]);
    running.stop(Signal::INT).await.failed_with(130);
}
