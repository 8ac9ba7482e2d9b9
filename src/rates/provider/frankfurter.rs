//! Frankfurter's second version, which has rates of some 200 currencies from many central banks.
//!
//! Its form: <https://frankfurter.dev/docs/>.

use jiff::{ToSpan, civil::Date};
use reqwest::Url;
use serde::Deserialize;

use super::{
    Address, AnswerError, Provider, ProviderType, Refusal, Span,
    json::{self, Number},
    quoted::{self, Quoted},
};
use crate::rates::{Calendar, Quotations};

/// A longer history of all currencies would be larger than we take.
const MOST_DAYS: i32 = 700;

/// Frankfurter's second version.
pub struct Frankfurter;

/// One rate of one day.
#[derive(Deserialize)]
struct Row<'a> {
    date: String,
    base: String,
    quote: String,
    #[serde(borrow)]
    rate: Number<'a>,
}

/// What it says instead of rates: `{"status": 422, "message": "…"}`.
#[derive(Deserialize)]
struct Complaint {
    message: String,
}

impl Provider for Frankfurter {
    fn kind(&self) -> ProviderType {
        ProviderType::Frankfurter
    }

    /// Some of its banks work at weekends, but those of the large currencies don't.
    fn calendar(&self) -> Calendar {
        Calendar::Target
    }

    fn endpoint(&self) -> Option<&'static str> {
        Some("https://api.frankfurter.dev")
    }

    fn has_history(&self) -> bool {
        true
    }

    fn request(&self, endpoint: &Address, span: Span, today: Date) -> Url {
        let mut url = endpoint.join("v2/rates");
        url.query_pairs_mut().append_pair("base", "EUR");
        if let Span::Since(day) = span {
            let first = day.max(today.saturating_sub(MOST_DAYS.days()));
            url.query_pairs_mut()
                .append_pair("from", &first.to_string());
        }
        url
    }

    /// Each currency has the day of its own last rate.
    fn read(&self, body: &[u8]) -> Result<Quotations, AnswerError> {
        let rows: Vec<Row<'_>> = json::read(body)?;
        let first = rows.first().ok_or(AnswerError::NoRates)?;
        let mut quoted = Quoted::for_base(&first.base)?;
        for row in &rows {
            quoted.same_base(&row.base)?;
            quoted.take(quoted::date(&row.date)?, &row.quote, &row.rate.text())?;
        }
        quoted.finish(None)
    }

    fn refusal(&self, body: &[u8]) -> Option<Refusal> {
        let complaint: Complaint = json::read(body).ok()?;
        Some(Refusal::new(&complaint.message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATEST: &[u8] =
        include_bytes!("../../../tests/fixtures/rates/frankfurter-v2-latest.json");
    const RANGE: &[u8] = include_bytes!("../../../tests/fixtures/rates/frankfurter-v2-range.json");

    #[test]
    fn each_currency_has_its_own_day() {
        let quotations = Frankfurter.read(LATEST).unwrap();
        let counts: Vec<String> = quotations
            .days
            .iter()
            .map(|(day, rates)| format!("{day} {}", rates.len()))
            .collect();
        assert_eq!(counts, ["2026-11-13 1", "2026-11-19 2", "2026-11-20 5"]);
        let latest = &quotations.days[&jiff::civil::date(2026, 11, 20)];
        assert_eq!(latest[&"JPY".parse().unwrap()].to_string(), "181.34");
    }

    #[test]
    fn a_range_has_all_days() {
        assert_eq!(Frankfurter.read(RANGE).unwrap().days.len(), 3);
    }

    #[test]
    fn a_range_is_never_longer_than_we_would_take() {
        let endpoint: Address = Frankfurter.endpoint().unwrap().parse().unwrap();
        let today = jiff::civil::date(2026, 11, 20);
        let url = |span| Frankfurter.request(&endpoint, span, today).to_string();
        assert_eq!(
            url(Span::Latest),
            "https://api.frankfurter.dev/v2/rates?base=EUR"
        );
        assert_eq!(
            url(Span::Since(jiff::civil::date(2026, 10, 1))),
            "https://api.frankfurter.dev/v2/rates?base=EUR&from=2026-10-01"
        );
        assert_eq!(
            url(Span::Since(jiff::civil::date(1999, 1, 4))),
            "https://api.frankfurter.dev/v2/rates?base=EUR&from=2024-12-20"
        );
    }

    #[test]
    fn each_trouble_is_told() {
        let error = |body: &str| Frankfurter.read(body.as_bytes()).unwrap_err().to_string();
        assert_eq!(error("[]"), "it has no rates");
        assert!(
            error("{}")
                .starts_with("the JSON is not what this provider answers: invalid type: map")
        );
        let row = |base: &str, rate: &str| {
            format!(r#"{{"date": "2026-11-20", "base": "{base}", "quote": "USD", "rate": {rate}}}"#)
        };
        let rows = |rows: &[String]| error(&format!("[{}]", rows.join(",")));
        assert_eq!(
            rows(&[row("EUR", "1.1"), row("GBP", "1.3")]),
            "its rates are for more than one base: EUR and \"GBP\""
        );
        assert_eq!(
            rows(&[row("EUR", "0")]),
            "its rate of USD can't be used: 0 is not positive"
        );
        assert_eq!(
            rows(&[row("EUR", "1.1"), row("EUR", "1.1")]),
            "it has more than one rate of USD for the same day"
        );
    }

    #[test]
    fn its_complaints_are_understood() {
        let said = Frankfurter.refusal(br#"{"status":422,"message":"invalid from date"}"#);
        assert_eq!(said.unwrap().to_string(), "\"invalid from date\"");
        assert_eq!(Frankfurter.refusal(b"<html>"), None);
    }
}
