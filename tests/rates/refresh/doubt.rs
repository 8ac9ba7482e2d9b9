//! Rates that can't be right aren't published.

use std::collections::BTreeMap;

use jiff::civil::Date;

use super::{
    answers::{days_ago, simple, today},
    desk::{Desk, PATH, RATES},
};

/// A desk that has published [`RATES`] as of a day.
async fn published(prefix: &str, day: Date, fields: &str) -> Desk {
    let desk = Desk::new(prefix).await;
    desk.provider.has(PATH, simple(day, RATES));
    let fields = format!("quotes: [USD, JPY], maxAge: 30{fields}");
    desk.apply("eur", &fields).await;
    desk.refresh().await.succeeded().says("1 created");
    desk
}

impl Desk {
    /// Asserts that these rates of a day are refused for this reason, and nothing is changed.
    async fn refuses(&self, day: Date, rates: &str, reason: &str, text: &str) {
        let before = self.configmap("eur").await;
        self.provider.has(PATH, simple(day, rates));
        self.refresh().await.succeeded().says(text);
        assert_eq!(self.configmap("eur").await, before);
        let [ready, told, message] = self.condition("eur", "Ready").await;
        assert_eq!([&*ready, &*told], ["False", reason], "{message}");
        assert!(message.contains(text), "{message}");
    }

    /// Asserts that these rates of a day are published.
    async fn believes(&self, day: Date, rates: &str) {
        self.provider.has(PATH, simple(day, rates));
        self.refresh().await.succeeded().says("1 configured");
        assert_eq!(self.condition("eur", "Ready").await[0], "True");
    }
}

#[tokio::test]
async fn rates_that_are_no_rates_are_refused() {
    let desk = published("er-negative", days_ago(1), "").await;
    for rate in ["-1.08", "0", "NaN", "1e400"] {
        let rates = format!("USD {rate} JPY 163.2");
        let text = "its rate of USD can't be used";
        desk.refuses(today(), &rates, "InvalidAnswer", text).await;
    }
}

#[tokio::test]
async fn older_rates_are_refused() {
    let desk = published("er-back", days_ago(1), "").await;
    let text = format!(
        "the rate is of {}, older than the last good one",
        days_ago(2)
    );
    let rates = "USD 1.09 JPY 163.2";
    desk.refuses(days_ago(2), rates, "DateGoesBack", &text)
        .await;
    desk.believes(today(), rates).await;
}

#[tokio::test]
async fn rates_of_a_day_to_come_are_refused() {
    let desk = published("er-ahead", days_ago(1), "").await;
    let rates = "USD 1.09 JPY 163.2";
    desk.refuses(days_ago(-3), rates, "DateAhead", "but today is ")
        .await;
}

#[tokio::test]
async fn a_jump_is_refused_until_it_is_allowed() {
    let desk = published("er-jump", days_ago(1), "").await;
    let rates = "USD 1.4 JPY 163.2";
    let text = "USD: the rate is 1.4, and the last good one";
    desk.refuses(today(), rates, "JumpTooLarge", text).await;
    desk.refuses(
        today(),
        "USD 0.8 JPY 163.2",
        "JumpTooLarge",
        "more than 25%",
    )
    .await;
    desk.believes(today(), "USD 1.35 JPY 163.2").await;
    desk.apply("eur", "quotes: [USD, JPY], maxAge: 30, maxChange: 1%")
        .await;
    desk.refuses(today(), rates, "JumpTooLarge", "more than 1%")
        .await;
    desk.apply("eur", "quotes: [USD, JPY], maxAge: 30, maxChange: 4%")
        .await;
    desk.believes(today(), rates).await;
}

#[tokio::test]
async fn what_somebody_edited_is_no_measure() {
    let desk = published("er-forged", days_ago(1), "").await;
    let data = desk.data("eur").await;
    let forged = |(key, text): (&String, &String)| (key.clone(), text.replace("1.0812", "1.3"));
    let forged: BTreeMap<String, String> = data.iter().map(forged).collect();
    assert_ne!(forged["rates.json"], data["rates.json"]);
    desk.edit("eur", serde_json::json!({"data": forged})).await;
    // The status still knows the last good rate.
    desk.provider
        .has(PATH, simple(today(), "USD 1.4 JPY 163.2"));
    desk.refresh().await.succeeded().says("1 configured");
    assert_eq!(desk.data("eur").await["USD"], "1.0812");
    assert_eq!(desk.condition("eur", "Ready").await[1], "JumpTooLarge");
}
