//! The status of an `ExchangeRate` that publishes, and its columns.

use serde_json::{Value, json};
use test_cluster::TestCluster;

use super::{
    answers::{simple, today},
    desk::{Desk, PATH},
};

#[tokio::test]
async fn what_is_published_is_told() {
    let desk = Desk::new("er-told").await;
    desk.apply("eur", "quotes: [USD, JPY]").await;
    desk.refresh().await.succeeded();
    let rate = desk.stored("eur").await;
    let status = &rate["status"];
    let day = today().to_string();
    let rates = json!([
        {"quote": "JPY", "rate": "163.2", "inverse": "0.00612745098", "date": day},
        {"quote": "USD", "rate": "1.0812", "inverse": "0.9248982612", "date": day},
    ]);
    assert_eq!(status["rates"], rates);
    assert_eq!(status["base"], "EUR");
    assert_eq!(status["quotes"], "JPY,USD");
    assert_eq!(status["asOf"], *day);
    assert_eq!(status["provider"], "URL");
    assert_eq!(status["observedGeneration"], rate["metadata"]["generation"]);
    let next = status["nextRefresh"].as_str().expect("a time");
    assert_eq!(next.len(), "2006-01-02T15:04:05Z".len(), "{next}");
    let ready = desk.condition("eur", "Ready").await;
    assert_eq!(
        ready,
        ["True", "Published", "the latest rates are published"]
    );
    let fresh = desk.condition("eur", "Fresh").await;
    let text = format!("the rates are of {day}");
    assert_eq!(fresh, ["True", "UpToDate", &text]);
}

#[tokio::test]
async fn a_schedule_says_when_it_is_refreshed_next() {
    let desk = Desk::new("er-schedule").await;
    desk.apply("eur", "currency: USD, schedule: '30 4 29 2 * UTC'")
        .await;
    desk.refresh().await.succeeded();
    let status = desk.status("eur").await;
    let next = status["nextRefresh"].as_str().expect("a time");
    assert!(next.ends_with("-02-29T04:30:00Z"), "{next}");
    desk.refresh().await.wrote_nothing();
    assert_eq!(desk.status("eur").await, status);
}

#[tokio::test]
async fn an_edited_spec_is_told_with_its_new_generation() {
    let desk = Desk::new("er-edited").await;
    desk.apply("eur", "quotes: [USD, JPY]").await;
    desk.refresh().await.succeeded();
    let before = desk.status("eur").await;
    desk.apply("eur", "quotes: [USD]").await;
    desk.refresh().await.succeeded();
    let after = desk.status("eur").await;
    assert_eq!(before["observedGeneration"], 1);
    assert_eq!(after["observedGeneration"], 2);
    assert_eq!(after["quotes"], "USD");
    assert_eq!(after["rates"].as_array().map(Vec::len), Some(1));
    let times = |status: &Value| {
        let conditions = status["conditions"].as_array().expect("conditions").iter();
        let times = conditions.map(|condition| condition["lastTransitionTime"].clone());
        times.collect::<Vec<_>>()
    };
    assert_eq!(times(&after), times(&before), "both were and are True");
}

#[tokio::test]
async fn kubectl_shows_the_columns() {
    let desk = Desk::new("er-columns").await;
    let rates = "USD 1.0812 JPY 163.2 CHF 0.93 GBP 0.85 SEK 11.2";
    desk.provider.has(PATH, simple(today(), rates));
    desk.apply("eur", "quotes: [USD, JPY, CHF, GBP, SEK]").await;
    desk.refresh().await.succeeded();
    let namespace = desk.namespace();
    let output = TestCluster::shared()
        .kubectl()
        .args(["get", "er", "-n", &namespace])
        .output()
        .expect("kubectl runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let lines: Vec<Vec<&str>> = text
        .lines()
        .map(|line| {
            line.split("   ")
                .map(str::trim)
                .filter(|cell| !cell.is_empty())
                .collect()
        })
        .collect();
    let expected = ["NAME", "BASE", "QUOTES", "AS-OF", "FRESH", "AGE"];
    assert_eq!(lines[0], expected, "{text}");
    let day = today().to_string();
    let cells = ["eur", "EUR", "CHF,GBP,JPY and 2 more", &day, "True"];
    assert_eq!(lines[1][..5], cells, "{text}");
}

#[tokio::test]
async fn the_status_is_that_of_the_namespace_s_own_alone() {
    let desk = Desk::new("er-named").await;
    desk.apply("eur", "quotes: [USD]").await;
    desk.apply("yen", "quotes: [JPY]").await;
    desk.run(&["refresh", "yen"])
        .await
        .succeeded()
        .says("1 created");
    assert_eq!(desk.status("eur").await, Value::Null);
    assert!(desk.configmap("eur").await.is_none());
    assert_eq!(desk.condition("yen", "Ready").await[0], "True");
}
