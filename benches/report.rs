//! The figures: as a table for people and as JSON for programs.

use std::{fs, io::Write as _, path::Path};

use serde::Serialize;

use crate::error::Outcome;

/// What one contestant did in one scenario; medians of all rounds.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// The scenario.
    pub scenario: &'static str,
    /// How large it was.
    pub size: String,
    /// Who was measured.
    pub contestant: String,
    /// How long it took.
    pub milliseconds: f64,
    /// Writes in a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub writes_per_second: Option<f64>,
    /// The contestant's CPU time, for each write or else altogether.
    pub cpu_milliseconds: f64,
    /// The control plane's CPU time meanwhile, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_cpu_milliseconds: Option<f64>,
    /// The most memory that was resident.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_mib: Option<f64>,
    /// How many requests it sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests: Option<usize>,
    /// How much it received.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub received_kib: Option<f64>,
    /// What counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
}

/// A figure with a goal.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    /// What is compared.
    pub of: &'static str,
    /// The figure.
    pub figure: f64,
    /// What it is to be.
    pub goal: Goal,
}

/// What a figure is to be.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Goal {
    /// No less.
    AtLeast(f64),
    /// No more.
    AtMost(f64),
}

impl Goal {
    fn is_met(self, figure: f64) -> bool {
        match self {
            Self::AtLeast(least) => figure >= least,
            Self::AtMost(most) => figure <= most,
        }
    }

    fn words(self) -> String {
        match self {
            Self::AtLeast(least) => format!(">= {least}"),
            Self::AtMost(most) => format!("<= {most}"),
        }
    }
}

const COLUMNS: [&str; 12] = [
    "SCENARIO",
    "SIZE",
    "WHO",
    "MS",
    "WRITES/S",
    "CPU MS",
    "SERVER MS",
    "MIB",
    "REQUESTS",
    "KIB",
    "FIGURE",
    "GOAL",
];

/// Prints the rows as a table.
pub fn print(rows: &[Row]) -> Outcome<()> {
    let lines: Vec<[String; 12]> = std::iter::once(COLUMNS.map(str::to_owned))
        .chain(rows.iter().map(cells))
        .collect();
    let widths: [usize; 12] = std::array::from_fn(|column| {
        lines
            .iter()
            .map(|line| line[column].len())
            .max()
            .unwrap_or_default()
    });
    let mut out = std::io::stdout().lock();
    for line in &lines {
        let padded: Vec<String> = std::iter::zip(line, widths)
            .map(|(cell, width)| format!("{cell:<width$}"))
            .collect();
        writeln!(out, "{}", padded.join("  ").trim_end())?;
    }
    Ok(())
}

fn cells(row: &Row) -> [String; 12] {
    let number = |figure: Option<f64>, digits: usize| {
        figure.map_or_else(String::new, |figure| format!("{figure:.digits$}"))
    };
    let (figure, goal) = row
        .verdict
        .as_ref()
        .map_or_else(Default::default, |verdict| {
            let mark = if verdict.goal.is_met(verdict.figure) {
                ""
            } else {
                "  MISSED"
            };
            let goal = format!("{}{mark}", verdict.goal.words());
            (format!("{:.2} {}", verdict.figure, verdict.of), goal)
        });
    [
        row.scenario.to_owned(),
        row.size.clone(),
        row.contestant.clone(),
        format!("{:.1}", row.milliseconds),
        number(row.writes_per_second, 0),
        format!("{:.3}", row.cpu_milliseconds),
        number(row.server_cpu_milliseconds, 3),
        number(row.peak_mib, 1),
        row.requests
            .map_or_else(String::new, |requests| requests.to_string()),
        number(row.received_kib, 0),
        figure,
        goal,
    ]
}

/// Writes the rows as JSON.
pub fn write_json(rows: &[Row], path: &Path) -> Outcome<()> {
    let cores = std::thread::available_parallelism()?.get();
    let document = serde_json::json!({"cores": cores, "rows": rows});
    Ok(fs::write(path, serde_json::to_vec_pretty(&document)?)?)
}
