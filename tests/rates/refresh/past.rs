//! The history: filled once, kept as long as is asked for, and never fetched in vain.

use jiff::civil::Date;
use kube::ResourceExt as _;

use super::{
    answers::{days_ago, ecb, today},
    desk::Desk,
    provider::Answer,
};
use crate::sandbox::annotation;

const DAILY: &str = "/ecb/eurofxref-daily.xml";
const PAST: &str = "/ecb/eurofxref-hist-90d.xml";
const ALL: &str = "/ecb/eurofxref-hist.xml";

/// The rates of the day so many days ago, which no other day has.
fn rates_of(ago: i32) -> String {
    format!("USD 1.{:03} JPY 16{:03}.5", 500 - ago, 500 - ago)
}

/// A mirror of the European Central Bank as it is so many days ago.
async fn as_of(prefix: &str, ago: i32, fields: &str) -> Desk {
    let desk = Desk::new(prefix).await;
    desk.ecb_is_as_of(ago);
    desk.apply_ecb("eur", fields).await;
    desk
}

impl Desk {
    /// From now on, the latest rates are those of so many days ago.
    fn ecb_is_as_of(&self, ago: i32) {
        let file = |days: i32| {
            let days: Vec<(Date, String)> = (ago..ago + days)
                .map(|ago| (days_ago(ago), rates_of(ago)))
                .collect();
            let days: Vec<(Date, &str)> = days
                .iter()
                .map(|(day, rates)| (*day, rates.as_str()))
                .collect();
            ecb(&days)
        };
        self.provider.has(DAILY, file(1));
        self.provider.has(PAST, file(90));
        self.provider.has(ALL, file(200));
    }

    /// Puts one into the cluster that asks the mirror.
    async fn apply_ecb(&self, name: &str, fields: &str) {
        let url = self.provider.url("/ecb");
        let spec = format!("{fields}, maxAge: 100, providers: [{{type: ECB, url: '{url}'}}]");
        self.apply(name, &spec).await;
    }

    /// The history of `eur` without its header.
    async fn history(&self) -> Vec<String> {
        let data = self.data("eur").await;
        let lines = data["history.csv"].lines().skip(1);
        lines.map(ToOwned::to_owned).collect()
    }

    /// The days of the history.
    async fn days(&self) -> Vec<String> {
        let history = self.history().await;
        let days = history.iter().filter_map(|line| line.split(',').next());
        days.map(ToOwned::to_owned).collect()
    }
}

/// The days from so many days ago to so many days ago.
fn days(from: i32, to: i32) -> Vec<String> {
    let days = (to..=from).rev();
    days.map(|ago| days_ago(ago).to_string()).collect()
}

#[tokio::test]
async fn it_is_filled_once_and_then_the_latest_rates_are_enough() {
    let desk = as_of("er-past", 0, "currency: USD, history: 10").await;
    desk.refresh().await.succeeded();
    assert_eq!(desk.provider.targets(), [PAST]);
    assert_eq!(desk.days().await, days(9, 0));
    let first = &desk.history().await[0];
    let begin = format!("{},EUR,USD,1.491,", days_ago(9));
    assert!(first.starts_with(&begin), "{first}");
    for _ in 0..2 {
        desk.refresh().await.wrote_nothing();
        assert_eq!(desk.provider.targets(), [DAILY]);
    }
}

#[tokio::test]
async fn each_day_is_added_and_the_oldest_goes() {
    let desk = as_of("er-ring", 1, "currency: USD, history: 5").await;
    desk.refresh().await.succeeded();
    assert_eq!(desk.days().await, days(5, 1));
    desk.provider.targets();
    // The day after today is believed, too: somewhere it has begun.
    for ago in [0, -1] {
        desk.ecb_is_as_of(ago);
        desk.refresh().await.succeeded().says("1 configured");
        assert_eq!(desk.provider.targets(), [DAILY]);
        assert_eq!(desk.days().await, days(ago + 4, ago));
    }
}

#[tokio::test]
async fn days_that_were_slept_through_are_fetched() {
    let desk = as_of("er-slept", 20, "currency: USD, history: 30").await;
    desk.refresh().await.succeeded();
    desk.provider.targets();
    desk.ecb_is_as_of(0);
    desk.refresh().await.succeeded();
    assert_eq!(desk.provider.targets(), [PAST]);
    assert_eq!(desk.days().await, days(29, 0));
    desk.refresh().await.wrote_nothing();
    assert_eq!(desk.provider.targets(), [DAILY]);
}

