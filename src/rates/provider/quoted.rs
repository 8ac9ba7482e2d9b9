//! Gathers the rates of an answer, whatever form it has, and holds them to the same rules.

use std::collections::BTreeMap;

use jiff::{Timestamp, civil::Date, tz::TimeZone};

use super::{AnswerError, Excerpt};
use crate::rates::{Currency, Quotations, Rate, RateError};

/// The most characters that a number may have and still be quoted whole.
const LONGEST_NUMBER: usize = 64;
/// What a decimal holds.
const MOST_DIGITS: usize = 28;

/// The rates of an answer, as far as it is read.
pub struct Quoted {
    base: Currency,
    days: BTreeMap<Date, BTreeMap<Currency, Rate>>,
}

impl Quoted {
    /// Nothing yet, for a base.
    pub fn new(base: Currency) -> Self {
        Self {
            base,
            days: BTreeMap::new(),
        }
    }

    /// Nothing yet, for the base with this code.
    pub fn for_base(code: &str) -> Result<Self, AnswerError> {
        let base = code.parse();
        base.map(Self::new)
            .map_err(|_| AnswerError::UnknownBase(Excerpt::of(code)))
    }

    /// Makes sure that a row is for the same base as those before.
    pub fn same_base(&self, code: &str) -> Result<(), AnswerError> {
        if self.base.code() == code {
            return Ok(());
        }
        Err(AnswerError::TwoBases(self.base, Excerpt::of(code)))
    }

    /// Takes a rate. What ISO 4217 doesn't know, such as BTC, is left out.
    pub fn take(&mut self, date: Date, code: &str, number: &str) -> Result<(), AnswerError> {
        let Ok(currency) = code.parse::<Currency>() else {
            return Ok(());
        };
        let rate = rate(number).map_err(|reason| AnswerError::BadRate { currency, reason })?;
        if currency == self.base {
            return if rate == Rate::ONE {
                Ok(())
            } else {
                Err(AnswerError::Identity(currency, Excerpt::of(number)))
            };
        }
        let day = self.days.entry(date).or_default();
        match day.insert(currency, rate) {
            None => Ok(()),
            Some(_) => Err(AnswerError::Duplicate(currency)),
        }
    }

    /// All that was taken.
    pub fn finish(self, next_update: Option<Timestamp>) -> Result<Quotations, AnswerError> {
        if self.days.is_empty() {
            return Err(AnswerError::NoRates);
        }
        Ok(Quotations {
            base: self.base,
            days: self.days,
            next_update,
        })
    }
}

/// A day in the form of ISO 8601 that all providers use.
pub fn date(text: &str) -> Result<Date, AnswerError> {
    let has_form = text.len() == 10 && !text.starts_with(['-', '+']);
    let date = text.parse::<Date>().ok().filter(|_| has_form);
    date.ok_or_else(|| AnswerError::BadDate(Excerpt::of(text)))
}

/// The moment that many seconds after the beginning of 1970.
pub fn moment(seconds: i64) -> Result<Timestamp, AnswerError> {
    let moment = Timestamp::from_second(seconds);
    moment.map_err(|_| AnswerError::BadDate(Excerpt::of(&seconds.to_string())))
}

/// The day of a moment, in UTC, as providers who give moments count.
pub fn day_of(moment: Timestamp) -> Date {
    moment.to_zoned(TimeZone::UTC).date()
}

/// Reads a number as JSON writes them. What else a library might take for one, such as `1_000`, isn't.
fn rate(text: &str) -> Result<Rate, RateError> {
    if text.len() > LONGEST_NUMBER {
        let begin: String = text.chars().take(LONGEST_NUMBER).collect();
        return Err(RateError::NotANumber(format!("{begin}…")));
    }
    if !is_number(text) {
        return Err(RateError::NotANumber(text.to_owned()));
    }
    text.parse()
}

