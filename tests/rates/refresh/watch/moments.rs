//! Rates that are refreshed when their time has come.

use rustix::process::Signal;

use crate::rates::refresh::{
    answers::{simple, today},
    desk::{Desk, PATH},
    provider::Answer,
};

#[tokio::test]
async fn new_rates_are_published_when_the_provider_has_them_with_one_question_for_all() {
    let desk = Desk::new("erw-news").await;
    let rates = |rates| simple(today(), rates);
    let changing = Answer::Changing(rates("USD 1.0812"), 6, rates("USD 1.09"));
    desk.provider.answer(PATH, changing);
    desk.apply("eur", "currency: USD").await;
    desk.apply("till", "currency: USD").await;
    let running = desk.watch(&[]).await;
    desk.eventually_rate("eur", "1.09").await;
    desk.eventually_rate("till", "1.09").await;
    assert_eq!(desk.provider.targets(), [PATH; 2]);
    running
        .stop(Signal::INT)
        .await
        .says("2 created, 2 configured");
}

#[tokio::test]
async fn whose_schedule_is_their_own_is_not_refreshed_with_the_others() {
    let desk = Desk::new("erw-schedule").await;
    let rates = |rates| simple(today(), rates);
    let changing = Answer::Changing(rates("USD 1.0812"), 6, rates("USD 1.09"));
    desk.provider.answer(PATH, changing);
    desk.apply("yearly", "currency: USD, schedule: '0 0 1 1 *'")
        .await;
    desk.apply("eur", "currency: USD").await;
    let running = desk.watch(&[]).await;
    desk.eventually_rate("eur", "1.09").await;
    assert_eq!(desk.data("yearly").await["rate"], "1.0812");
    running
        .stop(Signal::INT)
        .await
        .says("2 created, 1 configured");
}
