//! The open access of exchangerate-api.com, without a key.
//!
//! Its form and its limits: <https://www.exchangerate-api.com/docs/free>. It wants to be named where its
//! rates are shown.

use jiff::{SignedDuration, civil::Date};
use reqwest::Url;
use serde::Deserialize;

use super::{
    Address, AnswerError, Provider, ProviderType, Refusal, Span,
    json::{self, Members, Number},
    quoted::{self, Quoted},
};
use crate::rates::{Calendar, Quotations};

/// It answers nobody for this long whom it has told to ask less.
const PAUSE: SignedDuration = SignedDuration::from_mins(20);

/// The open access of exchangerate-api.com.
pub struct OpenErApi;

/// How it went.
#[derive(Deserialize)]
struct Outcome {
    result: String,
    #[serde(rename = "error-type")]
    error_type: Option<String>,
}

/// The rates of one day.
#[derive(Deserialize)]
struct Answer<'a> {
    time_last_update_unix: i64,
    time_next_update_unix: Option<i64>,
    base_code: String,
    #[serde(borrow)]
    rates: Members<'a, Number<'a>>,
}

impl Provider for OpenErApi {
    fn kind(&self) -> ProviderType {
        ProviderType::OpenErApi
    }

    fn calendar(&self) -> Calendar {
        Calendar::Daily
    }

    fn endpoint(&self) -> Option<&'static str> {
        Some("https://open.er-api.com")
    }

    fn pause(&self) -> Option<SignedDuration> {
        Some(PAUSE)
    }

    fn request(&self, endpoint: &Address, _span: Span, _today: Date) -> Url {
        endpoint.join("v6/latest/EUR")
    }

    fn read(&self, body: &[u8]) -> Result<Quotations, AnswerError> {
        let outcome: Outcome = json::read(body)?;
        if let Some(refusal) = refusal(&outcome) {
            return Err(AnswerError::Refused(refusal));
        }
        let answer: Answer<'_> = json::read(body)?;
        let day = quoted::day_of(quoted::moment(answer.time_last_update_unix)?);
        let mut quoted = Quoted::for_base(&answer.base_code)?;
        for (code, number) in &answer.rates.0 {
            quoted.take(day, code, &number.text())?;
        }
        quoted.finish(
            answer
                .time_next_update_unix
                .map(quoted::moment)
                .transpose()?,
        )
    }

    fn refusal(&self, body: &[u8]) -> Option<Refusal> {
        refusal(&json::read(body).ok()?)
    }
}

fn refusal(outcome: &Outcome) -> Option<Refusal> {
    let said = outcome.error_type.as_deref().unwrap_or(&outcome.result);
    (outcome.result != "success").then(|| Refusal::new(said))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATEST: &[u8] = include_bytes!("../../../tests/fixtures/rates/open-er-api.json");

    #[test]
    fn the_day_is_that_of_the_update_in_utc() {
        let quotations = OpenErApi.read(LATEST).unwrap();
        let days: Vec<String> = quotations.days.keys().map(ToString::to_string).collect();
        assert_eq!(days, ["2026-11-20"]);
        assert_eq!(quotations.base.code(), "EUR");
        assert_eq!(
            quotations.next_update,
            Some("2026-11-21T00:23:41Z".parse().unwrap())
        );
        // FOK and GGP are in the answer, but no currencies of ISO 4217.
        assert_eq!(quotations.days.values().next().unwrap().len(), 6);
    }

    #[test]
    fn each_trouble_is_told() {
        let error = |body: &str| OpenErApi.read(body.as_bytes()).unwrap_err();
        let refused = error(r#"{"result":"error","error-type":"unsupported-code"}"#);
        assert_eq!(
            refused.to_string(),
            "the provider refuses: \"unsupported-code\""
        );
        assert_eq!(refused.word(), "ProviderError");
        assert_eq!(
            error(r#"{"result":"success","base_code":"EUR","rates":{}}"#).to_string(),
            "the JSON is not what this provider answers: missing field `time_last_update_unix`"
        );
        assert_eq!(
            error(r#"{"result":"success","time_last_update_unix":0,"base_code":"EUR","rates":{}}"#),
            AnswerError::NoRates
        );
    }
}
