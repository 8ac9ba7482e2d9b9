//! `rates.env`: all rates as variables, for a shell's `source` and a container's env file.

use std::{collections::BTreeMap, fmt::Write};

use jiff::civil::Date;

use super::{Damage, damage};
use crate::rates::{Currency, Rate, RateSheet, Row};

/// What follows a quote's code in the name of its inverse.
pub(super) const INVERSE: &str = "_INVERSE";

/// The variables of a sheet. Neither names nor values need quotation marks anywhere.
pub(super) fn rates(sheet: &RateSheet) -> String {
    let mut text = format!("BASE={}\nDATE={}\n", sheet.base(), sheet.as_of());
    for (quote, Row { rate, inverse, .. }) in sheet.rows() {
        write!(text, "{quote}={rate}\n{quote}{INVERSE}={inverse}\n").expect("a string takes all");
    }
    text
}

/// Reads the variables back. They don't tell whether a rate is newer than the oldest one.
pub(super) fn read(text: &str) -> Result<RateSheet, Damage> {
    let mut variables = BTreeMap::new();
    for (index, line) in text.lines().enumerate() {
        let (name, value) = line.split_once('=').ok_or(Damage::Line(index + 1))?;
        if variables.insert(name, value).is_some() {
            return Err(Damage::Extra(format!("{name} twice")));
        }
    }
    let base: Currency = take(&mut variables, "BASE")?.parse()?;
    let date = damage::date(take(&mut variables, "DATE")?)?;
    let sheet = RateSheet::from_rows(base, rows(variables, date)?);
    sheet.ok_or_else(|| Damage::Lacks("rates".to_owned()))
}

fn take<'a>(variables: &mut BTreeMap<&str, &'a str>, name: &str) -> Result<&'a str, Damage> {
    let value = variables.remove(name);
    value.ok_or_else(|| Damage::Lacks(name.to_owned()))
}

fn rows(
    mut variables: BTreeMap<&str, &str>,
    date: Date,
) -> Result<BTreeMap<Currency, Row>, Damage> {
    let mut rows = BTreeMap::new();
    // A quote's own name comes before that of its inverse.
    while let Some((quote, rate)) = variables.pop_first() {
        let quote: Currency = quote.parse()?;
        let inverse = take(&mut variables, &format!("{quote}{INVERSE}"))?;
        let read = |text| Rate::from_published(text).map_err(|error| Damage::Rate(quote, error));
        let row = Row {
            date,
            rate: read(rate)?,
            inverse: read(inverse)?,
        };
        rows.insert(quote, row);
    }
    Ok(rows)
}