/// Whether a text is a number by RFC 8259, section 6, and has no more digits than are kept.
fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let exponent = exponent.map(|exponent| exponent.strip_prefix(['+', '-']).unwrap_or(exponent));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let significant = mantissa.trim_start_matches(['0', '.']);
    let count = significant.bytes().filter(u8::is_ascii_digit).count();
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(digits)
        && count <= MOST_DIGITS
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: Date = jiff::civil::date(2026, 11, 20);

    fn taken(rates: &[(&str, &str)]) -> Result<Quotations, AnswerError> {
        let mut quoted = Quoted::new(Currency::EUR);
        for (code, number) in rates {
            quoted.take(DAY, code, number)?;
        }
        quoted.finish(None)
    }

    #[test]
    fn what_is_no_currency_is_left_out_whatever_its_rate() {
        let quotations =
            taken(&[("USD", "1.0812"), ("BTC", "0"), ("GGP", "x"), ("usd", "2")]).unwrap();
        let day = &quotations.days[&DAY];
        assert_eq!(day.len(), 1);
        assert_eq!(day[&Currency::USD].to_string(), "1.0812");
    }

    #[test]
    fn one_bad_rate_refuses_all() {
        for number in [
            "0",
            "-1.1",
            "NaN",
            "",
            "x",
            "1,1",
            "1_000",
            "+1",
            ".5",
            "5.",
            "01",
            "1e",
            "0x1",
            " 1",
            "inf",
            "1.00000000000000000000000000001e1",
            "1e99999999999",
        ] {
            let error = taken(&[("JPY", "163.2"), ("USD", number)]).unwrap_err();
            assert!(
                error
                    .to_string()
                    .starts_with("its rate of USD can't be used: "),
                "{error}"
            );
        }
    }

    #[test]
    fn a_number_may_be_written_in_each_of_json_s_ways() {
        for (text, value) in [
            ("1", "1"),
            ("0.50", "0.5"),
            ("1.5e2", "150"),
            ("25E-1", "2.5"),
            ("1e+3", "1000"),
        ] {
            assert_eq!(rate(text).unwrap().to_string(), value);
        }
    }

    #[test]
    fn the_text_s_digits_all_survive() {
        let text = "1.234567890123456789012345678";
        assert_eq!(rate(text).unwrap().to_string(), text);
        assert!(rate(&format!("{text}9")).is_err());
    }

    #[test]
    fn a_long_text_is_not_repeated_whole() {
        let error = taken(&[("USD", &"9".repeat(100_000))]).unwrap_err();
        assert!(error.to_string().len() < 200);
    }

    #[test]
    fn the_base_is_worth_itself() {
        assert_eq!(
            taken(&[("EUR", "1.0"), ("USD", "2")]).unwrap().days[&DAY].len(),
            1
        );
        let error = taken(&[("EUR", "1.1"), ("USD", "2")]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "it says that one EUR is worth \"1.1\" EUR"
        );
    }

    #[test]
    fn two_rates_and_none_are_refused() {
        assert_eq!(
            taken(&[("USD", "1"), ("USD", "1")]),
            Err(AnswerError::Duplicate(Currency::USD))
        );
        assert_eq!(taken(&[]), Err(AnswerError::NoRates));
        assert_eq!(
            taken(&[("EUR", "1"), ("XXZ", "1")]),
            Err(AnswerError::NoRates)
        );
    }

    #[test]
    fn dates_have_one_form() {
        assert_eq!(date("2026-11-20"), Ok(DAY));
        for text in [
            "",
            "20261120",
            "2026-11-20T00:00:00",
            "2026-02-30",
            "20 Nov 2026",
            "-02026-1-1",
        ] {
            assert!(date(text).is_err(), "{text}");
        }
    }

    #[test]
    fn moments_have_a_day_and_an_end() {
        assert_eq!(
            day_of(moment(1_795_218_599).unwrap()).to_string(),
            "2026-11-20"
        );
        assert!(moment(i64::MAX).is_err());
    }
}
