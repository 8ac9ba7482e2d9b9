//! Rates as CSV: a header, and a row for each rate on each day.

use csv::{ErrorKind, ReaderBuilder, StringRecord, Trim};

use super::{
    AnswerError,
    answer_error::Format,
    quoted::{self, Quoted},
    text::{not_format, text},
};
use crate::rates::Quotations;

/// Where the columns that are read are.
struct Columns {
    date: usize,
    base: usize,
    quote: usize,
    rate: usize,
}

impl Columns {
    fn of(header: &StringRecord) -> Option<Self> {
        let position = |name| header.iter().position(|column| column == name);
        Some(Self {
            date: position("date")?,
            base: position("base")?,
            quote: position("quote")?,
            rate: position("rate")?,
        })
    }
}

/// Reads rows of the columns `date`, `base`, `quote` and `rate`, which may be among others and in any
/// order.
pub fn read(body: &[u8]) -> Result<Quotations, AnswerError> {
    let text = text(body, Format::Csv)?;
    let mut reader = ReaderBuilder::new()
        .trim(Trim::All)
        .from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| refused(&error))?;
    let columns = Columns::of(header).ok_or_else(|| not_format(text, Format::Csv))?;
    let mut quoted: Option<Quoted> = None;
    for row in reader.records() {
        let row = row.map_err(|error| refused(&error))?;
        let cell = |column: usize| row.get(column).unwrap_or_default();
        let base = cell(columns.base);
        let taker = match &mut quoted {
            Some(quoted) => {
                quoted.same_base(base)?;
                quoted
            }
            None => quoted.insert(Quoted::for_base(base)?),
        };
        let day = quoted::date(cell(columns.date))?;
        taker.take(day, cell(columns.quote), cell(columns.rate))?;
    }
    quoted.ok_or(AnswerError::NoRates)?.finish(None)
}

fn refused(error: &csv::Error) -> AnswerError {
    let reason = match error.kind() {
        ErrorKind::UnequalLengths { .. } => "a row has not as many columns as the header",
        _ => "it can't be read as rows",
    };
    AnswerError::malformed(Format::Csv, reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATES: &[u8] = include_bytes!("../../../tests/fixtures/rates/rates.csv");
    const HISTORY: &[u8] = include_bytes!("../../../tests/fixtures/rates/history.csv");

    fn error(body: &str) -> String {
        read(body.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn our_own_files_are_read() {
        let latest = read(RATES).unwrap();
        assert_eq!((latest.base.code(), latest.days.len()), ("EUR", 1));
        let history = read(HISTORY).unwrap();
        let rows: Vec<String> = history
            .days
            .iter()
            .flat_map(|(day, rates)| {
                rates
                    .iter()
                    .map(move |(currency, rate)| format!("{day} {currency} {rate}"))
            })
            .collect();
        assert_eq!(
            rows,
            [
                "2026-11-19 USD 1.079",
                "2026-11-20 JPY 163.2",
                "2026-11-20 USD 1.0812"
            ]
        );
    }

    #[test]
    fn columns_may_be_in_any_order_among_others() {
        let body =
            "\u{feff}rate, note ,quote,base,date\r\n1.5,\"a,\nb\",USD,EUR,2026-11-20\r\n\r\n";
        assert_eq!(read(body.as_bytes()).unwrap().days.len(), 1);
    }

    #[test]
    fn each_trouble_is_told() {
        let header = "date,base,quote,rate\n";
        let rows = |rows: &str| error(&format!("{header}{rows}"));
        assert_eq!(error("not found"), "got no valid CSV, but \"not found\"");
        assert_eq!(rows(""), "it has no rates");
        assert_eq!(
            rows("2026-11-20,EUR,USD"),
            "the CSV is not what this provider answers: a row has not as many columns as the header"
        );
        assert_eq!(
            rows("2026-11-20,EUR,USD,1\n2026-11-20,USD,EUR,1\n"),
            "its rates are for more than one base: EUR and \"USD\""
        );
        assert_eq!(
            rows("2026-11-20,EUR,USD,-1\n"),
            "its rate of USD can't be used: -1 is not positive"
        );
        assert_eq!(
            rows("20.11.2026,EUR,USD,1\n"),
            "\"20.11.2026\" is not a date of the form 2026-11-20"
        );
        assert_eq!(
            rows("2026-11-20,EUR,USD,1\n2026-11-20,EUR,USD,1\n"),
            "it has more than one rate of USD for the same day"
        );
    }
}
