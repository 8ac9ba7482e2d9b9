//! Exchange rates as a table, or as a document for programs.

use std::io;

use comfy_table::{ContentArrangement, Table};
use serde::Serialize;

use super::{Format, Streams, machine::REPORT_API_VERSION, print_document};

/// The space between columns, as kubectl has it.
const GAP: u16 = 3;

/// Exchange rates as they are told. Numbers are texts, so that no reader makes binary floats of them.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RateReport {
    /// The currency whose unit is priced.
    pub base: String,
    /// Who says so.
    pub provider: String,
    /// Where.
    pub source: String,
    /// The day of the oldest rate.
    pub as_of: String,
    /// How many days on which the provider publishes have come since.
    pub age: usize,
    /// The amount of the base that is converted, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<String>,
    /// The rates.
    pub rates: Vec<QuotedRate>,
}

/// The rates of one pair.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct QuotedRate {
    /// The currency in which the base is priced.
    pub quote: String,
    /// Its English name.
    pub name: String,
    /// How much one unit of the base is in it.
    pub rate: String,
    /// How much one unit of it is in the base.
    pub inverse: String,
    /// The day of the rates.
    pub date: String,
    /// What the amount is in it, if one is converted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    api_version: &'static str,
    kind: &'static str,
    #[serde(flatten)]
    report: &'a RateReport,
}

/// Prints rates in a format.
pub fn print_rates(streams: &mut Streams, format: Format, report: &RateReport) -> io::Result<()> {
    if format.is_machine() {
        let document = Document {
            api_version: REPORT_API_VERSION,
            kind: "Rates",
            report,
        };
        return print_document(streams, format, &document);
    }
    writeln!(streams.out, "{}", table(report, format == Format::Wide))?;
    streams.out.flush()
}

/// A table in the style of kubectl's: capital headers, no lines.
fn table(report: &RateReport, wide: bool) -> String {
    let mut table = Table::new();
    table
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(header(report, wide));
    for rate in &report.rates {
        table.add_row(row(report, rate, wide));
    }
    table.load_style(comfy_table::presets::NOTHING);
    for column in table.column_iter_mut() {
        column.set_padding((0, GAP));
    }
    table.trim_fmt()
}

fn header(report: &RateReport, wide: bool) -> Vec<&'static str> {
    let mut header = vec!["PAIR", "RATE", "INVERSE", "DATE", "PROVIDER"];
    header.extend(report.amount.as_ref().map(|_| "AMOUNT"));
    if wide {
        header.extend(["CURRENCY", "AGE", "SOURCE"]);
    }
    header
}

fn row(report: &RateReport, rate: &QuotedRate, wide: bool) -> Vec<String> {
    let mut row = vec![
        format!("{}/{}", report.base, rate.quote),
        rate.rate.clone(),
        rate.inverse.clone(),
        rate.date.clone(),
        report.provider.clone(),
    ];
    row.extend(
        rate.amount
            .as_ref()
            .map(|amount| format!("{amount} {}", rate.quote)),
    );
    if wide {
        row.extend([
            rate.name.clone(),
            format!("{}d", report.age),
            report.source.clone(),
        ]);
    }
    row
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::output::{to_json, to_yaml};

    fn report(amount: bool) -> RateReport {
        let rate =
            |quote: &str, name: &str, rate: &str, inverse: &str, amounted: &str| QuotedRate {
                quote: quote.to_owned(),
                name: name.to_owned(),
                rate: rate.to_owned(),
                inverse: inverse.to_owned(),
                date: "2026-11-20".to_owned(),
                amount: amount.then(|| amounted.to_owned()),
            };
        let usd = (
            "USD",
            "United States dollar",
            "1.0812",
            "0.9248982612",
            "108.12",
        );
        let jpy = ("JPY", "Japanese yen", "157.43", "0.006352029473", "15743");
        RateReport {
            base: "EUR".to_owned(),
            provider: "ECB".to_owned(),
            source: "https://www.ecb.europa.eu/stats/eurofxref".to_owned(),
            as_of: "2026-11-20".to_owned(),
            age: 1,
            amount: amount.then(|| "100".to_owned()),
            rates: [jpy, usd].map(|(a, b, c, d, e)| rate(a, b, c, d, e)).into(),
        }
    }

    #[test]
    fn tables_look_like_kubectls() {
        assert_snapshot!(table(&report(false), false), @"
        PAIR      RATE     INVERSE          DATE         PROVIDER
        EUR/JPY   157.43   0.006352029473   2026-11-20   ECB
        EUR/USD   1.0812   0.9248982612     2026-11-20   ECB
        ");
        assert_snapshot!(table(&report(true), false), @"
        PAIR      RATE     INVERSE          DATE         PROVIDER   AMOUNT
        EUR/JPY   157.43   0.006352029473   2026-11-20   ECB        15743 JPY
        EUR/USD   1.0812   0.9248982612     2026-11-20   ECB        108.12 USD
        ");
        assert_snapshot!(table(&report(true), true), @"
        PAIR      RATE     INVERSE          DATE         PROVIDER   AMOUNT       CURRENCY               AGE   SOURCE
        EUR/JPY   157.43   0.006352029473   2026-11-20   ECB        15743 JPY    Japanese yen           1d    https://www.ecb.europa.eu/stats/eurofxref
        EUR/USD   1.0812   0.9248982612     2026-11-20   ECB        108.12 USD   United States dollar   1d    https://www.ecb.europa.eu/stats/eurofxref
        ");
    }

    #[test]
    fn documents_have_numbers_as_texts() {
        let report = report(true);
        let document = Document {
            api_version: REPORT_API_VERSION,
            kind: "Rates",
            report: &report,
        };
        assert_snapshot!(to_json(&document).unwrap(), @r#"
        {
            "apiVersion": "copyrator.dev/v1alpha1",
            "kind": "Rates",
            "base": "EUR",
            "provider": "ECB",
            "source": "https://www.ecb.europa.eu/stats/eurofxref",
            "asOf": "2026-11-20",
            "age": 1,
            "amount": "100",
            "rates": [
                {
                    "quote": "JPY",
                    "name": "Japanese yen",
                    "rate": "157.43",
                    "inverse": "0.006352029473",
                    "date": "2026-11-20",
                    "amount": "15743"
                },
                {
                    "quote": "USD",
                    "name": "United States dollar",
                    "rate": "1.0812",
                    "inverse": "0.9248982612",
                    "date": "2026-11-20",
                    "amount": "108.12"
                }
            ]
        }
        "#);
        assert_snapshot!(to_yaml(&document).unwrap(), @r#"
        apiVersion: copyrator.dev/v1alpha1
        kind: Rates
        base: EUR
        provider: ECB
        source: https://www.ecb.europa.eu/stats/eurofxref
        asOf: "2026-11-20"
        age: 1
        amount: "100"
        rates:
        - quote: JPY
          name: Japanese yen
          rate: "157.43"
          inverse: "0.006352029473"
          date: "2026-11-20"
          amount: "15743"
        - quote: USD
          name: United States dollar
          rate: "1.0812"
          inverse: "0.9248982612"
          date: "2026-11-20"
          amount: "108.12"
        "#);
    }
}
