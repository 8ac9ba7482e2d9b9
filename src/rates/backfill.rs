//! Which part of the history the provider is to be asked for.

use jiff::{ToSpan, civil::Date};

use super::{Calendar, Pairs, RateSheet, Window};

/// From which day on the provider should be asked for its history, if at all, to fill the window with
/// these pairs.
///
/// The latest rates come anyway: the window ends with their day. `published` are the last good rates.
/// `filled_since` is the day since which the history was asked for before, and had. Who asks remembers
/// that day, and forgets it when the answer fails. The history doesn't tell by itself: a day that it lacks
/// may be one that the provider lacks too, and asking for that would never end. So days before the newest
/// one are asked for once, and days after it only until there is a newer one.
pub fn missing_since(
    published: Option<&RateSheet>,
    pairs: &Pairs,
    window: Window,
    filled_since: Option<Date>,
    calendar: Calendar,
) -> Option<Date> {
    let is_filled = filled_since.is_some_and(|since| since <= window.start());
    let newest = published
        .filter(|sheet| is_filled && publishes(sheet, pairs))
        .and_then(|sheet| sheet.history().newest());
    match newest {
        Some(newest) => first_hole(newest, window, calendar),
        None => Some(window.start()),
    }
}

fn publishes(sheet: &RateSheet, pairs: &Pairs) -> bool {
    let mut quotes = pairs.quotes().iter();
    sheet.base() == pairs.base() && quotes.all(|quote| sheet.rows().contains_key(quote))
}

/// The first business day of the window that lies between the newest day and the window's last.
fn first_hole(newest: Date, window: Window, calendar: Calendar) -> Option<Date> {
    let after = newest.max(window.start().saturating_sub(1.day()));
    let until = window.newest().saturating_sub(1.day());
    calendar.business_days(after, until).next()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::rates::{
        Calendar::{Daily, Target},
        fixtures::{pairs, quotations},
    };

    const FRIDAY: Date = date(2026, 11, 20);

    fn sheet(days: &[&str]) -> RateSheet {
        let days: Vec<_> = days.iter().map(|day| (*day, "USD 1.0812")).collect();
        RateSheet::new(&quotations("EUR", &days), &pairs("EUR", "USD"), None, 30).unwrap()
    }

    fn window(newest: Date, days: u16) -> Window {
        Window::new(newest, days).unwrap()
    }

    fn missing(
        published: &RateSheet,
        window: Window,
        filled_since: Date,
        calendar: Calendar,
    ) -> Option<Date> {
        let usd = pairs("EUR", "USD");
        missing_since(Some(published), &usd, window, Some(filled_since), calendar)
    }

    #[test]
    fn at_first_all_is_missing() {
        let (usd, window) = (pairs("EUR", "USD"), window(FRIDAY, 30));
        let start = Some(date(2026, 10, 22));
        assert_eq!(missing_since(None, &usd, window, None, Target), start);
        let sheet = sheet(&["2026-11-20"]);
        assert_eq!(
            missing_since(Some(&sheet), &usd, window, None, Target),
            start
        );
        // The ConfigMap was lost, but not what we remember.
        assert_eq!(
            missing_since(None, &usd, window, Some(date(2026, 1, 1)), Target),
            start
        );
    }

    #[test]
    fn once_it_was_filled_nothing_is_missing_whatever_the_provider_lacks() {
        let sparse = sheet(&["2026-11-10", "2026-11-19"]);
        let since = date(2026, 10, 21);
        for calendar in [Target, Daily] {
            assert_eq!(missing(&sparse, window(FRIDAY, 30), since, calendar), None);
        }
        // The day itself comes with the latest rates, and there may be no newer ones.
        let thursday = date(2026, 11, 19);
        assert_eq!(missing(&sparse, window(thursday, 30), since, Target), None);
    }

    #[test]
    fn a_longer_history_is_asked_for_anew() {
        let sheet = sheet(&["2026-11-19"]);
        let since = date(2026, 10, 22);
        assert_eq!(missing(&sheet, window(FRIDAY, 30), since, Target), None);
        assert_eq!(
            missing(&sheet, window(FRIDAY, 31), since, Target),
            Some(date(2026, 10, 21))
        );
    }

    #[test]
    fn days_that_were_slept_through_are_missing() {
        let sheet = sheet(&["2026-11-13"]);
        let since = date(2026, 1, 1);
        let monday = Some(date(2026, 11, 16));
        assert_eq!(missing(&sheet, window(FRIDAY, 30), since, Target), monday);
        // Of which those before the window don't matter.
        assert_eq!(
            missing(&sheet, window(FRIDAY, 3), since, Target),
            Some(date(2026, 11, 18))
        );
        assert_eq!(missing(&sheet, window(FRIDAY, 1), since, Target), None);
    }

    #[test]
    fn weekends_are_missing_only_where_there_are_rates_on_them() {
        let friday = sheet(&["2026-11-13"]);
        let (monday, since) = (window(date(2026, 11, 16), 30), date(2026, 1, 1));
        assert_eq!(missing(&friday, monday, since, Target), None);
        let saturday = Some(date(2026, 11, 14));
        assert_eq!(missing(&friday, monday, since, Daily), saturday);
    }

    #[test]
    fn another_quote_or_base_has_no_history_yet() {
        let sheet = sheet(&["2026-11-19"]);
        let since = Some(date(2026, 1, 1));
        for (base, quotes) in [("EUR", "USD JPY"), ("GBP", "USD")] {
            let pairs = pairs(base, quotes);
            let window = window(FRIDAY, 30);
            let missing = missing_since(Some(&sheet), &pairs, window, since, Target);
            assert_eq!(missing, Some(window.start()));
        }
    }

    /// The krona had no rates for ten years: it is published with its old rate, and is no hole.
    #[test]
    fn a_quote_that_has_ended_is_not_asked_for_again() {
        let days = [("2008-12-09", "ISK 290"), ("2026-11-19", "USD 1.0812")];
        let both = pairs("EUR", "USD ISK");
        let quotations = quotations("EUR", &days);
        let sheet = RateSheet::new(&quotations, &both, None, 30).unwrap();
        assert_eq!(sheet.history().of("ISK".parse().unwrap()).count(), 0);
        let since = Some(date(2026, 1, 1));
        let missing = missing_since(Some(&sheet), &both, window(FRIDAY, 30), since, Target);
        assert_eq!(missing, None);
    }
}