#[tokio::test]
async fn a_longer_one_is_filled_and_a_shorter_one_is_cut() {
    let desk = as_of("er-longer", 0, "currency: USD, history: 5").await;
    desk.refresh().await.succeeded();
    for (history, fetched) in [(20, PAST), (8, DAILY), (120, ALL)] {
        desk.provider.targets();
        desk.apply_ecb("eur", &format!("currency: USD, history: {history}"))
            .await;
        desk.refresh().await.succeeded().says("1 configured");
        assert_eq!(desk.provider.targets(), [fetched], "{history}");
        assert_eq!(desk.days().await, days(history - 1, 0));
    }
    desk.apply_ecb("eur", "currency: USD").await;
    desk.refresh().await.succeeded();
    assert!(!desk.data("eur").await.contains_key("history.csv"));
    let published = desk.configmap("eur").await.expect("it is there");
    assert_eq!(annotation(&published, "copyrator.dev/history-since"), None);
}

#[tokio::test]
async fn another_quote_has_a_history_of_its_own() {
    let desk = as_of("er-quotes", 0, "quotes: [USD], history: 4").await;
    desk.refresh().await.succeeded();
    desk.provider.targets();
    desk.apply_ecb("eur", "quotes: [JPY, USD], history: 4")
        .await;
    desk.refresh().await.succeeded();
    assert_eq!(desk.provider.targets(), [PAST]);
    let both = |ago| [days_ago(ago).to_string(), days_ago(ago).to_string()];
    let expected: Vec<String> = (0..4).rev().flat_map(both).collect();
    assert_eq!(desk.days().await, expected);
    desk.apply_ecb("eur", "quotes: [JPY], history: 4").await;
    desk.refresh().await.succeeded();
    let history = desk.history().await;
    assert!(
        history.iter().all(|line| line.contains(",JPY,")),
        "{history:?}"
    );
    assert_eq!(desk.days().await, days(3, 0));
}

#[tokio::test]
async fn another_base_has_a_history_of_its_own() {
    let desk = as_of("er-base", 0, "base: EUR, quotes: [USD], history: 4").await;
    desk.refresh().await.succeeded();
    desk.apply_ecb("eur", "base: JPY, quotes: [USD], history: 4")
        .await;
    desk.provider.targets();
    desk.refresh().await.succeeded();
    assert_eq!(desk.provider.targets(), [PAST]);
    let history = desk.history().await;
    assert!(
        history.iter().all(|line| line.contains(",JPY,USD,")),
        "{history:?}"
    );
    assert_eq!(history.len(), 4);
}

#[tokio::test]
async fn it_is_kept_while_the_provider_is_down_and_filled_afterwards() {
    let desk = as_of("er-pastdown", 3, "currency: USD, history: 6").await;
    desk.refresh().await.succeeded();
    let before = desk.data("eur").await;
    for path in [DAILY, PAST] {
        desk.provider
            .answer(path, Answer::Whole(404, String::new()));
    }
    desk.refresh().await.wrote_nothing();
    assert_eq!(desk.data("eur").await, before);
    desk.ecb_is_as_of(0);
    desk.refresh().await.succeeded().says("1 configured");
    assert_eq!(desk.data("eur").await["rate"], "1.5");
    assert_eq!(desk.days().await.last(), Some(&today().to_string()));
}

#[tokio::test]
async fn a_lost_configmap_is_filled_anew() {
    let desk = as_of("er-pastlost", 0, "currency: USD, history: 6").await;
    desk.refresh().await.succeeded();
    let before = desk.data("eur").await;
    desk.delete_configmap("eur").await;
    desk.provider.targets();
    desk.refresh().await.succeeded();
    assert_eq!(desk.provider.targets(), [PAST]);
    assert_eq!(desk.data("eur").await, before);
}

#[tokio::test]
async fn those_who_want_different_lengths_ask_once() {
    let desk = as_of("er-lengths", 0, "currency: USD, history: 5").await;
    desk.apply_ecb("long", "currency: USD, history: 40").await;
    desk.apply_ecb("none", "currency: USD").await;
    desk.refresh().await.succeeded().says("3 created");
    assert_eq!(desk.provider.targets(), [PAST]);
    assert_eq!(desk.days().await, days(4, 0));
    let long = desk.data("long").await;
    assert_eq!(long["history.csv"].lines().count(), 41);
    assert!(!desk.data("none").await.contains_key("history.csv"));
    desk.refresh().await.wrote_nothing();
    assert_eq!(desk.provider.targets(), [DAILY]);
    let published = desk.configmap("long").await.expect("it is there");
    let since = published.annotations()["copyrator.dev/history-since"].clone();
    // Some days more, in case the newest rates are older than today.
    assert_eq!(since, days_ago(39 + 7).to_string());
}
