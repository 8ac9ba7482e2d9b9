//! `rates.csv` and `history.csv`: one line for each day and quote.

use std::{collections::BTreeMap, fmt::Write};

use jiff::civil::Date;

use super::damage;
use crate::rates::{Cross, Currency, History, Rate, RateSheet, Row};

/// The first line. Nothing in the others ever needs quotation marks.
const HEADER: &str = "date,base,quote,rate,inverse";

/// Why a table of rates can't be read back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CsvDamage {
    /// The first line is another one.
    #[error("its first line is not {HEADER}")]
    Header,
    /// A line has other fields, or they aren't written as ours are.
    #[error("line {line}: {reason}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A line has another base than those above it.
    #[error("line {0} has another base than line 2")]
    Base(usize),
    /// The lines aren't in the order of their days and quotes, or one is there twice.
    #[error("line {0} doesn't come after the line above it")]
    Order(usize),
    /// There is only the first line.
    #[error("it has no rates")]
    Empty,
}

/// One line.
struct Line {
    date: Date,
    base: Currency,
    quote: Currency,
    cross: Cross,
}

/// The latest rates, by quote.
pub(super) fn rates(sheet: &RateSheet) -> String {
    let rows = sheet.rows().iter();
    table(rows.map(|(quote, row)| line(row.date, sheet.base(), *quote, row.cross())))
}

/// The rates of all days, the newest last.
pub(super) fn history(history: &History) -> String {
    let days = history.days().iter();
    table(days.flat_map(|(date, rates)| {
        let rates = rates.iter();
        rates.map(|(quote, cross)| line(*date, history.base(), *quote, *cross))
    }))
}

/// Reads the latest rates back.
pub(super) fn read_rates(text: &str) -> Result<RateSheet, CsvDamage> {
    let lines = read(text)?;
    let base = base(&lines)?;
    let mut rows = BTreeMap::new();
    for (index, line) in lines.into_iter().enumerate() {
        let above = rows.last_key_value().map(|(quote, _)| *quote);
        if above.is_some_and(|above| above >= line.quote) {
            return Err(CsvDamage::Order(index + 2));
        }
        rows.insert(line.quote, Row::new(line.date, line.cross));
    }
    RateSheet::from_rows(base, rows).ok_or(CsvDamage::Empty)
}

/// Reads a history back.
pub fn history_from_csv(text: &str) -> Result<History, CsvDamage> {
    let lines = read(text)?;
    let mut history = History::new(base(&lines)?);
    let mut above = None;
    for (index, line) in lines.into_iter().enumerate() {
        let place = Some((line.date, line.quote));
        if above >= place {
            return Err(CsvDamage::Order(index + 2));
        }
        above = place;
        history.add(line.date, line.quote, line.cross);
    }
    Ok(history)
}

fn table(lines: impl Iterator<Item = Line>) -> String {
    let mut text = format!("{HEADER}\n");
    for Line {
        date,
        base,
        quote,
        cross: Cross { rate, inverse },
    } in lines
    {
        writeln!(text, "{date},{base},{quote},{rate},{inverse}").expect("a string takes all");
    }
    text
}

fn line(date: Date, base: Currency, quote: Currency, cross: Cross) -> Line {
    Line {
        date,
        base,
        quote,
        cross,
    }
}

/// The base of all lines.
fn base(lines: &[Line]) -> Result<Currency, CsvDamage> {
    let base = lines.first().ok_or(CsvDamage::Empty)?.base;
    match lines.iter().position(|line| line.base != base) {
        Some(index) => Err(CsvDamage::Base(index + 2)),
        None => Ok(base),
    }
}

fn read(text: &str) -> Result<Vec<Line>, CsvDamage> {
    let mut lines = text.lines();
    if lines.next() != Some(HEADER) {
        return Err(CsvDamage::Header);
    }
    let read = |(index, text)| {
        read_line(text).map_err(|reason| CsvDamage::Line {
            line: index + 2,
            reason,
        })
    };
    lines.enumerate().map(read).collect()
}

fn read_line(text: &str) -> Result<Line, String> {
    let fields: Vec<&str> = text.split(',').collect();
    let [date, base, quote, rate, inverse] = fields[..] else {
        return Err(format!("{} fields instead of 5", fields.len()));
    };
    let currency = |code: &str| code.parse::<Currency>().map_err(|error| error.to_string());
    let rate_of = |text: &str| Rate::from_published(text).map_err(|error| error.to_string());
    let cross = Cross {
        rate: rate_of(rate)?,
        inverse: rate_of(inverse)?,
    };
    let date = damage::date(date).map_err(|error| error.to_string())?;
    Ok(line(date, currency(base)?, currency(quote)?, cross))
}
