//! The European Central Bank's euro foreign exchange reference rates.
//!
//! Their form and times: <https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/>.

use std::{borrow::Cow, path::Path};

use jiff::{ToSpan, civil::Date};
use quick_xml::{
    Reader,
    events::{BytesStart, Event},
};
use reqwest::Url;

use super::{
    Address, AnswerError, Provider, ProviderType, Span,
    answer_error::Format,
    quoted::{self, Quoted},
    text::{not_format, text},
};
use crate::rates::{Calendar, Currency, Quotations};

/// The file of the last ninety days reaches back at least this far.
const DAYS_OF_THE_SHORT_HISTORY: i32 = 85;
/// The name of the element that is everything here: the list, its days and their rates.
const CUBE: &str = "Cube";

/// The European Central Bank.
pub struct Ecb;

impl Provider for Ecb {
    fn kind(&self) -> ProviderType {
        ProviderType::Ecb
    }

    fn calendar(&self) -> Calendar {
        Calendar::Target
    }

    fn endpoint(&self) -> Option<&'static str> {
        Some("https://www.ecb.europa.eu/stats/eurofxref")
    }

    fn has_history(&self) -> bool {
        true
    }

    /// An address that ends in `.xml` is one file, and asked as it is.
    fn request(&self, endpoint: &Address, span: Span, today: Date) -> Url {
        if Path::new(endpoint.url().path()).extension() == Some("xml".as_ref()) {
            return endpoint.url().clone();
        }
        let is_short = |since| {
            let begin = today.saturating_sub(DAYS_OF_THE_SHORT_HISTORY.days());
            since >= begin
        };
        endpoint.join(match span {
            Span::Latest => "eurofxref-daily.xml",
            Span::Since(day) if is_short(day) => "eurofxref-hist-90d.xml",
            Span::Since(_) => "eurofxref-hist.xml",
        })
    }

    fn read(&self, body: &[u8]) -> Result<Quotations, AnswerError> {
        let text = text(body, Format::Xml)?;
        if !text.trim_start().starts_with('<') {
            return Err(not_format(text, Format::Xml));
        }
        let mut reader = Reader::from_str(text);
        let mut reading = Reading::new();
        loop {
            let event = reader.read_event();
            match event.map_err(|error| refused(&error))? {
                Event::Start(element) => {
                    reading.enter(&element)?;
                    reading.depth += 1;
                }
                Event::Empty(element) => reading.enter(&element)?,
                Event::End(_) => reading.depth = reading.depth.saturating_sub(1),
                Event::Eof => break,
                // Neither a document type nor an entity of it is ever followed.
                _ => {}
            }
        }
        reading.finish()
    }
}

/// How far a document is read.
struct Reading {
    quoted: Quoted,
    day: Option<Date>,
    /// How many elements are open.
    depth: usize,
}

impl Reading {
    fn new() -> Self {
        Self {
            quoted: Quoted::new(Currency::EUR),
            day: None,
            depth: 0,
        }
    }

    fn enter(&mut self, element: &BytesStart<'_>) -> Result<(), AnswerError> {
        if element.local_name().as_ref() != CUBE {
            return Ok(());
        }
        let cube = Cube::of(element)?;
        if let Some(time) = &cube.time {
            self.day = Some(quoted::date(time)?);
        }
        let Some(currency) = &cube.currency else {
            return Ok(());
        };
        let no_rate = || AnswerError::malformed(Format::Xml, "a currency has no rate");
        let rate = cube.rate.as_ref().ok_or_else(no_rate)?;
        let day = self.day.ok_or(AnswerError::NoDate)?;
        self.quoted.take(day, currency, rate)
    }

    fn finish(self) -> Result<Quotations, AnswerError> {
        if self.depth > 0 {
            return Err(AnswerError::Truncated(Format::Xml));
        }
        self.quoted.finish(None)
    }
}

/// What a cube says, as it is written. An entity makes it no number and no date, whatever it stands for.
#[derive(Default)]
struct Cube<'a> {
    time: Option<Cow<'a, str>>,
    currency: Option<Cow<'a, str>>,
    rate: Option<Cow<'a, str>>,
}

impl<'a> Cube<'a> {
    fn of(element: &'a BytesStart<'_>) -> Result<Self, AnswerError> {
        let mut cube = Self::default();
        for attribute in element.attributes() {
            let refuse =
                |_| AnswerError::malformed(Format::Xml, "an element has no valid attributes");
            let attribute = attribute.map_err(refuse)?;
            let place = match attribute.key.as_ref() {
                "time" => &mut cube.time,
                "currency" => &mut cube.currency,
                "rate" => &mut cube.rate,
                _ => continue,
            };
            *place = Some(attribute.value);
        }
        Ok(cube)
    }
}

