//! exchangerate.host, which wants a key.
//!
//! Its form and its errors: <https://exchangerate.host/documentation>.

use jiff::civil::Date;
use reqwest::Url;
use serde::Deserialize;

use super::{
    Address, AnswerError, KeyPlace, KeyUse, Provider, ProviderType, Refusal, Span,
    answer_error::Format,
    json::{self, Members, Number},
    quoted::{self, Quoted},
};
use crate::rates::{Calendar, Quotations};

/// The codes for too many requests in a month and at once.
const LIMITS: [i64; 2] = [104, 106];

/// exchangerate.host.
pub struct ExchangeRateHost;

/// How it went.
#[derive(Deserialize)]
struct Outcome {
    success: bool,
    error: Option<Complaint>,
}

/// What it says instead of rates. The status is 200 all the same.
#[derive(Deserialize)]
struct Complaint {
    code: i64,
    r#type: Option<String>,
    info: Option<String>,
}

/// The rates of a moment, whose names are the base's and the quote's.
#[derive(Deserialize)]
struct Answer<'a> {
    timestamp: i64,
    source: String,
    #[serde(borrow)]
    quotes: Members<'a, Number<'a>>,
}

impl Provider for ExchangeRateHost {
    fn kind(&self) -> ProviderType {
        ProviderType::ExchangeRateHost
    }

    fn calendar(&self) -> Calendar {
        Calendar::Daily
    }

    fn endpoint(&self) -> Option<&'static str> {
        Some("https://api.exchangerate.host")
    }

    fn key(&self) -> Option<KeyUse> {
        Some(KeyUse {
            variable: "EXCHANGERATE_HOST_ACCESS_KEY",
            place: KeyPlace::Query("access_key"),
        })
    }

    /// Another source than USD costs extra.
    fn request(&self, endpoint: &Address, _span: Span, _today: Date) -> Url {
        endpoint.join("live")
    }

    fn read(&self, body: &[u8]) -> Result<Quotations, AnswerError> {
        let outcome: Outcome = json::read(body)?;
        if !outcome.success {
            return Err(AnswerError::Refused(refusal(&outcome)));
        }
        let answer: Answer<'_> = json::read(body)?;
        let day = quoted::day_of(quoted::moment(answer.timestamp)?);
        let mut quoted = Quoted::for_base(&answer.source)?;
        for (pair, number) in &answer.quotes.0 {
            let code = pair.strip_prefix(&*answer.source).ok_or_else(|| {
                AnswerError::malformed(Format::Json, "a quote is for another base than the source")
            })?;
            quoted.take(day, code, &number.text())?;
        }
        quoted.finish(None)
    }

    fn refusal(&self, body: &[u8]) -> Option<Refusal> {
        let outcome: Outcome = json::read(body).ok()?;
        (!outcome.success).then(|| refusal(&outcome))
    }
}

fn refusal(outcome: &Outcome) -> Refusal {
    let Some(complaint) = &outcome.error else {
        return Refusal::new("success is false");
    };
    let said = complaint.r#type.as_ref().or(complaint.info.as_ref());
    let code = format!("error {}", complaint.code);
    let said = said.map_or_else(|| code.clone(), |said| format!("{code}: {said}"));
    Refusal {
        is_limit: LIMITS.contains(&complaint.code),
        ..Refusal::new(&said)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIVE: &[u8] = include_bytes!("../../../tests/fixtures/rates/exchangerate-host.json");
    const REFUSED: &[u8] =
        include_bytes!("../../../tests/fixtures/rates/exchangerate-host-refused.json");

    #[test]
    fn the_base_is_no_part_of_the_quotes_names() {
        let quotations = ExchangeRateHost.read(LIVE).unwrap();
        assert_eq!(quotations.base.code(), "USD");
        let rates = &quotations.days[&jiff::civil::date(2026, 11, 20)];
        assert_eq!(rates[&"EUR".parse().unwrap()].to_string(), "0.863036");
        assert_eq!(rates.len(), 4);
    }

    #[test]
    fn a_complaint_is_none_of_the_rates() {
        let error = ExchangeRateHost.read(REFUSED).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the provider refuses: \"error 101: missing_access_key\""
        );
        let limit = br#"{"success":false,"error":{"code":106,"info":"You have exceeded the maximum rate limitation"}}"#;
        assert!(ExchangeRateHost.refusal(limit.as_slice()).unwrap().is_limit);
        let error = ExchangeRateHost.read(br#"{"success":false}"#).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the provider refuses: \"success is false\""
        );
    }

    #[test]
    fn each_trouble_is_told() {
        let error = |body: &str| {
            ExchangeRateHost
                .read(body.as_bytes())
                .unwrap_err()
                .to_string()
        };
        assert_eq!(
            error(
                r#"{"success":true,"timestamp":1795132800,"source":"USD","quotes":{"EURUSD":1.1}}"#
            ),
            "the JSON is not what this provider answers: a quote is for another base than the source"
        );
        assert_eq!(
            error(
                r#"{"success":true,"timestamp":1795132800,"source":"USD","quotes":{"USDEUR":0}}"#
            ),
            "its rate of EUR can't be used: 0 is not positive"
        );
    }
}
