//! The bench's command line.

use std::{ffi::OsString, path::PathBuf};

use clap::Parser;

use crate::error::Outcome;

/// Measures kubectl-copyrator against a raw writer on a real API server.
#[derive(Debug, Parser)]
#[command(name = "cargo bench --bench performance --", no_binary_name = true)]
pub struct Arguments {
    /// Only scenarios whose name contains one of these: first-sync, update, unchanged, arrival,
    /// busy-arrival, bulk, watch-start, watch-rest, first-refresh, new-rates, memory, help.
    #[arg(value_name = "SCENARIO")]
    pub filter: Vec<String>,
    /// Small sizes and one round: whether it works, not how fast it is.
    #[arg(long)]
    pub quick: bool,
    /// How often everything is measured; the median counts.
    #[arg(long, value_name = "N", default_value_t = 7)]
    pub rounds: usize,
    /// How many requests the raw writer has in flight.
    #[arg(long, value_name = "N", default_value_t = 24)]
    pub workers: usize,
    /// Measure only these sizes (numbers of namespaces).
    #[arg(long, value_name = "N", value_delimiter = ',')]
    pub sizes: Vec<usize>,
    /// Measure another build of the program; repeat the flag to compare several.
    #[arg(long, value_name = "FILE")]
    pub program: Vec<PathBuf>,
    /// More arguments for the program's `sync`.
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    pub sync_flag: Vec<String>,
    /// Write the figures as JSON into this file.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Given by `cargo bench`; without it (`cargo test --all-targets`) nothing is measured.
    #[arg(long, hide = true)]
    bench: bool,
}

/// What the command line asks for.
pub enum Asked {
    /// Nothing: it isn't `cargo bench` that runs us.
    Nothing,
    /// This text.
    Help(String),
    /// Measurements.
    Scenarios(Arguments),
}

impl Arguments {
    /// Reads the command line.
    pub fn parse(arguments: &[OsString]) -> Outcome<Asked> {
        match Self::try_parse_from(arguments) {
            Ok(arguments) if arguments.bench => Ok(Asked::Scenarios(arguments.completed()?)),
            Ok(_) => Ok(Asked::Nothing),
            Err(error) if !error.use_stderr() => Ok(Asked::Help(error.to_string())),
            Err(error) => Err(error.to_string().into()),
        }
    }

    fn completed(mut self) -> Outcome<Self> {
        if self.program.is_empty() {
            self.program
                .push(env!("CARGO_BIN_EXE_kubectl-copyrator").into());
        }
        // A name alone would be looked for in PATH.
        for program in &mut self.program {
            *program = program
                .canonicalize()
                .map_err(|error| format!("{}: {error}", program.display()))?;
        }
        if self.quick {
            self.rounds = 1;
        }
        Ok(self)
    }

    /// Whether a scenario is asked for.
    pub fn wants(&self, scenario: &str) -> bool {
        self.filter.is_empty() || self.filter.iter().any(|part| scenario.contains(part))
    }

    /// The sizes to measure: those asked for, or else these.
    pub fn sizes(&self, full: &[usize], quick: &[usize]) -> Vec<usize> {
        match (self.sizes.is_empty(), self.quick) {
            (false, _) => self.sizes.clone(),
            (true, true) => quick.to_vec(),
            (true, false) => full.to_vec(),
        }
    }
}
