//! Tests of the search: whose rates are taken, and why others aren't.

use jiff::civil::date;

use super::*;
use crate::{
    api::ExchangeRateSpec,
    rates::{
        fixtures::{pairs, quotations},
        provider::Origin,
        refresh::EXCHANGE_RATE_OWNERS,
    },
    reconcile::{Owner, SetName},
};

const TODAY: Date = date(2026, 11, 20);

/// A wish for dollars and yen of the ECB, and of Frankfurter if it has none.
fn wish() -> Wish {
    let owner = Owner {
        kind: &EXCHANGE_RATE_OWNERS,
        set: SetName::cluster(),
        namespace: Some("shop".into()),
        name: "eur".into(),
    };
    let spec = ExchangeRateSpec::of_quotes(vec!["USD".to_owned(), "JPY".to_owned()]);
    Wish::new(&owner, &spec, Origin::Cluster, &[]).unwrap()
}

fn sheet(day: &str, rates: &str) -> RateSheet {
    let quotations = quotations("EUR", &[(day, rates)]);
    RateSheet::new(&quotations, &pairs("EUR", "USD JPY"), None, 0).unwrap()
}

/// The search after the providers have said this of these days, in their order.
fn search(answers: &[(&str, &str)], last: Option<&RateSheet>) -> Search {
    let (wish, mut search) = (wish(), Search::default());
    let measure = Measure {
        last,
        history: None,
        today: TODAY,
    };
    for answer in answers {
        search.answered(&wish, &quotations("EUR", &[*answer]), None, &measure);
    }
    search
}

/// Whose rates of which day were taken, and why others weren't good enough.
fn told(search: &Search) -> (Option<(ProviderType, String)>, Vec<&'static str>) {
    let accepted = search.accepted.as_ref();
    let accepted = accepted.map(|one| (one.kind, one.sheet.as_of().to_string()));
    (accepted, search.reasons.iter().map(Reason::word).collect())
}

fn of(kind: ProviderType, day: &str) -> (ProviderType, String) {
    (kind, day.to_owned())
}

#[test]
fn the_first_fresh_rates_end_the_search() {
    let search = search(&[("2026-11-20", "USD 1.08 JPY 163")], None);
    assert_eq!(
        told(&search),
        (Some(of(ProviderType::Ecb, "2026-11-20")), vec![])
    );
    assert_eq!(search.next(&wish()), None);
}

#[test]
fn a_currency_that_is_missing_is_left_to_the_next_provider() {
    let answers = [
        ("2026-11-20", "USD 1.08"),
        ("2026-11-19", "USD 1.07 JPY 162"),
    ];
    let search = search(&answers, None);
    let expected = (
        Some(of(ProviderType::Frankfurter, "2026-11-19")),
        vec!["IncompleteRates"],
    );
    assert_eq!(told(&search), expected);
}

#[test]
fn rates_that_cannot_be_right_are_left_out() {
    let last = sheet("2026-11-19", "USD 1.08 JPY 163");
    let answers = [
        ("2026-11-20", "USD 2.16 JPY 163"),
        ("2026-11-18", "USD 1.08 JPY 163"),
    ];
    let search = search(&answers, Some(&last));
    assert_eq!(told(&search), (None, vec!["JumpTooLarge", "DateGoesBack"]));
    assert_eq!(search.next(&wish()), None);
}

#[test]
fn fresh_rates_are_better_than_those_of_the_first_choice() {
    let answers = [
        ("2026-11-02", "USD 1.05 JPY 160"),
        ("2026-11-20", "USD 1.08 JPY 163"),
    ];
    let search = search(&answers, None);
    let expected = (
        Some(of(ProviderType::Frankfurter, "2026-11-20")),
        vec!["NothingNewer"],
    );
    assert_eq!(told(&search), expected);
}

#[test]
fn of_old_rates_the_newest_are_taken_and_the_first_choice_of_equals() {
    let old = ("2026-11-02", "USD 1.05 JPY 160");
    let older = ("2026-10-30", "USD 1.04 JPY 159");
    let stale = vec!["NothingNewer", "NothingNewer"];
    for (answers, kind) in [
        ([old, older], ProviderType::Ecb),
        ([older, old], ProviderType::Frankfurter),
        ([old, old], ProviderType::Ecb),
    ] {
        let search = search(&answers, None);
        assert_eq!(told(&search), (Some(of(kind, "2026-11-02")), stale.clone()));
    }
}

#[test]
fn a_provider_that_is_wrong_about_much_is_quoted_in_short() {
    let last = sheet("2026-11-19", "USD 1.08 JPY 163");
    let search = search(&[("2026-11-18", "USD 9 JPY 9")], Some(&last));
    let text = search.reasons[0].to_string();
    assert_eq!(
        text,
        "ECB: JPY: the rate is of 2026-11-18, older than the last good one of 2026-11-19, \
         USD: the rate is of 2026-11-18, older than the last good one of 2026-11-19"
    );
}
