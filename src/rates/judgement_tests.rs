//! Tests of the judgement.

use jiff::civil::date;
use proptest::prelude::*;

use super::*;
use crate::rates::fixtures::{any_decimal, pairs, quotations};

const TODAY: Date = date(2026, 11, 20);

fn sheet(base: &str, day: &str, rates: &str) -> RateSheet {
    let quotations = quotations("EUR", &[(day, rates)]);
    let words: Vec<&str> = rates.split(' ').step_by(2).collect();
    let quotes = words.join(" ");
    let pairs = match base {
        "EUR" => pairs("EUR", &quotes),
        _ => pairs(base, "EUR"),
    };
    RateSheet::new(&quotations, &pairs, None, 0).unwrap()
}

fn judgement(candidate: &RateSheet, last_good: &RateSheet, limit: &str) -> String {
    let limit = limit.parse().unwrap();
    let refusals = judge(candidate, Some(last_good), limit, TODAY);
    let lines = refusals
        .iter()
        .map(|refusal| format!("{}: {refusal}", refusal.word()));
    lines.collect::<Vec<_>>().join("\n")
}

/// The judgement of one rate after another.
fn jump(last: &str, rate: &str, limit: &str) -> String {
    let last = sheet("EUR", "2026-11-19", &format!("USD {last}"));
    let rate = sheet("EUR", "2026-11-20", &format!("USD {rate}"));
    judgement(&rate, &last, limit)
}

#[test]
fn the_first_rates_are_believed() {
    let first = sheet("EUR", "2026-11-20", "USD 1.0812");
    let limit = "25%".parse().unwrap();
    assert_eq!(judge(&first, None, limit, TODAY), []);
    let other_quote = sheet("EUR", "2026-11-21", "JPY 157");
    assert_eq!(judgement(&first, &other_quote, "25%"), "");
    let other_base = sheet("USD", "2026-11-21", "USD 4");
    assert_eq!(judgement(&first, &other_base, "25%"), "");
}

#[test]
fn a_change_up_to_the_limit_is_believed_in_both_directions() {
    for (last, rate) in [("1", "1.25"), ("1.25", "1"), ("1", "1"), ("0.8", "1")] {
        assert_eq!(jump(last, rate, "25%"), "", "{last} {rate}");
    }
    for (last, rate) in [("1", "1.250000001"), ("1.250000001", "1"), ("1", "0.75")] {
        assert!(
            jump(last, rate, "25%").starts_with("JumpTooLarge"),
            "{last} {rate}"
        );
    }
}

#[test]
fn a_refusal_names_both_values_and_the_change() {
    insta::assert_snapshot!(jump("1.0812", "108.12", "25%"), @"JumpTooLarge: USD: the rate is 108.12, and the last good one of 2026-11-19 is 1.0812: a change of 9900%, more than 25%");
    insta::assert_snapshot!(jump("1.25000000001", "1", "25%"), @"JumpTooLarge: USD: the rate is 1, and the last good one of 2026-11-19 is 1.25000000001: a change of 25.1%, more than 25%");
    insta::assert_snapshot!(jump("1", "1.0251", "2.5%"), @"JumpTooLarge: USD: the rate is 1.0251, and the last good one of 2026-11-19 is 1: a change of 2.51%, more than 2.5%");
    insta::assert_snapshot!(jump("0.000000001", "1000000000", "25%"), @"JumpTooLarge: USD: the rate is 1000000000, and the last good one of 2026-11-19 is 0.000000001: a change of 99999999999999999900%, more than 25%");
}

#[test]
fn a_day_before_the_last_good_one_is_refused() {
    let last = sheet("EUR", "2026-11-20", "USD 1.0812");
    let older = sheet("EUR", "2026-11-19", "USD 1.0812");
    insta::assert_snapshot!(judgement(&older, &last, "25%"), @"DateGoesBack: USD: the rate is of 2026-11-19, older than the last good one of 2026-11-20");
    // A correction.
    let same_day = sheet("EUR", "2026-11-20", "USD 1.0813");
    assert_eq!(judgement(&same_day, &last, "25%"), "");
}

#[test]
fn a_day_to_come_is_refused_but_for_tomorrow() {
    let last = sheet("EUR", "2026-11-19", "USD 1.0812");
    let tomorrow = sheet("EUR", "2026-11-21", "USD 1.0812");
    assert_eq!(judgement(&tomorrow, &last, "25%"), "");
    let later = sheet("EUR", "2026-11-22", "USD 1.0812");
    insta::assert_snapshot!(judgement(&later, &last, "25%"), @"DateAhead: USD: the rate is of 2026-11-22, but today is 2026-11-20");
}

#[test]
fn every_quote_that_is_refused_is_named() {
    let last = sheet("EUR", "2026-11-19", "JPY 157 USD 1.08");
    let swapped = sheet("EUR", "2026-11-20", "JPY 1.08 USD 157");
    assert_eq!(judgement(&swapped, &last, "25%").lines().count(), 2);
}

proptest! {
    #[test]
    fn a_pair_and_its_inverse_are_judged_alike(last in any_decimal(), rate in any_decimal()) {
        let sheets = |base| {
            let sheet = |day, rate: Decimal| sheet(base, day, &format!("USD {rate}"));
            (sheet("2026-11-19", last), sheet("2026-11-20", rate))
        };
        prop_assume!([last, rate].iter().all(|number| number.to_string().parse::<Rate>().is_ok()));
        let limit: Percent = "10000%".parse().unwrap();
        let is_believed = |(last, rate): (RateSheet, RateSheet)| {
            judge(&rate, Some(&last), limit, TODAY).is_empty()
        };
        prop_assert_eq!(is_believed(sheets("EUR")), is_believed(sheets("USD")));
    }
}
