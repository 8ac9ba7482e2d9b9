//! Decimals, pairs and quotations for tests.

use proptest::prelude::*;
use rust_decimal::Decimal;

use super::{Pairs, Quotations};

/// A decimal from 10^-9 to 10^9 with up to 28 digits.
pub fn any_decimal() -> impl Strategy<Value = Decimal> {
    let digits = (1_u32..=28).prop_flat_map(|count| {
        let least = 10_i128.pow(count - 1);
        (least..least * 10, Just(count))
    });
    (digits, -8_i32..=9).prop_filter_map("out of range", |((digits, count), magnitude)| {
        let scale = count.cast_signed() - magnitude;
        let mantissa = digits * 10_i128.pow(scale.min(0).unsigned_abs());
        Decimal::try_from_i128_with_scale(mantissa, scale.max(0).unsigned_abs()).ok()
    })
}

/// Pairs from codes: the quotes are separated by spaces.
pub fn pairs(base: &str, quotes: &str) -> Pairs {
    let quotes = quotes.split(' ').map(|quote| quote.parse().unwrap());
    Pairs::new(base.parse().unwrap(), quotes).unwrap()
}

/// What a provider says: by day, quotes and rates in turn, separated by spaces.
pub fn quotations(base: &str, days: &[(&str, &str)]) -> Quotations {
    let rates = |text: &str| {
        let words: Vec<&str> = text.split(' ').collect();
        let pair = |pair: &[&str]| (pair[0].parse().unwrap(), pair[1].parse().unwrap());
        words.chunks(2).map(pair).collect()
    };
    let day = |(date, text): &(&str, &str)| (date.parse().unwrap(), rates(text));
    Quotations {
        base: base.parse().unwrap(),
        days: days.iter().map(day).collect(),
        next_update: None,
    }
}
