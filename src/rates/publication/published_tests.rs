//! Tests of reading back.

use proptest::{prelude::*, sample::subsequence};

use super::*;
use crate::{
    api::ConfigMapTemplate,
    rates::{
        Cross, data,
        fixtures::{pairs, quotations},
        provider::ProviderType,
    },
};

fn sheet() -> RateSheet {
    let days = [
        ("2026-11-19", "ISK 144.1 USD 1.08"),
        ("2026-11-20", "JPY 157.43 USD 1.0812"),
    ];
    let pairs = pairs("EUR", "ISK JPY USD");
    RateSheet::new(&quotations("EUR", &days), &pairs, None, 30).unwrap()
}

fn data_of(sheet: &RateSheet) -> BTreeMap<String, String> {
    data(sheet, &ConfigMapTemplate::default()).unwrap()
}

/// Of what is published, only some keys.
fn only(keys: &[&str]) -> BTreeMap<String, String> {
    let mut data = data_of(&sheet());
    data.retain(|key, _| keys.contains(&key.as_str()));
    data
}

fn read(data: &BTreeMap<String, String>) -> RateSheet {
    let published = Published::read(data);
    assert!(published.damaged.is_empty(), "{:?}", published.damaged);
    published.sheet.unwrap()
}

fn crosses(sheet: &RateSheet) -> Vec<Cross> {
    sheet.rows().values().map(Row::cross).collect()
}

/// What is said of a text under a key.
fn damage(key: &str, text: &str) -> String {
    let data = BTreeMap::from([(key.to_owned(), text.to_owned())]);
    let published = Published::read(&data);
    assert_eq!(published.sheet, None, "{text}");
    published.damaged[0].to_string()
}

#[test]
fn what_was_published_is_read_back() {
    let sheet = sheet();
    assert_eq!(read(&data_of(&sheet)), sheet);
    let without_history = RateSheet::from_rows(sheet.base(), sheet.rows().clone()).unwrap();
    for key in ["rates.json", "rates.csv"] {
        assert_eq!(read(&only(&[key])), without_history, "{key}");
    }
    assert_eq!(read(&only(&["rates.csv", "history.csv"])), sheet);
    assert_eq!(read(&only(&["history.csv"])), sheet);
}

#[test]
fn variables_tell_no_dates_but_the_oldest() {
    let env = read(&only(&["rates.env"]));
    let dates: Vec<String> = env
        .rows()
        .values()
        .map(|row| row.date.to_string())
        .collect();
    assert_eq!(dates, ["2026-11-19"; 3]);
    assert_eq!(crosses(&env), crosses(&sheet()));
}

#[test]
fn without_a_base_nothing_can_be_told() {
    let keys = ["rate", "inverse", "date", "USD", "USD_INVERSE"];
    let published = Published::read(&only(&keys));
    assert_eq!(published.sheet, None);
    assert!(published.damaged.is_empty());
}

#[test]
fn what_is_damaged_counts_as_absent() {
    let mut data = data_of(&sheet());
    data.insert("rates.json".to_owned(), "{}".to_owned());
    let published = Published::read(&data);
    assert_eq!(published.sheet, Some(sheet()));
    assert_eq!(published.damaged[0].key, PublishedKey::RatesJson);
    data.insert("history.csv".to_owned(), "date,rate\n".to_owned());
    let published = Published::read(&data);
    assert_eq!(published.damaged.len(), 2);
    assert!(published.sheet.unwrap().history().days().is_empty());
}

#[test]
fn a_history_of_another_base_is_left_out() {
    let mut data = only(&["rates.json", "history.csv"]);
    let other = data["history.csv"].replace(",EUR,", ",GBP,");
    data.insert("history.csv".to_owned(), other);
    assert!(read(&data).history().days().is_empty());
}

