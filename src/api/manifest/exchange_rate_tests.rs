//! Tests of reading `ExchangeRate`s: what differs from rules, because they have namespaces.

use std::io::Cursor;
use std::path::PathBuf;

use insta::assert_snapshot;
use kube::ResourceExt;

use super::{load, parse};
use crate::api::{CopyratorRule, ExchangeRate};

const EUR: &str = "apiVersion: copyrator.dev/v1alpha1
kind: ExchangeRate
metadata: {name: eur, namespace: shop}
spec: {quotes: [USD, JPY]}
";

const RULE: &str = "apiVersion: copyrator.dev/v1alpha1
kind: CopyratorRule
metadata: {name: rule}
spec:
  resource: Secret
  source: {namespaces: [default], names: [regcred]}
  target: {namespaces: [\"team-*\"]}
";

/// What a person reads about a text: the names of its objects, or its problems.
fn shown(text: &str) -> String {
    let lines: Vec<String> = match parse::<ExchangeRate>("rates.yaml", text) {
        Ok(rates) => rates
            .iter()
            .map(|rate| format!("{}: {}", rate.place, rate.item.name_any()))
            .collect(),
        Err(problems) => problems.iter().map(ToString::to_string).collect(),
    };
    lines.join("\n")
}

/// What a person reads about the good text after a replacement in it.
fn shown_with(from: &str, to: &str) -> String {
    assert!(EUR.contains(from));
    shown(&EUR.replace(from, to))
}

#[test]
fn a_namespace_belongs_to_the_name() {
    let rates = parse::<ExchangeRate>("rates.yaml", EUR).unwrap();
    assert_eq!(rates[0].item.namespace().as_deref(), Some("shop"));
    let elsewhere = EUR.replace("shop", "bank");
    let nowhere = EUR.replace(", namespace: shop", "");
    assert_snapshot!(shown(&format!("{EUR}---\n{elsewhere}---\n{nowhere}")), @r"
    rates.yaml:1:1: eur
    rates.yaml:6:1: eur
    rates.yaml:11:1: eur
    ");
    assert_snapshot!(shown(&format!("{EUR}---\n{EUR}")), @r#"rates.yaml:6:1: metadata.name: the ExchangeRate at rates.yaml:1:1 has the name "eur" in the namespace "shop" already; rename one of the two"#);
    assert_snapshot!(shown(&format!("{nowhere}---\n{nowhere}")), @r#"rates.yaml:6:1: metadata.name: the ExchangeRate at rates.yaml:1:1 has the name "eur" already; rename one of the two"#);
    assert_snapshot!(shown_with("shop", "Shop"), @"rates.yaml:3:34: metadata.namespace: a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'shop')");
    assert_snapshot!(shown_with("name: eur, ", ""), @"rates.yaml:3:11: metadata.name: Required value: write a name of the ExchangeRate's own, such as eur-rates");
}

#[test]
fn objects_of_our_other_kinds_are_passed_over() {
    let text = format!("{RULE}---\n{EUR}");
    assert_snapshot!(shown(&text), @"rates.yaml:9:1: eur");
    let rules = parse::<CopyratorRule>("rates.yaml", &text).unwrap();
    assert_eq!(rules.len(), 1);
    let broken = RULE.replace("v1alpha1", "v9").replace("Secret", "Pod");
    assert_snapshot!(shown(&format!("{broken}---\n{EUR}")), @"rates.yaml:9:1: eur");
    let list = "apiVersion: copyrator.dev/v1alpha1\nkind: CopyratorRuleList\nitems:\n- apiVersion: copyrator.dev/v1alpha1\n  kind: CopyratorRule\n";
    assert_snapshot!(shown(list), @"");
}

#[test]
fn no_exchange_rates_at_all_is_an_error() {
    let load = load::<ExchangeRate>(&[PathBuf::from("-")], &mut Cursor::new(RULE));
    assert_snapshot!(load.unwrap_err(), @"standard input: no ExchangeRate found; give a file that has one");
}

#[test]
fn other_kinds_and_versions_are_refused_by_name() {
    assert_snapshot!(shown_with("ExchangeRate", "ExchangeRates"), @r#"rates.yaml:2:7: kind: unknown kind "ExchangeRates"; did you mean "ExchangeRate"?"#);
    assert_snapshot!(shown_with("ExchangeRate", "ConfigMap"), @r#"rates.yaml:2:7: kind: the kind "ConfigMap" is no ExchangeRate: only objects with kind: ExchangeRate and apiVersion: copyrator.dev/v1alpha1 are read; move this one to another file"#);
    assert_snapshot!(shown_with("copyrator.dev/v1alpha1", "operators.brennerm.github.io/v1"), @"rates.yaml:1:13: apiVersion: an ExchangeRate of operators.brennerm.github.io/v1 is of another program; rewrite it with apiVersion: copyrator.dev/v1alpha1, and keep spec.currency, or list several in spec.quotes");
    assert_snapshot!(shown_with("copyrator.dev/v1alpha1", "copyrator.dev/v1"), @"rates.yaml:1:13: apiVersion: the version copyrator.dev/v1 is unknown to this program, which reads copyrator.dev/v1alpha1; write that, or use the release of kubectl-copyrator that the file was written for");
    assert_snapshot!(shown_with("copyrator.dev/v1alpha1", "v1"), @r#"rates.yaml:1:13: apiVersion: there is no ExchangeRate of "v1"; write apiVersion: copyrator.dev/v1alpha1"#);
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    assert_snapshot!(shown_with("JPY", "YEN"), @"rates.yaml:4:22: spec.quotes[1]: not a currency code of ISO 4217; a code has three capital letters, such as EUR, USD or JPY");
    assert_snapshot!(shown_with("quotes", "quote"), @r#"rates.yaml:4:8: spec.quote: unknown field "quote"; did you mean "quotes"?"#);
    assert_snapshot!(shown_with("quotes: [USD, JPY]", "currency: EUR"), @"rates.yaml:4:18: spec.currency: the currency is the base itself, and would always be 1; choose another currency or another base");
    assert_snapshot!(shown_with("JPY]", "JPY], schedule: 0 25 * * *"), @r#"rates.yaml:4:38: spec.schedule: not a cron expression: "25": value must be in range 0..=23; found 25"#);
    assert_snapshot!(shown_with("JPY]", "JPY], providers: [{type: ECB}, {type: URL, url: 'http://256.0.0.1/'}]"), @"rates.yaml:4:70: spec.providers[1].url: not an address: invalid IPv4 address; write for instance https://rates.example.com/latest.json");
    assert_snapshot!(shown_with("JPY]", "JPY], providers: [{type: ECB}, {type: URL}]"), @"rates.yaml:4:53: spec.providers[1].url: a provider of type URL needs a url, such as https://rates.example.com/latest.json");
}
