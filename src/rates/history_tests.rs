//! Tests of histories.

use jiff::civil::date;

use super::*;
use crate::rates::fixtures::{pairs, quotations};

fn history(base: &str, quotes: &str) -> History {
    let days = [
        ("2026-11-19", "JPY 157 USD 1.08"),
        ("2026-11-20", "USD 1.0812"),
        ("2026-11-21", "JPY 158"),
    ];
    let mut history = History::new(base.parse().unwrap());
    history.add_quotations(&quotations("EUR", &days), &pairs(base, quotes));
    history
}

fn dates(history: &History) -> Vec<Date> {
    history.days().keys().copied().collect()
}

#[test]
fn a_day_counts_for_the_pairs_that_it_has_both_sides_of() {
    let all = [date(2026, 11, 19), date(2026, 11, 20), date(2026, 11, 21)];
    assert_eq!(dates(&history("EUR", "JPY USD")), all);
    assert_eq!(dates(&history("EUR", "USD")), all[..2]);
    assert_eq!(dates(&history("USD", "JPY")), all[..1]);
    assert_eq!(dates(&history("USD", "EUR")), all[..2]);
    assert_eq!(dates(&history("GBP", "EUR")), []);
}

#[test]
fn what_is_not_wanted_any_more_falls_out() {
    let both = history("EUR", "JPY USD");
    assert_eq!(both.only(&pairs("EUR", "USD")), history("EUR", "USD"));
    let other = both.only(&pairs("USD", "JPY"));
    assert_eq!(other, History::new(Currency::USD));
}

#[test]
fn a_window_begins_so_many_days_before_its_end() {
    let end = date(2026, 11, 20);
    assert_eq!(Window::new(end, 0), None);
    let start = |days| Window::new(end, days).unwrap().start();
    assert_eq!(start(1), end);
    assert_eq!(start(20), date(2026, 11, 1));
    let all = history("EUR", "JPY USD");
    let within = all.within(Window::new(end, 1).unwrap());
    assert_eq!(dates(&within), [end]);
}