#[test]
fn other_json_is_refused() {
    let good = only(&["rates.json"])["rates.json"].clone();
    let refusal = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        damage("rates.json", &good.replace(from, to))
    };
    insta::assert_snapshot!(refusal("\"base\"", "\"basis\""), @"rates.json: it is not the JSON that is published: unknown field `basis`, expected one of `base`, `date`, `rates`, `inverse`, `dates` at line 2 column 9");
    insta::assert_snapshot!(refusal("\"1.0812\"", "1.0812"), @"rates.json: it is not the JSON that is published: invalid type: floating point `1.0812`, expected a string at line 7 column 17");
    insta::assert_snapshot!(refusal("\"1.0812\"", "\"1.08120\""), @r#"rates.json: USD: "1.08120" is not written as rates are published, which is 1.0812"#);
    insta::assert_snapshot!(refusal("\"1.0812\"", "\"-1\""), @"rates.json: USD: -1 is not positive");
    insta::assert_snapshot!(refusal("\"USD\": \"1.0812\"", "\"USN\": \"1.0812\""), @"rates.json: it has USD only in part, which is never written");
    insta::assert_snapshot!(refusal("USD", "usd"), @r#"rates.json: "usd" is no currency code of ISO 4217; codes have three capital letters, such as EUR"#);
    insta::assert_snapshot!(refusal("2026-11-19", "20261119"), @r#"rates.json: "20261119" is not a date such as 2026-11-20"#);
    insta::assert_snapshot!(refusal("2026-11-19", "2026-11-21"), @"rates.json: its date is 2026-11-21, but the oldest rate is of 2026-11-20");
    let empty = r#"{"base": "EUR", "date": "2026-11-19", "rates": {}, "inverse": {}}"#;
    insta::assert_snapshot!(damage("rates.json", empty), @"rates.json: it has no rates");
}

#[test]
fn other_variables_are_refused() {
    let refusal = |text: &str| damage("rates.env", text);
    insta::assert_snapshot!(refusal("BASE=EUR\nUSD=1\nUSD_INVERSE=1\n"), @"rates.env: it has no DATE");
    insta::assert_snapshot!(refusal("BASE=EUR\nDATE=2026-11-20\n"), @"rates.env: it has no rates");
    insta::assert_snapshot!(refusal("BASE=EUR\nDATE=2026-11-20\nUSD=1\n"), @"rates.env: it has no USD_INVERSE");
    insta::assert_snapshot!(refusal("BASE=EUR\nDATE=2026-11-20\nUSD_INVERSE=1\n"), @r#"rates.env: "USD_INVERSE" is no currency code of ISO 4217; codes have three capital letters, such as EUR"#);
    insta::assert_snapshot!(refusal("BASE=EUR\nBASE=EUR\n"), @"rates.env: it has BASE twice, which is never written");
    insta::assert_snapshot!(refusal("BASE=EUR\nDATE=2026-11-20\nUSD=1.0\nUSD_INVERSE=1\n"), @r#"rates.env: USD: "1.0" is not written as rates are published, which is 1"#);
    insta::assert_snapshot!(refusal("# rates\n"), @"rates.env: line 1 is not NAME=VALUE");
}

#[test]
fn other_tables_are_refused() {
    let table = |lines: &str| format!("date,base,quote,rate,inverse\n{lines}");
    let refusal = |lines: &str| damage("history.csv", &table(lines));
    insta::assert_snapshot!(damage("rates.csv", "a,b\n"), @"rates.csv: its first line is not date,base,quote,rate,inverse");
    insta::assert_snapshot!(refusal(""), @"history.csv: it has no rates");
    insta::assert_snapshot!(refusal("2026-11-20,EUR,USD,1\n"), @"history.csv: line 2: 4 fields instead of 5");
    insta::assert_snapshot!(refusal("2026-11-20,EUR,USD,1,x\n"), @r#"history.csv: line 2: "x" is not a decimal number of at most 28 digits"#);
    insta::assert_snapshot!(refusal("2026-11-20,EUR,USD,1,1\n2026-11-20,GBP,USD,1,1\n"), @"history.csv: line 3 has another base than line 2");
    insta::assert_snapshot!(refusal("2026-11-20,EUR,USD,1,1\n2026-11-19,EUR,USD,1,1\n"), @"history.csv: line 3 doesn't come after the line above it");
    insta::assert_snapshot!(refusal("2026-11-20,EUR,USD,1,1\n2026-11-20,EUR,USD,1,1\n"), @"history.csv: line 3 doesn't come after the line above it");
    let rates = table("2026-11-20,EUR,USD,1,1\n2026-11-19,EUR,CHF,1,1\n");
    insta::assert_snapshot!(damage("rates.csv", &rates), @"rates.csv: line 3 doesn't come after the line above it");
}

proptest! {
    #[test]
    fn texts_from_anywhere_break_nothing(lines in subsequence(
        vec!["BASE=EUR", "DATE=2026-11-20", "USD=1", "{}", "date,base,quote,rate,inverse", ",,,,", "="],
        0..7,
    )) {
        let text = lines.join("\n");
        let data = READERS.map(|(key, _)| (key::name(key).to_owned(), text.clone()));
        let published = Published::read(&data.into());
        prop_assert_eq!(published.damaged.len(), 4);
    }
}

#[test]
fn one_cluster_can_ask_what_another_has_published() {
    let provider = ProviderType::Url.provider();
    let data = data_of(&sheet());
    for key in ["rates.json", "rates.csv", "history.csv"] {
        let quotations = provider.read(data[key].as_bytes()).unwrap();
        let pairs = pairs("EUR", "ISK JPY USD");
        let again = RateSheet::new(&quotations, &pairs, None, 0).unwrap();
        assert_eq!(crosses(&again), crosses(&sheet()), "{key}");
    }
}
