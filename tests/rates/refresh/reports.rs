//! What a refresh prints, in each format.

use serde_json::{Value, json};

use super::desk::Desk;

/// A desk with one that can be published and one that can't.
async fn of_two(prefix: &str) -> Desk {
    let desk = Desk::new(prefix).await;
    desk.apply("eur", "currency: USD").await;
    let gone = format!("currency: USD, providers: [{}]", desk.at("/gone.json"));
    desk.apply("gone", &gone).await;
    desk
}

#[tokio::test]
async fn lines_name_the_configmaps() {
    for (flags, line) in [
        (&[][..], "configmap/eur created in namespace NAMESPACE\n"),
        (&["-o", "name"], "configmap/eur -n NAMESPACE\n"),
    ] {
        let desk = of_two(&format!("er-lines{}", flags.len())).await;
        let arguments = [&["refresh"], flags].concat();
        let ran = desk.run(&arguments).await.failed_with(1);
        let expected = line.replace("NAMESPACE", &desk.namespace());
        assert_eq!(ran.stdout, expected);
    }
    let desk = of_two("er-wide").await;
    let ran = desk.run(&["refresh", "-o", "wide"]).await.failed_with(1);
    let namespace = desk.namespace();
    ran.prints(&format!("exchangerate={namespace}/eur"));
}

#[tokio::test]
async fn a_document_has_objects_and_findings() {
    let desk = of_two("er-document").await;
    let yaml = desk.run(&["refresh", "--dry-run", "-o", "yaml"]).await;
    let yaml: Value = serde_saphyr::from_str(&yaml.failed_with(1).stdout).expect("YAML");
    let ran = desk.run(&["refresh", "-o", "json"]).await.failed_with(1);
    let document: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(document["kind"], "RefreshReport");
    assert_eq!(document["summary"]["created"], 1);
    let namespace = desk.namespace();
    let [object] = document["objects"].as_array().expect("a list").as_slice() else {
        panic!("{document:#}");
    };
    for (field, value) in [
        ("namespace", json!(namespace)),
        ("resource", json!("configmaps")),
        ("name", json!("eur")),
        ("action", json!("created")),
    ] {
        assert_eq!(object[field], value, "{field}");
    }
    let [finding] = document["findings"].as_array().expect("a list").as_slice() else {
        panic!("{document:#}");
    };
    assert_eq!(finding["severity"], "Error");
    let message = finding["message"].as_str().expect("a text");
    assert!(message.contains("HTTP 404"), "{message}");
    for field in ["objects", "findings", "kind"] {
        assert_eq!(yaml[field], document[field], "{field}");
    }
    assert_eq!(yaml["dryRun"], "client");
}

#[tokio::test]
async fn one_that_does_not_exist_is_named_and_nothing_is_written() {
    let desk = of_two("er-missing").await;
    let (ran, writes) = desk.writes_of(&["refresh", "eur", "typo", "eru"]).await;
    let namespace = desk.namespace();
    ran.failed_with(1).says(&format!(
        "exchangerates.copyrator.dev \"eru\", exchangerates.copyrator.dev \"typo\" not found in namespace {namespace}"
    ));
    assert_eq!(writes, [""; 0]);
    assert_eq!(desk.provider.targets(), [""; 0]);
}

#[tokio::test]
async fn an_empty_namespace_is_worth_a_word() {
    let desk = Desk::new("er-empty").await;
    let ran = desk.refresh().await.wrote_nothing();
    ran.says(
        "there are no ExchangeRates here, so no rates are published; -n names another namespace",
    );
}
