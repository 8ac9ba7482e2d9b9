//! Which `ExchangeRate`s the API server accepts, what it fills in, and what `kubectl get` shows of them.

use http::Request;
use kubectl_copyrator::api::{
    ExchangeRateSpec, ExchangeRateStatus, MOST_QUOTES, ProviderType, PublishedRate,
};
use serde_json::{Value, json};

use crate::sandbox::Sandbox;

/// The path of the `ExchangeRate`s of a namespace that is always there.
const EXCHANGE_RATES: &str = "/apis/copyrator.dev/v1alpha1/namespaces/default/exchangerates";

fn exchange_rate(name: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": "copyrator.dev/v1alpha1",
        "kind": "ExchangeRate",
        "metadata": {"name": name},
        "spec": spec,
    })
}

impl Sandbox {
    /// Makes an `ExchangeRate` with this spec.
    async fn create_exchange_rate(&self, spec: &Value) {
        let object = exchange_rate(&self.name("rates"), spec).to_string();
        let request = Request::post(EXCHANGE_RATES)
            .header("Content-Type", "application/json")
            .body(object.into_bytes())
            .expect("a valid request");
        let created: Result<Value, _> = self.client.request(request).await;
        created.expect("the ExchangeRate is made");
    }

    /// Writes the status of the only `ExchangeRate`, and gives the one that the API server kept, or its
    /// refusal.
    async fn put_exchange_rate_status(&self, status: &Value) -> Result<Value, String> {
        let name = self.name("rates");
        let uri = format!("{EXCHANGE_RATES}/{name}/status?fieldValidation=Strict");
        let request = Request::patch(uri)
            .header("Content-Type", "application/merge-patch+json")
            .body(json!({"status": status}).to_string().into_bytes())
            .expect("a valid request");
        match self.client.request::<Value>(request).await {
            Ok(object) => Ok(object["status"].clone()),
            Err(kube::Error::Api(status)) => Err(status.message.clone()),
            Err(error) => panic!("{error}"),
        }
    }
}

#[tokio::test]
async fn every_exchange_rate_that_is_to_be_refused_is() {
    let sandbox = Sandbox::blank("crd-rates-refused").await;
    sandbox.crd("install").await;
    sandbox
        .refuses_all(EXCHANGE_RATES, "refused-exchange-rates")
        .await;
}

#[tokio::test]
async fn every_exchange_rate_that_is_to_be_accepted_is_and_is_kept_as_it_is() {
    let sandbox = Sandbox::blank("crd-rates-accepted").await;
    sandbox.crd("install").await;
    sandbox
        .accepts_all(EXCHANGE_RATES, "accepted-exchange-rates")
        .await;
}

#[tokio::test]
async fn what_an_exchange_rate_leaves_out_has_the_default_of_the_types() {
    let sandbox = Sandbox::blank("crd-rates-default").await;
    sandbox.crd("install").await;
    let written = exchange_rate("short", &json!({"quotes": ["USD"]}));
    let accepted = sandbox.attempt(EXCHANGE_RATES, &written).await;
    let accepted = accepted.expect("it is accepted")["spec"].clone();
    let read: ExchangeRateSpec = serde_json::from_value(accepted.clone()).expect("a spec");
    let expected = ExchangeRateSpec::of_quotes(vec!["USD".to_owned()]);
    assert_eq!(read, expected);
    assert_eq!(Ok(accepted), serde_json::to_value(expected).map_err(|_| ()));
}

/// Distinct texts of the greatest length.
fn longest(count: usize, length: usize) -> impl Iterator<Item = String> {
    (0..count).map(move |number| format!("{}{number:04}", "a".repeat(length - 4)))
}

/// A key of a label or annotation with the longest prefix.
fn qualified(name: &str) -> String {
    let parts = ["b", "c", "d"].map(|letter| letter.repeat(63));
    format!("{}.{}/{name}", parts.join("."), "e".repeat(61))
}

/// The CEL rules have a budget, which is spent on each item of each list.
#[tokio::test]
async fn an_exchange_rate_as_long_as_can_be_is_within_the_budget() {
    let sandbox = Sandbox::blank("crd-rates-longest").await;
    sandbox.crd("install").await;
    let every = include_str!("../fixtures/accepted-exchange-rates/every-currency.yaml");
    let every: Value = serde_saphyr::from_str(every).expect("the fixture is YAML");
    let map = |value: String| -> serde_json::Map<String, Value> {
        longest(64, 63)
            .map(|key| (qualified(&key), value.clone().into()))
            .collect()
    };
    let providers: Vec<Value> = longest(8, 253)
        .map(|key| {
            let url = format!("https://example.com/{}", "a".repeat(2028));
            let secret = json!({"name": "a".repeat(253), "key": key});
            json!({"type": "OpenExchangeRates", "url": url, "secretKeyRef": secret})
        })
        .collect();
    let minutes: Vec<&str> = ["0-59/59"; 14].to_vec();
    let mut spec = every["spec"].clone();
    spec["providers"] = providers.into();
    spec["configMap"] = json!({
        "name": "a".repeat(253),
        "labels": map("v".repeat(63)),
        "annotations": map("v".repeat(2048)),
        "keys": ["rate", "inverse", "date", "quotes", "rates.json", "rates.env", "rates.csv", "history.csv"],
    });
    spec["history"] = 3660.into();
    spec["maxChange"] = "99999999999999.%".replace('.', "9").into();
    spec["maxAge"] = 366.into();
    spec["schedule"] = format!("{} * * * *", minutes.join(",")).into();
    let longest = exchange_rate(&"n".repeat(63), &spec);
    let accepted = sandbox.attempt(EXCHANGE_RATES, &longest).await;
    accepted.expect("it is accepted");
}

