//! Tests of what is published.

use super::*;
use crate::rates::fixtures::{pairs, quotations};

const DAYS: [(&str, &str); 2] = [
    ("2026-11-19", "ISK 144.1 USD 1.08"),
    ("2026-11-20", "JPY 157.43 USD 1.0812"),
];

fn sheet(base: &str, quotes: &str, days: u16) -> RateSheet {
    RateSheet::new(&quotations("EUR", &DAYS), &pairs(base, quotes), None, days).unwrap()
}

fn all(sheet: &RateSheet) -> BTreeMap<String, String> {
    data(sheet, &ConfigMapTemplate::default()).unwrap()
}

#[test]
fn a_single_quote_has_a_rate() {
    let data = all(&sheet("EUR", "USD", 0));
    let keys: Vec<&String> = data.keys().collect();
    let expected = [
        "USD",
        "USD_INVERSE",
        "date",
        "inverse",
        "rate",
        "rates.csv",
        "rates.env",
        "rates.json",
    ];
    assert_eq!(keys, expected);
    assert_eq!(data["rate"], "1.0812");
    assert_eq!(data["inverse"], "0.9248982612");
    assert_eq!(data["date"], "2026-11-20");
    assert_eq!(data["USD"], "1.0812");
    assert_eq!(data["USD_INVERSE"], "0.9248982612");
}

#[test]
fn several_quotes_have_none_and_the_oldest_date() {
    let data = all(&sheet("EUR", "ISK USD JPY", 2));
    assert!(!data.contains_key("rate") && !data.contains_key("inverse"));
    assert_eq!(data["date"], "2026-11-19");
    insta::assert_snapshot!(data["rates.json"], @r#"
    {
      "base": "EUR",
      "date": "2026-11-19",
      "rates": {
        "ISK": "144.1",
        "JPY": "157.43",
        "USD": "1.0812"
      },
      "inverse": {
        "ISK": "0.00693962526",
        "JPY": "0.006352029473",
        "USD": "0.9248982612"
      },
      "dates": {
        "JPY": "2026-11-20",
        "USD": "2026-11-20"
      }
    }
    "#);
    insta::assert_snapshot!(data["rates.env"], @"
    BASE=EUR
    DATE=2026-11-19
    ISK=144.1
    ISK_INVERSE=0.00693962526
    JPY=157.43
    JPY_INVERSE=0.006352029473
    USD=1.0812
    USD_INVERSE=0.9248982612
    ");
    insta::assert_snapshot!(data["rates.csv"], @"
    date,base,quote,rate,inverse
    2026-11-19,EUR,ISK,144.1,0.00693962526
    2026-11-20,EUR,JPY,157.43,0.006352029473
    2026-11-20,EUR,USD,1.0812,0.9248982612
    ");
    insta::assert_snapshot!(data["history.csv"], @"
    date,base,quote,rate,inverse
    2026-11-19,EUR,ISK,144.1,0.00693962526
    2026-11-19,EUR,USD,1.08,0.9259259259
    2026-11-20,EUR,JPY,157.43,0.006352029473
    2026-11-20,EUR,USD,1.0812,0.9248982612
    ");
}

#[test]
fn dates_are_told_apart_only_where_they_differ() {
    let data = all(&sheet("USD", "EUR JPY", 0));
    assert!(!data["rates.json"].contains("dates"));
}

#[test]
fn only_what_is_asked_for_is_written() {
    let template = ConfigMapTemplate {
        keys: vec![PublishedKey::Quotes, PublishedKey::HistoryCsv],
        ..ConfigMapTemplate::default()
    };
    let data = data(&sheet("EUR", "USD", 0), &template).unwrap();
    let keys: Vec<&String> = data.keys().collect();
    assert_eq!(keys, ["USD", "USD_INVERSE"]);
}

/// A sheet with so many days of history.
fn long(quotes: &[&str], days: u16) -> RateSheet {
    let mut quotations = quotations("EUR", &[]);
    let rates = quotes
        .iter()
        .map(|quote| (quote.parse().unwrap(), "1.08123".parse().unwrap()));
    let rates: BTreeMap<Currency, crate::rates::Rate> = rates.collect();
    let last: Date = "2026-11-20".parse().unwrap();
    for before in 0..i64::from(days) {
        let day = last.saturating_sub(jiff::ToSpan::days(before));
        quotations.days.insert(day, rates.clone());
    }
    RateSheet::new(&quotations, &pairs("EUR", &quotes.join(" ")), None, days).unwrap()
}

#[test]
fn what_is_too_large_is_refused_with_a_length_that_fits() {
    let quotes = [
        "AUD", "CAD", "CHF", "CZK", "DKK", "GBP", "JPY", "NOK", "USD",
    ];
    let template = ConfigMapTemplate::default();
    let refusal = data(&long(&quotes, 3660), &template).unwrap_err();
    insta::assert_snapshot!(refusal, @"the rates take 1319078 bytes, more than the 1048576 that a ConfigMap holds; about 2617 days of history fit, or name fewer quotes");
    let fitting = data(&long(&quotes, refusal.days), &template).unwrap();
    let bytes: usize = fitting.values().map(String::len).sum();
    assert!(
        bytes < MOST_BYTES && bytes > MOST_BYTES / 20 * 17,
        "{bytes}"
    );
    assert!(data(&long(&quotes[..1], 3660), &template).is_ok());
}
