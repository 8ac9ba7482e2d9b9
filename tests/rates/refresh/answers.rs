//! What providers answer, in their own forms, with rates of days around today.

use jiff::{Timestamp, ToSpan, civil::Date, tz::TimeZone};
use serde_json::{Map, Value, json};

/// Today in UTC.
pub fn today() -> Date {
    Timestamp::now().to_zoned(TimeZone::UTC).date()
}

/// So many calendar days ago.
pub fn days_ago(days: i32) -> Date {
    today().saturating_sub(days.days())
}

/// Rates such as `USD 1.0812 JPY 163.2`, one by one.
fn each(rates: &str) -> impl Iterator<Item = (&str, &str)> {
    let words: Vec<&str> = rates.split(' ').collect();
    let pairs: Vec<(&str, &str)> = words.chunks(2).map(|pair| (pair[0], pair[1])).collect();
    pairs.into_iter()
}

fn texts(rates: &str) -> Map<String, Value> {
    let text = |(quote, rate): (&str, &str)| (quote.to_owned(), Value::from(rate));
    each(rates).map(text).collect()
}

/// The simple form of the provider `URL`.
pub fn simple(date: Date, rates: &str) -> String {
    json!({"base": "EUR", "date": date.to_string(), "rates": texts(rates)}).to_string()
}

/// A file of the European Central Bank, of one day or several.
pub fn ecb(days: &[(Date, &str)]) -> String {
    let cubes = days.iter().map(|(date, rates)| {
        let rates = each(rates)
            .map(|(currency, rate)| format!("<Cube currency='{currency}' rate='{rate}'/>"));
        format!("<Cube time='{date}'>{}</Cube>", rates.collect::<String>())
    });
    let cubes: String = cubes.collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><gesmes:Envelope \
         xmlns:gesmes=\"http://www.gesmes.org/xml/2002-08-01\" \
         xmlns=\"http://www.ecb.int/vocabulary/2002-08-01/eurofxref\"><Cube>{cubes}</Cube></gesmes:Envelope>"
    )
}

/// Frankfurter's second version.
pub fn frankfurter(date: Date, rates: &str) -> String {
    let rows = each(rates).map(|(quote, rate)| {
        let rate: Value = rate.parse().expect("the test's rate is a number");
        json!({"date": date.to_string(), "base": "EUR", "quote": quote, "rate": rate})
    });
    rows.collect::<Value>().to_string()
}

/// Open Exchange Rates, as of the noon of a day; the base is the dollar.
pub fn open_exchange_rates(date: Date, rates: &str) -> String {
    let noon = date
        .at(12, 0, 0, 0)
        .to_zoned(TimeZone::UTC)
        .expect("a moment")
        .timestamp();
    let number = |(quote, rate): (&str, &str)| {
        let rate: Value = rate.parse().expect("the test's rate is a number");
        (quote.to_owned(), rate)
    };
    let rates: Map<String, Value> = each(rates).map(number).collect();
    json!({"timestamp": noon.as_second(), "base": "USD", "rates": rates}).to_string()
}
