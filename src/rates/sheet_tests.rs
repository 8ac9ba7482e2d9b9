//! Tests of sheets.

use jiff::civil::date;

use super::*;
use crate::rates::fixtures::{pairs, quotations};

const DAYS: [(&str, &str); 3] = [
    ("2026-11-18", "JPY 158 USD 1.09"),
    ("2026-11-19", "ISK 144.1 JPY 157 USD 1.08"),
    ("2026-11-20", "JPY 157.43 USD 1.0812"),
];

fn sheet(base: &str, quotes: &str) -> Result<RateSheet, NoRates> {
    let quotations = quotations("EUR", &DAYS);
    RateSheet::new(&quotations, &pairs(base, quotes), None, 0)
}

/// Quotes with their dates, rates and inverses.
fn shown(sheet: &RateSheet) -> Vec<String> {
    let rows = sheet.rows().iter();
    rows.map(|(quote, row)| format!("{quote} {} {} {}", row.date, row.rate, row.inverse))
        .collect()
}

#[test]
fn rates_are_the_latest_ones() {
    let eur = sheet("EUR", "USD JPY").unwrap();
    assert_eq!(
        shown(&eur),
        [
            "JPY 2026-11-20 157.43 0.006352029473",
            "USD 2026-11-20 1.0812 0.9248982612"
        ]
    );
    assert_eq!(eur.as_of(), date(2026, 11, 20));
    assert!(eur.history().days().is_empty());
}

#[test]
fn the_base_need_not_be_the_providers() {
    let usd = sheet("USD", "EUR JPY").unwrap();
    assert_eq!(
        shown(&usd),
        [
            "EUR 2026-11-20 0.9248982612 1.0812",
            "JPY 2026-11-20 145.6067333 0.006867814267"
        ]
    );
}

#[test]
fn a_rate_is_as_old_as_its_older_leg() {
    let isk = sheet("EUR", "ISK USD").unwrap();
    assert_eq!(isk.rows()[&"ISK".parse().unwrap()].date, date(2026, 11, 19));
    assert_eq!(isk.as_of(), date(2026, 11, 19));
    assert_eq!(isk.newest(), date(2026, 11, 20));
    // The dollar's rate of that day, not its latest one.
    let cross = sheet("USD", "ISK").unwrap();
    assert_eq!(shown(&cross), ["ISK 2026-11-19 133.4259259 0.007494795281"]);
}

#[test]
fn legs_that_never_share_a_day_are_taken_together() {
    let days = [("2026-11-19", "ISK 144.1"), ("2026-11-20", "USD 1.0812")];
    let quotations = quotations("EUR", &days);
    let sheet = RateSheet::new(&quotations, &pairs("USD", "ISK"), None, 3).unwrap();
    let row = "ISK 2026-11-19 133.2778394 0.007503122831";
    assert_eq!(shown(&sheet), [row]);
    let days: Vec<_> = sheet.history().of("ISK".parse().unwrap()).collect();
    assert_eq!(days.len(), 1, "{days:?}");
}

#[test]
fn the_base_itself_may_be_a_quote() {
    for base in ["EUR", "USD"] {
        let one = sheet(base, base).unwrap();
        assert_eq!(shown(&one), [format!("{base} 2026-11-20 1 1")]);
    }
}

#[test]
fn every_currency_without_a_rate_is_named() {
    let missing = sheet("EUR", "GBP USD CHF").unwrap_err();
    assert_eq!(missing.to_string(), "no rate is given for CHF, GBP");
    let base = sheet("GBP", "GBP USD CHF").unwrap_err();
    assert_eq!(base.to_string(), "no rate is given for CHF, GBP");
}

#[test]
fn no_quotes_or_rows_make_no_sheet() {
    assert_eq!(Pairs::new(Currency::EUR, []), None);
    assert_eq!(RateSheet::from_rows(Currency::EUR, BTreeMap::new()), None);
}

#[test]
fn history_is_kept_for_so_many_calendar_days() {
    let old = [("2026-11-16", "USD 1.05"), ("2026-11-19", "USD 1.99")];
    let usd = pairs("EUR", "USD");
    let before = RateSheet::new(&quotations("EUR", &old), &usd, None, 30).unwrap();
    let history = |days| {
        let kept = Some(before.history());
        let sheet = RateSheet::new(&quotations("EUR", &DAYS), &usd, kept, days).unwrap();
        let history = sheet.history().of(Currency::USD);
        let shown = history.map(|(date, cross)| format!("{date} {}", cross.rate));
        shown.collect::<Vec<_>>()
    };
    let all = [
        "2026-11-16 1.05",
        "2026-11-18 1.09",
        // A correction.
        "2026-11-19 1.08",
        "2026-11-20 1.0812",
    ];
    assert_eq!(history(5), all);
    assert_eq!(history(4), all[1..]);
    assert_eq!(history(1), all[3..]);
    assert_eq!(history(0), all[4..]);
    assert_eq!(history(u16::MAX), all);
}
