//! Rates that are too old: marked, told, and taken back once they are fresh again.

use super::{
    answers::{days_ago, simple, today},
    desk::{Desk, PATH, RATES},
    provider::Answer,
};
use crate::sandbox::annotation;

/// A desk whose rates are of a month ago, when they were believed.
async fn of_a_month_ago(prefix: &str) -> Desk {
    let desk = Desk::new(prefix).await;
    desk.provider.has(PATH, simple(days_ago(30), RATES));
    desk.apply("eur", "quotes: [USD, JPY], maxAge: 60").await;
    desk.refresh().await.succeeded().says("1 created");
    desk
}

impl Desk {
    /// The two annotations of stale rates.
    async fn stale_marks(&self) -> [Option<String>; 2] {
        let published = self.configmap("eur").await.expect("it is published");
        ["copyrator.dev/stale", "copyrator.dev/stale-reason"]
            .map(|key| annotation(&published, key).map(ToOwned::to_owned))
    }
}

fn marks(reason: &str) -> [Option<String>; 2] {
    [Some("true".to_owned()), Some(reason.to_owned())]
}

#[tokio::test]
async fn rates_that_are_too_old_are_marked_and_told_and_taken_back() {
    let desk = of_a_month_ago("er-stale").await;
    let before = desk.data("eur").await;
    assert_eq!(desk.stale_marks().await, [None, None]);
    desk.apply("eur", "quotes: [USD, JPY]").await;
    desk.provider
        .answer(PATH, Answer::Whole(500, String::new()));
    let ran = desk.refresh().await.failed_with(1);
    let text = format!("its rates of {} are stale, ", days_ago(30));
    ran.says(&text).says("HTTP 500");
    assert_eq!(desk.data("eur").await, before, "the rates stay");
    assert_eq!(desk.stale_marks().await, marks("HttpStatus"));
    let fresh = desk.condition("eur", "Fresh").await;
    assert_eq!(fresh[..2], ["False", "HttpStatus"]);
    let ready = desk.condition("eur", "Ready").await;
    assert_eq!(ready[..2], ["False", "HttpStatus"]);
    let (ran, writes) = desk.writes_of(&["refresh"]).await;
    ran.failed_with(1);
    assert_eq!(writes, [""; 0], "it is told already");
    desk.provider.has(PATH, simple(today(), RATES));
    desk.refresh().await.succeeded().says("1 configured");
    assert_eq!(desk.stale_marks().await, [None, None]);
    let fresh = desk.condition("eur", "Fresh").await;
    assert_eq!(fresh[..2], ["True", "UpToDate"]);
    assert_eq!(desk.condition("eur", "Ready").await[0], "True");
    desk.refresh().await.wrote_nothing();
}

#[tokio::test]
async fn a_provider_that_has_nothing_newer_makes_rates_stale_too() {
    let desk = of_a_month_ago("er-nothing").await;
    desk.apply("eur", "quotes: [USD, JPY]").await;
    desk.refresh().await.failed_with(1);
    assert_eq!(desk.stale_marks().await, marks("NothingNewer"));
    let [_, reason, message] = desk.condition("eur", "Fresh").await;
    assert_eq!(reason, "NothingNewer");
    assert!(message.contains("the latest rates are as of"), "{message}");
}

#[tokio::test]
async fn stale_rates_are_published_if_there_are_no_others() {
    let desk = Desk::new("er-old").await;
    desk.provider.has(PATH, simple(days_ago(30), RATES));
    desk.apply("eur", "quotes: [USD, JPY]").await;
    desk.refresh().await.failed_with(1).says("1 created");
    assert_eq!(desk.stale_marks().await, marks("NothingNewer"));
    assert_eq!(desk.data("eur").await["date"], days_ago(30).to_string());
}

#[tokio::test]
async fn the_exit_code_is_the_one_that_was_asked_for() {
    let desk = of_a_month_ago("er-exit").await;
    desk.apply("eur", "quotes: [USD, JPY]").await;
    for (flag, code) in [("--exit-stale=3", 3), ("--exit-stale=0", 0)] {
        desk.run(&["refresh", flag]).await.failed_with(code);
    }
    let gone = format!("currency: USD, providers: [{}]", desk.at("/gone.json"));
    desk.apply("usd", &gone).await;
    let ran = desk.run(&["refresh", "--exit-stale=3"]).await;
    ran.failed_with(1).says("usd: no provider has good rates");
}
