//! Many `ExchangeRate`s cost the providers no more than one.

use super::{
    answers::{ecb, today},
    desk::Desk,
};

const NAMESPACES: [&str; 4] = ["shop", "till", "bank", "mint"];
const EACH: usize = 10;
/// Bases and quotes that the answers below have.
const CURRENCIES: [&str; 5] = ["EUR", "USD", "JPY", "CHF", "GBP"];

/// Forty `ExchangeRate`s in four namespaces, each of another base and other quotes, all of which ask two
/// providers, the first of which lacks what every fifth of them wants.
async fn forty(prefix: &str) -> (Desk, Vec<(&'static str, String)>) {
    let desk = Desk::new(prefix).await;
    desk.sandbox.namespaces(&NAMESPACES[1..]).await;
    let known = [(today(), "USD 1.08 JPY 163 CHF 0.93 GBP 0.85")];
    let more = [(today(), "USD 1.08 JPY 163 CHF 0.93 GBP 0.85 SEK 11")];
    desk.provider.has("/first.xml", ecb(&known));
    desk.provider.has("/second.xml", ecb(&more));
    let providers = ["/first.xml", "/second.xml"]
        .map(|path| format!("{{type: ECB, url: '{}'}}", desk.provider.url(path)))
        .join(", ");
    let mut manifests = Vec::new();
    for short in NAMESPACES {
        for number in 0..EACH {
            let [base, quote] = [0, 1 + number % 4].map(|more| CURRENCIES[(number + more) % 5]);
            let extra = if number % 5 == 0 { ", SEK" } else { "" };
            let namespace = desk.sandbox.name(short);
            let metadata = format!("{{name: rate-{number}, namespace: {namespace}}}");
            let spec = format!("base: {base}, quotes: [{quote}{extra}], providers: [{providers}]");
            manifests.push((short, desk.manifest(&metadata, &spec)));
        }
    }
    (desk, manifests)
}

#[tokio::test]
async fn each_provider_is_asked_once_in_a_run_over_files() {
    let (desk, manifests) = forty("er-manyfiles").await;
    let all: Vec<&str> = manifests.iter().map(|(_, text)| text.as_str()).collect();
    let all = all.join("---\n");
    let refresh = || desk.program(&["refresh", "-f", "-"]).stdin(&all).run();
    refresh().await.succeeded().says("40 created");
    assert_eq!(desk.provider.targets(), ["/first.xml", "/second.xml"]);
    refresh().await.wrote_nothing().says("40 unchanged");
    assert_eq!(desk.provider.targets(), ["/first.xml", "/second.xml"]);
}

#[tokio::test]
async fn each_provider_is_asked_once_in_a_run_over_the_cluster() {
    let (desk, manifests) = forty("er-many").await;
    for (namespace, manifest) in &manifests {
        desk.apply_manifest(namespace, manifest).await;
    }
    for short in NAMESPACES {
        let namespace = desk.sandbox.name(short);
        // The last namespace that is named counts.
        let cache = desk.folder().to_str().expect("UTF-8").to_owned();
        let arguments = ["rates", "refresh", "-n", &namespace, "--cache-dir", &cache];
        let ran = desk.sandbox.run(&arguments).await.succeeded();
        ran.says("10 created");
        assert_eq!(desk.provider.targets(), ["/first.xml", "/second.xml"]);
        desk.sandbox.run(&arguments).await.wrote_nothing();
        assert_eq!(desk.provider.targets(), ["/first.xml", "/second.xml"]);
    }
}

#[tokio::test]
async fn a_provider_that_fails_is_not_asked_again_for_each() {
    let (desk, manifests) = forty("er-manyfail").await;
    let gone = super::provider::Answer::Whole(404, String::new());
    desk.provider.answer("/first.xml", gone);
    let all: Vec<&str> = manifests.iter().map(|(_, text)| text.as_str()).collect();
    let program = desk.program(&["refresh", "-f", "-"]);
    let ran = program.stdin(&all.join("---\n")).run().await.succeeded();
    assert_eq!(desk.provider.targets(), ["/first.xml", "/second.xml"]);
    let told = ran.stderr.matches("HTTP 404").count();
    assert_eq!(told, 1, "{ran:#?}");
    ran.says("40 ExchangeRates, such as ");
}

#[tokio::test]
async fn a_run_in_step_costs_the_cluster_the_same_however_many_there_are() {
    let (desk, manifests) = forty("er-manycost").await;
    let mut costs = Vec::new();
    for count in [1, EACH] {
        for (namespace, manifest) in &manifests[..count] {
            desk.apply_manifest(namespace, manifest).await;
        }
        desk.refresh().await.succeeded();
        let proxy = desk
            .sandbox
            .proxy_with_reviews(|_, _| crate::sandbox::Fault::None)
            .await;
        let arguments = desk.arguments(&["refresh"]);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        proxy.program(&arguments).run().await.wrote_nothing();
        costs.push(proxy.requests());
    }
    for requests in &costs {
        // ExchangeRates, ConfigMaps as they are planned and as they are published, and the definition.
        assert_eq!(requests.len(), costs[0].len(), "{costs:#?}");
        assert!(requests.len() <= 4, "{requests:#?}");
    }
}
