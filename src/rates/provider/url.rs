//! Any address that answers in a simple form of JSON or CSV, which our own `rates.json`, `rates.csv` and
//! `history.csv` have too, so that one cluster can serve another.

use jiff::{Timestamp, civil::Date};
use reqwest::Url;
use serde::Deserialize;

use super::{
    Address, AnswerError, Excerpt, Provider, ProviderType, Span,
    answer_error::Format,
    json::{self, Members, Number},
    quoted::{self, Quoted},
    simple_csv,
};
use crate::rates::{Calendar, Quotations};

/// Any address that answers in our own form.
pub struct SimpleUrl;

/// `{"base": "EUR", "date": "2026-11-20", "rates": {"USD": "1.0812", "JPY": 163.2}}`.
#[derive(Deserialize)]
struct Simple<'a> {
    base: String,
    date: String,
    #[serde(borrow)]
    rates: Members<'a, Number<'a>>,
    /// RFC 3339.
    #[serde(rename = "nextUpdate")]
    next_update: Option<String>,
}

impl Provider for SimpleUrl {
    fn kind(&self) -> ProviderType {
        ProviderType::Url
    }

    /// Most rates in the end are some central bank's, which rests at weekends.
    fn calendar(&self) -> Calendar {
        Calendar::Target
    }

    fn endpoint(&self) -> Option<&'static str> {
        None
    }

    /// A CSV may have many days; whether it does is seen when it is there.
    fn has_history(&self) -> bool {
        true
    }

    fn request(&self, endpoint: &Address, _span: Span, _today: Date) -> Url {
        endpoint.url().clone()
    }

    fn read(&self, body: &[u8]) -> Result<Quotations, AnswerError> {
        let begin = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
        if begin.trim_ascii_start().starts_with(b"{") {
            read_json(body)
        } else {
            simple_csv::read(body)
        }
    }
}

fn read_json(body: &[u8]) -> Result<Quotations, AnswerError> {
    let simple: Simple<'_> = json::read(body)?;
    let day = quoted::date(&simple.date)?;
    let mut quoted = Quoted::for_base(&simple.base)?;
    for (code, number) in &simple.rates.0 {
        quoted.take(day, code, &number.text())?;
    }
    quoted.finish(simple.next_update.as_deref().map(moment).transpose()?)
}

fn moment(text: &str) -> Result<Timestamp, AnswerError> {
    let reason = || format!("nextUpdate is {}, no moment of RFC 3339", Excerpt::of(text));
    text.parse()
        .map_err(|_| AnswerError::malformed(Format::Json, reason()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const JSON: &[u8] = include_bytes!("../../../tests/fixtures/rates/url.json");

    fn error(body: &str) -> String {
        SimpleUrl.read(body.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn numbers_may_be_strings() {
        let quotations = SimpleUrl.read(JSON).unwrap();
        assert_eq!(quotations.base.code(), "EUR");
        assert_eq!(
            quotations.next_update,
            Some("2026-11-21T16:00:00Z".parse().unwrap())
        );
        let shown: Vec<String> = quotations.days[&jiff::civil::date(2026, 11, 20)]
            .iter()
            .map(|(currency, rate)| format!("{currency}={rate}"))
            .collect();
        assert_eq!(shown, ["JPY=163.2", "USD=1.0812"]);
    }

    #[test]
    fn a_byte_order_mark_and_blanks_change_nothing() {
        let body = [b"\xEF\xBB\xBF \r\n".as_slice(), JSON].concat();
        assert_eq!(SimpleUrl.read(&body), SimpleUrl.read(JSON));
    }

    #[test]
    fn each_trouble_is_told() {
        let body = r#"{"base": "EUR", "date": "2026-11-20", "rates": {"USD": 1.08}}"#;
        assert!(SimpleUrl.read(body.as_bytes()).is_ok());
        let changed = |from: &str, to: &str| error(&body.replacen(from, to, 1));
        assert_eq!(
            changed(r#""date": "2026-11-20","#, ""),
            "the JSON is not what this provider answers: missing field `date`"
        );
        assert_eq!(
            changed("EUR", "Euro"),
            "its base \"Euro\" is no currency of ISO 4217"
        );
        assert_eq!(
            changed("1.08", "null"),
            "its rate of USD can't be used: \"null\" is not a decimal number of at most 28 digits"
        );
        assert_eq!(
            changed("1.08", "\"NaN\""),
            "its rate of USD can't be used: \"NaN\" is not a decimal number of at most 28 digits"
        );
        assert_eq!(changed(r#""USD": 1.08"#, ""), "it has no rates");
        assert_eq!(
            changed("1.08", "1.08, \"USD\": 1.08"),
            "it has more than one rate of USD for the same day"
        );
        assert_eq!(changed("}}", ""), "the JSON ends in the middle");
        assert_eq!(
            changed("{\"base", "{\"nextUpdate\": \"soon\", \"base"),
            "the JSON is not what this provider answers: nextUpdate is \"soon\", no moment of RFC 3339"
        );
        assert_eq!(
            error("<html>"),
            "got HTML, not CSV; a login page, or the wrong address?"
        );
        assert_eq!(error(""), "got an empty answer, not CSV");
    }
}
