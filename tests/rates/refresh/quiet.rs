//! A run that has no news writes nothing at all.

use jiff::{SignedDuration, Timestamp};

use super::{
    answers::{ecb, simple, today},
    desk::{Desk, PATH, RATES},
};

/// A desk that has published `eur` with its history.
async fn published(prefix: &str) -> Desk {
    let desk = Desk::new(prefix).await;
    desk.apply("eur", "quotes: [USD, JPY], history: 10").await;
    desk.refresh().await.succeeded().says("1 created");
    desk
}

impl Desk {
    /// Asserts that these arguments succeed without a single write, statuses included.
    async fn writes_nothing(&self, arguments: &[&str]) {
        let before = self.both("eur").await;
        let (ran, writes) = self.writes_of(arguments).await;
        ran.wrote_nothing();
        assert_eq!(writes, [""; 0], "{arguments:?}");
        assert_eq!(self.both("eur").await, before, "{arguments:?}");
    }
}

#[tokio::test]
async fn a_second_run_writes_nothing() {
    let desk = published("er-second").await;
    for arguments in [
        &["refresh"][..],
        &["refresh", "eur"],
        &["refresh", "--verify"],
        &["refresh", "--no-cache"],
        &["refresh", "--provider", "URL"],
        &["diff"],
    ] {
        desk.writes_nothing(arguments).await;
    }
}

#[tokio::test]
async fn equal_rates_in_another_form_write_nothing() {
    let desk = published("er-equal").await;
    for rates in ["USD 1.08120 JPY 163.20", "CHF 0.9 JPY 163.200 USD 1.0812"] {
        desk.provider.has(PATH, simple(today(), rates));
        desk.writes_nothing(&["refresh"]).await;
    }
}

#[tokio::test]
async fn a_later_fetch_and_a_new_announcement_write_no_configmap() {
    let desk = published("er-announced").await;
    let before = desk.configmap("eur").await;
    for hours in [1, 2] {
        let next = Timestamp::now() + SignedDuration::from_hours(hours);
        let announced = format!(
            r#"{{"base":"EUR","date":"{}","rates":{{"USD":"1.0812","JPY":163.2}},"nextUpdate":"{next}"}}"#,
            today()
        );
        desk.provider.has(PATH, announced);
        desk.run(&["refresh", "--no-cache"]).await.wrote_nothing();
        assert_eq!(desk.configmap("eur").await, before);
    }
    // Until then the answer is kept, and nothing is asked or written.
    desk.provider.requests();
    desk.writes_nothing(&["refresh"]).await;
    assert_eq!(desk.provider.targets(), [""; 0]);
}

#[tokio::test]
async fn another_provider_with_equal_rates_writes_no_configmap() {
    let desk = published("er-moved").await;
    let before = desk.configmap("eur").await;
    desk.provider.has("/ecb.xml", ecb(&[(today(), RATES)]));
    let mirror = format!(
        "quotes: [USD, JPY], history: 10, providers: [{{type: ECB, url: '{}'}}]",
        desk.provider.url("/ecb.xml")
    );
    desk.apply("eur", &mirror).await;
    desk.refresh().await.wrote_nothing();
    assert_eq!(desk.configmap("eur").await, before);
    assert_eq!(desk.status("eur").await["provider"], "ECB");
    desk.writes_nothing(&["refresh"]).await;
}

#[tokio::test]
async fn a_new_rate_is_one_write_of_the_configmap_and_one_of_the_status() {
    let desk = published("er-news").await;
    desk.provider
        .has(PATH, simple(today(), "USD 1.09 JPY 163.2"));
    let (ran, writes) = desk.writes_of(&["refresh"]).await;
    ran.succeeded().says("1 configured");
    let paths: Vec<&str> = writes
        .iter()
        .filter_map(|request| request.split(['?', ' ']).nth(1))
        .collect();
    let namespace = desk.namespace();
    let expected = [
        format!("/api/v1/namespaces/{namespace}/configmaps/eur"),
        format!("/apis/copyrator.dev/v1alpha1/namespaces/{namespace}/exchangerates/eur/status"),
    ];
    assert_eq!(paths, expected);
    assert_eq!(desk.data("eur").await["USD"], "1.09");
    desk.writes_nothing(&["refresh"]).await;
}
