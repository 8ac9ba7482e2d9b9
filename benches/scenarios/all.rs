//! Runs the scenarios that are asked for.

use std::io::Write as _;

use super::{arrival, bulk, help, memory, rates, standing, unchanged, writes};
use crate::{
    arguments::Arguments,
    error::Outcome,
    report::{self, Row},
};

type Scenario = fn(&Arguments) -> Outcome<Vec<Row>>;

const SCENARIOS: [(&str, Scenario); 12] = [
    (writes::FIRST_SYNC, writes::first_sync),
    (writes::UPDATE, writes::update),
    (unchanged::NAME, unchanged::measure),
    (arrival::QUIET, arrival::quiet),
    (arrival::BUSY, arrival::busy),
    (bulk::NAME, bulk::measure),
    (standing::START, standing::start),
    (standing::REST, standing::rest),
    (rates::FIRST_REFRESH, rates::first_refresh),
    (rates::REFRESH, rates::refresh),
    (memory::NAME, memory::measure),
    (help::NAME, help::measure),
];

/// Measures, and reports.
pub fn run(arguments: &Arguments) -> Outcome<()> {
    let mut rows = Vec::new();
    for (name, scenario) in SCENARIOS {
        if arguments.wants(name) {
            writeln!(std::io::stderr(), "measuring {name} ...")?;
            rows.extend(scenario(arguments)?);
        }
    }
    report::print(&rows)?;
    match &arguments.json {
        Some(path) => report::write_json(&rows, path),
        None => Ok(()),
    }
}
