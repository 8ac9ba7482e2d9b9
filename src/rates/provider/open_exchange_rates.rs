//! openexchangerates.org, which wants a key.
//!
//! Its form: <https://docs.openexchangerates.org/reference/latest-json>; its errors:
//! <https://docs.openexchangerates.org/reference/errors>; its keys:
//! <https://docs.openexchangerates.org/reference/authentication>.

use jiff::civil::Date;
use reqwest::Url;
use serde::Deserialize;

use super::{
    Address, AnswerError, KeyPlace, KeyUse, Provider, ProviderType, Refusal, Span,
    json::{self, Members, Number},
    quoted::{self, Quoted},
};
use crate::rates::{Calendar, Quotations};

/// openexchangerates.org.
pub struct OpenExchangeRates;

/// The rates of an hour.
#[derive(Deserialize)]
struct Answer<'a> {
    timestamp: i64,
    base: String,
    #[serde(borrow)]
    rates: Members<'a, Number<'a>>,
}

/// What it says instead of rates, with a description for people that changes.
#[derive(Deserialize)]
struct Complaint {
    error: bool,
    message: String,
}

impl Provider for OpenExchangeRates {
    fn kind(&self) -> ProviderType {
        ProviderType::OpenExchangeRates
    }

    fn calendar(&self) -> Calendar {
        Calendar::Daily
    }

    fn endpoint(&self) -> Option<&'static str> {
        Some("https://openexchangerates.org/api")
    }

    fn key(&self) -> Option<KeyUse> {
        Some(KeyUse {
            variable: "OPENEXCHANGERATES_APP_ID",
            place: KeyPlace::Authorization("Token"),
        })
    }

    /// Another base than USD costs extra.
    fn request(&self, endpoint: &Address, _span: Span, _today: Date) -> Url {
        endpoint.join("latest.json")
    }

    fn read(&self, body: &[u8]) -> Result<Quotations, AnswerError> {
        if let Some(refusal) = self.refusal(body) {
            return Err(AnswerError::Refused(refusal));
        }
        let answer: Answer<'_> = json::read(body)?;
        let day = quoted::day_of(quoted::moment(answer.timestamp)?);
        let mut quoted = Quoted::for_base(&answer.base)?;
        for (code, number) in &answer.rates.0 {
            quoted.take(day, code, &number.text())?;
        }
        quoted.finish(None)
    }

    fn refusal(&self, body: &[u8]) -> Option<Refusal> {
        let complaint: Complaint = json::read(body).ok()?;
        complaint.error.then(|| Refusal {
            is_limit: complaint.message == "access_restricted",
            ..Refusal::new(&complaint.message)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATEST: &[u8] = include_bytes!("../../../tests/fixtures/rates/open-exchange-rates.json");
    const REFUSED: &[u8] =
        include_bytes!("../../../tests/fixtures/rates/open-exchange-rates-401.json");

    #[test]
    fn the_rates_are_for_a_dollar() {
        let quotations = OpenExchangeRates.read(LATEST).unwrap();
        assert_eq!(quotations.base.code(), "USD");
        let rates = &quotations.days[&jiff::civil::date(2026, 11, 20)];
        assert_eq!(rates[&"EUR".parse().unwrap()].to_string(), "0.863036");
        // BTC and GGP are in the answer, and USD itself.
        assert_eq!(rates.len(), 5);
    }

    #[test]
    fn the_address_has_no_key() {
        let endpoint: Address = OpenExchangeRates.endpoint().unwrap().parse().unwrap();
        let url =
            OpenExchangeRates.request(&endpoint, Span::Latest, jiff::civil::date(2026, 11, 20));
        assert_eq!(
            url.as_str(),
            "https://openexchangerates.org/api/latest.json"
        );
    }

    #[test]
    fn its_complaints_are_understood_whatever_the_status() {
        let said = OpenExchangeRates.refusal(REFUSED).unwrap();
        assert_eq!(
            (said.to_string().as_str(), said.is_limit),
            ("\"invalid_app_id\"", false)
        );
        assert_eq!(
            OpenExchangeRates.read(REFUSED),
            Err(AnswerError::Refused(said))
        );
        let limit =
            br#"{"error":true,"status":429,"message":"access_restricted","description":"x"}"#;
        assert!(
            OpenExchangeRates
                .refusal(limit.as_slice())
                .unwrap()
                .is_limit
        );
        assert_eq!(OpenExchangeRates.refusal(LATEST), None);
    }
}
