//! Keys in Secrets: they reach their provider, and nobody else.

use std::fs;

use serde_json::json;

use super::{
    answers::{open_exchange_rates, simple, today},
    desk::{Desk, PATH},
    provider::Answer,
};
use crate::sandbox::{Fault, is_seen, planted, secret};

/// The variable in which the key is when no Secret is named.
const VARIABLE: &str = "OPENEXCHANGERATES_APP_ID";

/// A desk whose provider is Open Exchange Rates at `/oxr`, too.
async fn keyed(prefix: &str) -> Desk {
    let desk = Desk::new(prefix).await;
    let body = open_exchange_rates(today(), "EUR 0.92 JPY 150");
    desk.provider.has("/oxr/latest.json", body);
    desk
}

impl Desk {
    /// Open Exchange Rates at the desk's provider, with more fields.
    fn oxr(&self, fields: &str) -> String {
        let url = self.provider.url("/oxr");
        format!("{{type: OpenExchangeRates, url: '{url}'{fields}}}")
    }

    /// A spec that asks Open Exchange Rates with a key of a Secret, and then the desk's own provider.
    fn keyed_spec(&self, reference: &str) -> String {
        let oxr = self.oxr(&format!(", secretKeyRef: {reference}"));
        let own = self.at(PATH);
        format!("base: USD, quotes: [EUR], providers: [{oxr}, {own}]")
    }

    /// Puts `usd` with such a spec into the cluster.
    async fn apply_keyed(&self) {
        let spec = self.keyed_spec("{name: oxr, key: app-id}");
        self.apply("usd", &spec).await;
    }

    /// Asserts that the second provider was asked, and the first one was not, for this reason.
    async fn falls_back(&self, arguments: &[&str], reason: &str) {
        let ran = self.run(arguments).await.succeeded();
        ran.says(&format!(
            "Warning: exchangerate {}/usd: OpenExchangeRates: ",
            self.namespace()
        ))
        .says(reason)
        .says("; the next provider was asked");
        assert_eq!(self.provider.targets(), [PATH]);
        assert_eq!(self.data("usd").await["rate"], "0.9248982612");
    }
}

#[tokio::test]
async fn a_key_arrives_and_is_told_nobody() {
    let desk = keyed("er-key").await;
    let key = planted("app");
    let host_key = planted("host");
    let values = [("app-id", &*format!("{key}\n")), ("access-key", &*host_key)];
    desk.sandbox
        .create_secret("shop", &secret("oxr", &values))
        .await;
    desk.apply_keyed().await;
    let noon = today()
        .at(12, 0, 0, 0)
        .to_zoned(jiff::tz::TimeZone::UTC)
        .unwrap();
    let host = json!({
        "success": true, "source": "USD", "quotes": {"USDEUR": 0.92},
        "timestamp": noon.timestamp().as_second(),
    });
    desk.provider.has("/host/live", host.to_string());
    let spec = format!(
        "base: USD, quotes: [EUR], providers: [{{type: ExchangeRateHost, url: '{}', \
         secretKeyRef: {{name: oxr, key: access-key}}}}]",
        desk.provider.url("/host")
    );
    desk.apply("host", &spec).await;
    desk.run(&["refresh", "-v=9"])
        .await
        .succeeded()
        .says("2 created");
    let mut requests = desk.provider.requests();
    requests.sort_by_key(|request| request.target().to_owned());
    let [host, oxr] = &*requests else {
        panic!("{requests:?}");
    };
    assert_eq!(host.target(), format!("/host/live?access_key={host_key}"));
    assert_eq!(host.header("authorization"), None);
    assert_eq!(oxr.target(), "/oxr/latest.json");
    assert_eq!(oxr.header("authorization"), Some(&*format!("Token {key}")));
    for name in ["usd", "host"] {
        assert_eq!(desk.data(name).await["rate"], "0.92");
        let all = desk.both(name).await.to_string();
        assert!(!is_seen(&all), "{all}");
    }
    let files = fs::read_dir(desk.folder().join("copyrator/rates")).expect("answers are kept");
    for file in files {
        let path = file.expect("a file").path();
        let kept = String::from_utf8_lossy(&fs::read(&path).expect("readable")).into_owned();
        assert!(
            !is_seen(&kept) && !is_seen(&path.to_string_lossy()),
            "{kept}"
        );
    }
}

#[tokio::test]
async fn a_provider_that_repeats_the_key_gives_it_to_nobody() {
    let desk = keyed("er-echo").await;
    let key = planted("echo");
    let own = secret("oxr", &[("app-id", &key)]);
    desk.sandbox.create_secret("shop", &own).await;
    desk.apply_keyed().await;
    for (status, body) in [
        (401, json!({"error": true, "status": 401, "message": "invalid_app_id", "description": format!("Invalid App ID {key}")}).to_string()),
        (200, format!("no such key: {key}")),
        (500, format!("<html>{key}</html>")),
    ] {
        let answer = Answer::Whole(status, body);
        desk.provider.answer("/oxr/latest.json", answer);
        for output in ["-o=wide", "-o=json", "-v=9"] {
            desk.run(&["refresh", output]).await.succeeded();
        }
        let all = desk.both("usd").await.to_string();
        assert!(!is_seen(&all), "{all}");
    }
}

