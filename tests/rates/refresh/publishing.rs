//! The first refresh: the ConfigMap, exactly.

use kube::ResourceExt as _;

use super::{answers::today, desk::Desk};
use crate::sandbox::{annotation, label};

#[tokio::test]
async fn a_single_quote_is_published_with_its_inverse_and_date() {
    let desk = Desk::new("er-single").await;
    desk.apply("eur", "currency: USD").await;
    let ran = desk.refresh().await.succeeded();
    let line = format!("configmap/eur created in namespace {}\n", desk.namespace());
    assert_eq!(ran.stdout, line);
    let day = today();
    let expected = [
        ("USD", "1.0812".to_owned()),
        ("USD_INVERSE", "0.9248982612".to_owned()),
        ("date", day.to_string()),
        ("inverse", "0.9248982612".to_owned()),
        ("rate", "1.0812".to_owned()),
        (
            "rates.csv",
            format!("date,base,quote,rate,inverse\n{day},EUR,USD,1.0812,0.9248982612\n"),
        ),
        (
            "rates.env",
            format!("BASE=EUR\nDATE={day}\nUSD=1.0812\nUSD_INVERSE=0.9248982612\n"),
        ),
        (
            "rates.json",
            format!(
                r#"{{
  "base": "EUR",
  "date": "{day}",
  "rates": {{
    "USD": "1.0812"
  }},
  "inverse": {{
    "USD": "0.9248982612"
  }}
}}
"#
            ),
        ),
    ]
    .map(|(key, value)| (key.to_owned(), value));
    assert_eq!(desk.data("eur").await, expected.into());
}

#[tokio::test]
async fn several_quotes_have_keys_of_their_own_and_no_rate() {
    let desk = Desk::new("er-several").await;
    desk.apply("eur", "quotes: [USD, JPY], history: 5").await;
    desk.refresh().await.succeeded();
    let data = desk.data("eur").await;
    let keys: Vec<&str> = data.keys().map(String::as_str).collect();
    let expected = [
        "JPY",
        "JPY_INVERSE",
        "USD",
        "USD_INVERSE",
        "date",
        "history.csv",
        "rates.csv",
        "rates.env",
        "rates.json",
    ];
    assert_eq!(keys, expected);
    assert_eq!(data["JPY"], "163.2");
    assert_eq!(data["JPY_INVERSE"], "0.00612745098");
    let day = today();
    let rows = format!(
        "date,base,quote,rate,inverse\n{day},EUR,JPY,163.2,0.00612745098\n\
         {day},EUR,USD,1.0812,0.9248982612\n"
    );
    assert_eq!(data["rates.csv"], rows);
    assert_eq!(data["history.csv"], rows);
}

#[tokio::test]
async fn another_base_is_reckoned_from_the_providers() {
    let desk = Desk::new("er-cross").await;
    desk.apply("usd", "base: USD, quotes: [EUR, JPY]").await;
    desk.refresh().await.succeeded();
    let data = desk.data("usd").await;
    assert_eq!(data["EUR"], "0.9248982612");
    assert_eq!(data["EUR_INVERSE"], "1.0812");
    assert_eq!(data["JPY"], "150.9433962");
    assert_eq!(data["JPY_INVERSE"], "0.006625");
}

#[tokio::test]
async fn the_configmap_has_its_name_its_marks_and_its_owner() {
    let desk = Desk::new("er-marks").await;
    let template = "configMap: {name: prices, labels: {team: shop}, annotations: {note: 'for the till'}, keys: [rate, date]}";
    desk.apply("eur", &format!("currency: USD, {template}"))
        .await;
    desk.refresh().await.succeeded();
    assert!(desk.configmap("eur").await.is_none());
    let published = desk.configmap("prices").await.expect("it is published");
    let data = published.data.clone().unwrap_or_default();
    let keys: Vec<&String> = data.keys().collect();
    assert_eq!(keys, ["date", "rate"]);
    for (key, value) in [
        ("app.kubernetes.io/managed-by", "kubectl-copyrator"),
        ("copyrator.dev/exchange-rate", "eur"),
        ("copyrator.dev/set", "cluster"),
        ("team", "shop"),
    ] {
        assert_eq!(label(&published, key), Some(value), "{key}");
    }
    let namespace = desk.namespace();
    for (key, value) in [
        ("copyrator.dev/owner", format!("cluster/{namespace}/eur")),
        ("copyrator.dev/target", format!("{namespace}/prices")),
        ("note", "for the till".to_owned()),
    ] {
        assert_eq!(annotation(&published, key), Some(&*value), "{key}");
    }
    assert_eq!(annotation(&published, "copyrator.dev/stale"), None);
    let [owner] = published.owner_references() else {
        panic!("{published:#?}");
    };
    let rate = desk.stored("eur").await;
    assert_eq!(owner.uid, rate["metadata"]["uid"]);
    assert_eq!((&*owner.kind, &*owner.name), ("ExchangeRate", "eur"));
    assert_eq!(owner.api_version, "copyrator.dev/v1alpha1");
    assert_eq!(owner.controller, Some(true));
}

#[tokio::test]
async fn what_the_template_no_longer_says_is_taken_back() {
    let desk = Desk::new("er-template").await;
    desk.apply("eur", "currency: USD, configMap: {labels: {team: shop}}")
        .await;
    desk.refresh().await.succeeded();
    let other = "currency: USD, configMap: {labels: {team: till}, keys: [rate, rates.json]}";
    desk.apply("eur", other).await;
    desk.refresh().await.succeeded().says("1 configured");
    let published = desk.configmap("eur").await.expect("it is there");
    assert_eq!(label(&published, "team"), Some("till"));
    assert_eq!(published.data.expect("data").len(), 2);
    desk.apply("eur", "currency: USD").await;
    desk.refresh().await.succeeded().says("1 configured");
    let published = desk.configmap("eur").await.expect("it is there");
    assert_eq!(label(&published, "team"), None);
    assert_eq!(published.data.expect("data").len(), 8);
    desk.refresh().await.wrote_nothing();
}