fn condition(kind: &str, status: &str) -> Value {
    json!({
        "type": kind, "status": status, "reason": "Reason", "message": "",
        "lastTransitionTime": "2026-11-20T16:00:00Z", "observedGeneration": 1,
    })
}

#[tokio::test]
async fn an_exchange_rate_is_one_line_that_tells_how_old_it_is() {
    let sandbox = Sandbox::blank("crd-rates-columns").await;
    sandbox.crd("install").await;
    sandbox
        .create_exchange_rate(&json!({
            "quotes": ["USD", "JPY"],
            "configMap": {"name": "rates"},
            "schedule": "@daily",
        }))
        .await;
    assert_eq!(
        sandbox.row(EXCHANGE_RATES, 0).await,
        r#"[["Name","crd-rates-columns-rates"],["Base","EUR"],["Quotes",null],["As-Of",null],["Fresh",null]]"#
    );
    let status = json!({
        "conditions": [condition("Ready", "False"), condition("Fresh", "True")],
        "quotes": "USD,JPY",
        "asOf": "2026-11-20",
        "provider": "ECB",
        "nextRefresh": "2026-11-21T00:00:00Z",
    });
    let kept = sandbox.put_exchange_rate_status(&status).await;
    assert_eq!(kept, Ok(status));
    assert_eq!(
        sandbox.row(EXCHANGE_RATES, 0).await,
        r#"[["Name","crd-rates-columns-rates"],["Base","EUR"],["Quotes","USD,JPY"],["As-Of","2026-11-20"],["Fresh","True"]]"#
    );
    assert_eq!(
        sandbox.row(EXCHANGE_RATES, 1).await,
        r#"[["Ready","False"],["Provider","ECB"],["ConfigMap","rates"],["Schedule","@daily"],["Next-Refresh","2026-11-21T00:00:00Z"],["Suspended",null]]"#
    );
}

fn status(rates: usize) -> Value {
    let rates = (0..rates).map(|number| PublishedRate {
        quote: format!("{number:03}"),
        rate: "1".repeat(64),
        inverse: "0.1234567890".to_owned(),
        date: "2026-11-20".to_owned(),
    });
    let condition = serde_json::from_value(condition("Ready", "True")).expect("a condition");
    let status = ExchangeRateStatus {
        base: Some("EUR".to_owned()),
        observed_generation: Some(3),
        conditions: vec![condition],
        quotes: Some("USD,JPY,GBP and 27 more".to_owned()),
        as_of: Some("2026-11-20".to_owned()),
        provider: Some(ProviderType::OpenErApi),
        rates: rates.collect(),
        next_refresh: Some("2026-11-21T00:00:00Z".to_owned()),
    };
    serde_json::to_value(status).expect("a status is JSON")
}

#[tokio::test]
async fn the_status_of_an_exchange_rate_is_kept_as_it_is_and_within_its_bounds() {
    let sandbox = Sandbox::blank("crd-rates-status").await;
    sandbox.crd("install").await;
    sandbox
        .create_exchange_rate(&json!({"quotes": ["USD"]}))
        .await;
    let full = status(MOST_QUOTES);
    assert_eq!(
        sandbox.put_exchange_rate_status(&full).await.as_ref(),
        Ok(&full)
    );
    for (field, value) in [
        ("rates", status(MOST_QUOTES + 1)["rates"].clone()),
        ("rates[0].quote", json!("EURO")),
        ("rates[0].rate", json!(1.5)),
        ("rates[0].date", json!("yesterday")),
        ("rates[1]", full["rates"][0].clone()),
        ("asOf", json!("2026-13-01")),
        ("nextRefresh", json!("soon")),
        ("provider", json!("Somebody")),
        ("quotes", json!("a".repeat(257))),
    ] {
        let mut status = full.clone();
        let pointer = field.replace("[0]", "/0").replace("[1]", "/1");
        let pointer = format!("/{}", pointer.replace('.', "/"));
        *status.pointer_mut(&pointer).expect("the field is there") = value;
        let refusal = sandbox.put_exchange_rate_status(&status).await;
        let refusal = refusal.expect_err(field);
        assert!(refusal.contains(&format!("status.{field}: ")), "{refusal}");
    }
}