fn refused(error: &quick_xml::Error) -> AnswerError {
    use quick_xml::errors::{Error, IllFormedError};
    match error {
        Error::Syntax(_) | Error::IllFormed(IllFormedError::MissingEndTag(_)) => {
            AnswerError::Truncated(Format::Xml)
        }
        other => AnswerError::malformed(Format::Xml, other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    const DAILY: &[u8] = include_bytes!("../../../tests/fixtures/rates/ecb-daily.xml");
    const HISTORY: &[u8] = include_bytes!("../../../tests/fixtures/rates/ecb-hist-90d.xml");

    fn error(body: &str) -> String {
        Ecb.read(body.as_bytes()).unwrap_err().to_string()
    }

    fn cubes(inner: &str) -> String {
        format!("<gesmes:Envelope xmlns:gesmes='x'><Cube>{inner}</Cube></gesmes:Envelope>")
    }

    #[test]
    fn the_latest_rates_are_those_of_one_day() {
        let quotations = Ecb.read(DAILY).unwrap();
        assert_eq!(quotations.base, Currency::EUR);
        assert_eq!(quotations.next_update, None);
        let (day, rates) = quotations.days.iter().next().unwrap();
        assert_eq!(
            (quotations.days.len(), day.to_string().as_str(), rates.len()),
            (1, "2026-11-20", 29)
        );
        let rate = |code: &str| rates[&code.parse().unwrap()].to_string();
        assert_eq!(
            [rate("USD"), rate("JPY"), rate("HUF"), rate("IDR")],
            ["1.1587", "181.34", "383.1", "19366.89"]
        );
    }

    #[test]
    fn a_history_has_each_day_and_days_may_lack_a_currency() {
        let quotations = Ecb.read(HISTORY).unwrap();
        let days: Vec<String> = quotations.days.keys().map(ToString::to_string).collect();
        assert_eq!(days, ["2026-11-18", "2026-11-19", "2026-11-20"]);
        let counts: Vec<usize> = quotations.days.values().map(BTreeMap::len).collect();
        assert_eq!(counts, [3, 2, 3]);
    }

    #[test]
    fn the_smallest_file_that_suffices_is_asked_for() {
        let endpoint: Address = Ecb.endpoint().unwrap().parse().unwrap();
        let today = jiff::civil::date(2026, 11, 20);
        let file = |span| {
            Ecb.request(&endpoint, span, today)
                .path_segments()
                .unwrap()
                .next_back()
                .unwrap()
                .to_owned()
        };
        assert_eq!(file(Span::Latest), "eurofxref-daily.xml");
        assert_eq!(file(Span::Since(today)), "eurofxref-hist-90d.xml");
        assert_eq!(
            file(Span::Since(today.saturating_sub(85.days()))),
            "eurofxref-hist-90d.xml"
        );
        assert_eq!(
            file(Span::Since(today.saturating_sub(86.days()))),
            "eurofxref-hist.xml"
        );
        let one: Address = "http://mirror/rates.xml?a=b".parse().unwrap();
        assert_eq!(
            Ecb.request(&one, Span::Latest, today).as_str(),
            "http://mirror/rates.xml?a=b"
        );
    }

    #[test]
    fn each_trouble_is_told() {
        assert_eq!(error("{}"), "got no valid XML, but \"{}\"");
        assert_eq!(
            error("<html>"),
            "got HTML, not XML; a login page, or the wrong address?"
        );
        assert_eq!(error(&cubes("")), "it has no rates");
        assert_eq!(
            error(&cubes("<Cube currency='USD' rate='1'/>")),
            "it doesn't say for which day its rates are"
        );
        assert_eq!(
            error(&cubes("<Cube time='today'/>")),
            "\"today\" is not a date of the form 2026-11-20"
        );
        let day = |inner: &str| cubes(&format!("<Cube time='2026-11-20'>{inner}</Cube>"));
        assert_eq!(
            error(&day("<Cube currency='USD'/>")),
            "the XML is not what this provider answers: a currency has no rate"
        );
        assert_eq!(
            error(&day("<Cube currency='USD' rate='0.00'/>")),
            "its rate of USD can't be used: 0.00 is not positive"
        );
        assert_eq!(
            error(&day(
                "<Cube currency='USD' rate='1'/><Cube currency='USD' rate='1'/>"
            )),
            "it has more than one rate of USD for the same day"
        );
        assert!(
            error(&day("<Cube currency='USD' rate='1' rate='2'/>")).starts_with("the XML is not")
        );
        assert!(error("<a></b>").starts_with("the XML is not"));
    }

    #[test]
    fn every_cut_is_noticed() {
        let end = DAILY.iter().rposition(|byte| *byte == b'>').unwrap();
        for length in 0..end {
            assert!(
                Ecb.read(&DAILY[..length]).is_err(),
                "the first {length} bytes were taken for all"
            );
        }
    }

    #[test]
    fn entities_are_not_expanded() {
        let bomb = "<!DOCTYPE a [<!ENTITY x '1'><!ENTITY y '&x;&x;'>]>";
        let body = format!(
            "{bomb}{}",
            cubes("<Cube time='2026-11-20'><Cube currency='USD' rate='&y;'/></Cube>")
        );
        assert_eq!(
            error(&body),
            "its rate of USD can't be used: \"&y;\" is not a decimal number of at most 28 digits"
        );
    }

    #[test]
    fn depth_does_no_harm() {
        assert!(Ecb.read("<a>".repeat(100_000).as_bytes()).is_err());
    }
}
