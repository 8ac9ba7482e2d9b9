//! Frankfurter's first version, which is frozen: the European Central Bank's rates as JSON.
//!
//! Its form: <https://frankfurter.dev/v1/>. It is only ever asked for the base EUR: for any other it
//! rounds twice.

use jiff::civil::Date;
use reqwest::Url;
use serde::Deserialize;

use super::{
    Address, AnswerError, Provider, ProviderType, Refusal, Span,
    answer_error::Format,
    json::{self, Members, Number},
    quoted::{self, Quoted},
};
use crate::rates::{Calendar, Quotations, Rate};

/// Frankfurter's first version.
pub struct FrankfurterV1;

/// The rates of one day, or with `start_date` and `end_date` those of several.
#[derive(Deserialize)]
#[serde(bound(deserialize = "R: Deserialize<'de>"))]
struct Answer<'a, R> {
    #[serde(borrow)]
    amount: Option<Number<'a>>,
    base: String,
    date: Option<String>,
    rates: R,
}

/// Tells one day from several.
#[derive(Deserialize)]
struct Kind {
    start_date: Option<String>,
}

type Rates<'a> = Members<'a, Number<'a>>;

/// What it says instead of rates.
#[derive(Deserialize)]
struct Complaint {
    message: String,
}

impl Provider for FrankfurterV1 {
    fn kind(&self) -> ProviderType {
        ProviderType::FrankfurterV1
    }

    fn calendar(&self) -> Calendar {
        Calendar::Target
    }

    fn endpoint(&self) -> Option<&'static str> {
        Some("https://api.frankfurter.dev")
    }

    fn has_history(&self) -> bool {
        true
    }

    fn request(&self, endpoint: &Address, span: Span, _today: Date) -> Url {
        let mut url = match span {
            Span::Latest => endpoint.join("v1/latest"),
            Span::Since(day) => endpoint.join(&format!("v1/{day}..")),
        };
        url.query_pairs_mut().append_pair("base", "EUR");
        url
    }

    fn read(&self, body: &[u8]) -> Result<Quotations, AnswerError> {
        let kind: Kind = json::read(body)?;
        if kind.start_date.is_some() {
            read_days(&json::read(body)?)
        } else {
            read_day(&json::read(body)?)
        }
    }

    fn refusal(&self, body: &[u8]) -> Option<Refusal> {
        let complaint: Complaint = json::read(body).ok()?;
        Some(Refusal::new(&complaint.message))
    }
}

fn read_day(answer: &Answer<'_, Rates<'_>>) -> Result<Quotations, AnswerError> {
    let mut quoted = begin(answer)?;
    let day = quoted::date(answer.date.as_deref().ok_or(AnswerError::NoDate)?)?;
    for (code, number) in &answer.rates.0 {
        quoted.take(day, code, &number.text())?;
    }
    quoted.finish(None)
}

fn read_days(answer: &Answer<'_, Members<'_, Rates<'_>>>) -> Result<Quotations, AnswerError> {
    let mut quoted = begin(answer)?;
    for (day, rates) in &answer.rates.0 {
        let day = quoted::date(day)?;
        for (code, number) in &rates.0 {
            quoted.take(day, code, &number.text())?;
        }
    }
    quoted.finish(None)
}

/// For another amount than one, all rates would be multiples.
fn begin<R>(answer: &Answer<'_, R>) -> Result<Quoted, AnswerError> {
    let is_one = |amount: &Number<'_>| amount.text().parse() == Ok(Rate::ONE);
    if answer.amount.as_ref().is_some_and(|amount| !is_one(amount)) {
        let reason = "it is for another amount than one";
        return Err(AnswerError::malformed(Format::Json, reason));
    }
    Quoted::for_base(&answer.base)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATEST: &[u8] =
        include_bytes!("../../../tests/fixtures/rates/frankfurter-v1-latest.json");
    const RANGE: &[u8] = include_bytes!("../../../tests/fixtures/rates/frankfurter-v1-range.json");

    #[test]
    fn one_day_and_several_are_told_apart() {
        let latest = FrankfurterV1.read(LATEST).unwrap();
        assert_eq!((latest.base.code(), latest.days.len()), ("EUR", 1));
        let range = FrankfurterV1.read(RANGE).unwrap();
        let days: Vec<String> = range.days.keys().map(ToString::to_string).collect();
        assert_eq!(days, ["2026-11-18", "2026-11-19", "2026-11-20"]);
    }

    #[test]
    fn only_euros_are_asked_for() {
        let endpoint: Address = "http://frankfurter:8080/".parse().unwrap();
        let today = jiff::civil::date(2026, 11, 20);
        let url = |span| FrankfurterV1.request(&endpoint, span, today).to_string();
        assert_eq!(
            url(Span::Latest),
            "http://frankfurter:8080/v1/latest?base=EUR"
        );
        assert_eq!(
            url(Span::Since(today)),
            "http://frankfurter:8080/v1/2026-11-20..?base=EUR"
        );
    }

    #[test]
    fn each_trouble_is_told() {
        let body = r#"{"amount":1.0,"base":"EUR","date":"2026-11-20","rates":{"USD":1.1}}"#;
        let error = |from: &str, to: &str| {
            let body = body.replacen(from, to, 1);
            FrankfurterV1.read(body.as_bytes()).unwrap_err().to_string()
        };
        assert!(FrankfurterV1.read(body.as_bytes()).is_ok());
        assert_eq!(
            error("1.0", "10.0"),
            "the JSON is not what this provider answers: it is for another amount than one"
        );
        assert_eq!(
            error("\"date\":\"2026-11-20\",", ""),
            "it doesn't say for which day its rates are"
        );
        assert_eq!(error("{\"USD\":1.1}", "{}"), "it has no rates");
        assert_eq!(
            error("1.1", "-1.1"),
            "its rate of USD can't be used: -1.1 is not positive"
        );
        assert!(
            error("{\"USD\":1.1}", "[]").contains("invalid type: sequence, expected an object")
        );
    }

    #[test]
    fn its_complaints_are_understood() {
        let said = FrankfurterV1
            .refusal(br#"{"message":"not found"}"#)
            .unwrap();
        assert_eq!(said.to_string(), "\"not found\"");
    }
}
