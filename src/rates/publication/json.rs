//! `rates.json`: all rates as one document.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::{Damage, damage};
use crate::rates::{Currency, Rate, RateSheet, Row};

/// The document. Rates are strings, so that no reader makes binary floats of them.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    base: String,
    date: String,
    rates: BTreeMap<String, String>,
    inverse: BTreeMap<String, String>,
    /// Only of those that aren't of the date above, which is the oldest.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    dates: BTreeMap<String, String>,
}

/// The document of a sheet, in an order that never changes.
pub(super) fn rates(sheet: &RateSheet) -> String {
    let as_of = sheet.as_of();
    let field = |show: fn(&Row) -> String| {
        let rows = sheet.rows().iter();
        rows.map(move |(quote, row)| (quote.to_string(), show(row)))
    };
    let document = Document {
        base: sheet.base().to_string(),
        date: as_of.to_string(),
        rates: field(|row| row.rate.to_string()).collect(),
        inverse: field(|row| row.inverse.to_string()).collect(),
        dates: field(|row| row.date.to_string())
            .filter(|(_, date)| *date != as_of.to_string())
            .collect(),
    };
    let text = serde_json::to_string_pretty(&document).expect("texts are JSON");
    text + "\n"
}

/// Reads the document back.
pub(super) fn read(text: &str) -> Result<RateSheet, Damage> {
    let document: Document = serde_json::from_str(text)?;
    if let Some(quote) = odd_one(&document) {
        return Err(Damage::Extra(format!("{quote} only in part")));
    }
    let rows: BTreeMap<Currency, Row> = document
        .rates
        .keys()
        .map(|quote| row(&document, quote))
        .collect::<Result<_, _>>()?;
    let sheet = RateSheet::from_rows(document.base.parse()?, rows);
    let sheet = sheet.ok_or_else(|| Damage::Lacks("rates".to_owned()))?;
    let (date, oldest) = (damage::date(&document.date)?, sheet.as_of());
    if date == oldest {
        Ok(sheet)
    } else {
        Err(Damage::AsOf { date, oldest })
    }
}

/// A quote that isn't in all the places where it should be.
fn odd_one(document: &Document) -> Option<&String> {
    let rates: BTreeSet<&String> = document.rates.keys().collect();
    let inverse: BTreeSet<&String> = document.inverse.keys().collect();
    let dates: BTreeSet<&String> = document.dates.keys().collect();
    let uneven = rates.symmetric_difference(&inverse).next();
    uneven.or_else(|| dates.difference(&rates).next()).copied()
}

fn row(document: &Document, quote: &String) -> Result<(Currency, Row), Damage> {
    let currency: Currency = quote.parse()?;
    let rate = |rates: &BTreeMap<String, String>| {
        let text = rates.get(quote).map_or("", String::as_str);
        Rate::from_published(text).map_err(|error| Damage::Rate(currency, error))
    };
    let date: Date = damage::date(document.dates.get(quote).unwrap_or(&document.date))?;
    let row = Row {
        date,
        rate: rate(&document.rates)?,
        inverse: rate(&document.inverse)?,
    };
    Ok((currency, row))
}
