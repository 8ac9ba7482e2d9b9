//! One controller, which publishes exchange rates.

use std::fs;

use kube::{
    Api,
    api::{ApiResource, DeleteParams, DynamicObject, PostParams},
};
use rustix::process::Signal;

use super::running::{eventually, start};
use crate::sandbox::Sandbox;

impl Sandbox {
    fn exchange_rates(&self, namespace: &str) -> Api<DynamicObject> {
        let resource = ApiResource {
            group: "copyrator.dev".to_owned(),
            version: "v1alpha1".to_owned(),
            api_version: "copyrator.dev/v1alpha1".to_owned(),
            kind: "ExchangeRate".to_owned(),
            plural: "exchangerates".to_owned(),
        };
        Api::namespaced_with(self.client.clone(), &self.name(namespace), &resource)
    }
}

#[tokio::test]
async fn rates_are_published_and_measured_until_their_exchange_rate_is_gone() {
    let sandbox = Sandbox::alone("controller-rates").await;
    sandbox.namespaces(&["shop"]).await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("rates.json");
    let today = jiff::Timestamp::now()
        .to_zoned(jiff::tz::TimeZone::UTC)
        .date();
    let text =
        format!("{{\"base\":\"EUR\",\"date\":\"{today}\",\"rates\":{{\"USD\":\"1.0812\"}}}}");
    fs::write(&file, text).expect("the rates are written");
    let allowed = folder.path().display();
    let running = start(&sandbox, &format!("--only rates --allow-files {allowed}"));
    running.is_ready().await;
    let rate = serde_json::from_value(serde_json::json!({
        "apiVersion": "copyrator.dev/v1alpha1",
        "kind": "ExchangeRate",
        "metadata": {"name": "eur"},
        "spec": {
            "base": "EUR",
            "quotes": ["USD"],
            "providers": [{"type": "URL", "url": format!("file://{}", file.display())}],
        },
    }));
    let rates = sandbox.exchange_rates("shop");
    let made = rates
        .create(&PostParams::default(), &rate.expect("a valid object"))
        .await;
    made.expect("the ExchangeRate is made");
    eventually("the rates are published", async || {
        sandbox.configmap("shop", "eur").await.is_some()
    })
    .await;
    let shop = sandbox.name("shop");
    let measure =
        |name: &str| format!("copyrator_rates_{name}{{namespace=\"{shop}\",name=\"eur\"}}");
    let (ready, stale) = (measure("ready"), measure("stale"));
    eventually("it is measured", async || {
        running.measures(&ready).await == Some(1.0)
    })
    .await;
    assert_eq!(running.measures(&stale).await, Some(0.0));
    let answers = "copyrator_provider_answers_total{provider=\"URL\",failure=\"\"}";
    assert!(running.measures(answers).await >= Some(1.0));
    let gone = rates.delete("eur", &DeleteParams::default()).await;
    gone.expect("the ExchangeRate is deleted");
    eventually("it is measured no more", async || {
        running.measures(&ready).await.is_none()
    })
    .await;
    eventually("what it published is gone", async || {
        sandbox.configmap("shop", "eur").await.is_none()
    })
    .await;
    running.signal(Signal::TERM);
    assert_eq!(running.ends().await.0, Some(0));
}