#[tokio::test]
async fn a_key_that_cannot_be_had_is_told_and_the_next_provider_is_asked() {
    let desk = keyed("er-nokey").await;
    desk.apply_keyed().await;
    desk.falls_back(&["refresh"], "there is no secret").await;
    let other = secret("oxr", &[("other", &planted("other"))]);
    desk.sandbox.create_secret("shop", &other).await;
    let text = "has no key of the name in secretKeyRef";
    desk.falls_back(&["refresh"], text).await;
    let text = "objects may not name Secrets (--allow-secrets)";
    desk.falls_back(&["refresh", "--allow-secrets=false"], text)
        .await;
}

#[tokio::test]
async fn a_secret_is_only_read_when_its_provider_is_asked_and_that_is_allowed() {
    let desk = keyed("er-least").await;
    let oxr = desk.oxr(", secretKeyRef: {name: oxr, key: app-id}");
    let behind = format!(
        "base: USD, quotes: [EUR], providers: [{}, {oxr}]",
        desk.at(PATH)
    );
    let key = secret("oxr", &[("app-id", &planted("least"))]);
    desk.sandbox.create_secret("shop", &key).await;
    let reads = async |arguments: &[&str]| {
        let proxy = desk.sandbox.proxy(|_, _| Fault::None).await;
        let arguments = desk.arguments(arguments);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        proxy.program(&arguments).run().await.succeeded();
        let requests = proxy.requests().into_iter();
        let secrets = requests.filter(|request| request.contains("/secrets"));
        secrets.collect::<Vec<_>>()
    };
    desk.apply("usd", &behind).await;
    assert_eq!(
        reads(&["refresh"]).await,
        [""; 0],
        "the first one had rates"
    );
    desk.apply_keyed().await;
    assert_eq!(reads(&["refresh", "--allow-secrets=false"]).await, [""; 0]);
    let expected = format!("GET /api/v1/namespaces/{}/secrets/oxr", desk.namespace());
    assert_eq!(
        reads(&["refresh"]).await,
        [expected],
        "one alone, by its name"
    );
}

#[tokio::test]
async fn another_namespaces_secret_cannot_be_named() {
    let desk = keyed("er-othersecret").await;
    desk.sandbox.namespaces(&["bank"]).await;
    let theirs = secret("oxr", &[("app-id", &planted("theirs"))]);
    desk.sandbox.create_secret("bank", &theirs).await;
    let bank = desk.sandbox.name("bank");
    let reference = format!("{{namespace: {bank}, name: oxr, key: app-id}}");
    let spec = desk.keyed_spec(&reference);
    desk.apply_keyed().await;
    // The API server drops the field that it doesn't know.
    let loosely: serde_json::Value = serde_saphyr::from_str(&format!("{{{spec}}}")).expect("YAML");
    desk.patch("usd", json!({"spec": loosely})).await;
    desk.falls_back(&["refresh"], "there is no secret").await;
    let file = desk.rate("usd", &spec);
    let program = desk.program(&["refresh", "-f", "-"]).stdin(&file);
    program.run().await.failed_with(1).says("namespace");
    assert_eq!(desk.provider.targets(), [""; 0]);
}

#[tokio::test]
async fn the_environments_key_is_not_sent_where_an_object_says() {
    let desk = keyed("er-environment").await;
    let spec = format!(
        "base: USD, quotes: [EUR], providers: [{}, {}]",
        desk.oxr(""),
        desk.at(PATH)
    );
    desk.apply("usd", &spec).await;
    let run = async |arguments: &[&str]| {
        let program = desk.program(arguments).variable(VARIABLE, &planted("env"));
        program.run().await.succeeded()
    };
    run(&["refresh"])
        .await
        .says("the key of the environment isn't sent");
    assert_eq!(desk.provider.targets(), [PATH]);
    let prefix = desk.provider.url("/oxr");
    let own = desk.provider.url(PATH);
    run(&["refresh", "--allow-urls", &prefix, "--allow-urls", &own]).await;
    let requests = desk.provider.requests();
    assert!(requests[0].text().contains(&planted("env")), "{requests:?}");
    // A person's own file may send a person's own key.
    let file = desk.rate("own", &spec);
    let program = desk.program(&["refresh", "-f", "-"]).stdin(&file);
    program
        .variable(VARIABLE, &planted("env"))
        .run()
        .await
        .succeeded();
    let requests = desk.provider.requests();
    assert!(requests[0].text().contains(&planted("env")), "{requests:?}");
    desk.provider.has(PATH, simple(today(), "USD 1.0812"));
    let program = desk.program(&["refresh", "-f", "-"]).stdin(&file);
    let ran = program.run().await.succeeded();
    ran.says("it needs a key; set OPENEXCHANGERATES_APP_ID");
}
