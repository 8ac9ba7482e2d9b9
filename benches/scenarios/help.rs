//! How long the program takes to start, and how large it is.

use std::{fs, path::Path};

use super::race::{Race, Turn, figure, program_name};
use crate::{
    arguments::Arguments,
    error::Outcome,
    measured,
    report::{Goal, Row, Verdict},
};

/// The scenario's name.
pub const NAME: &str = "help";

/// One run says little: it is over before a clock has moved much.
const RUNS: usize = 21;
const MOST_MILLISECONDS: f64 = 10.0;
const MOST_MB: f64 = 15.0;

/// Measures `--help` and the size of the file.
pub fn measure(arguments: &Arguments) -> Outcome<Vec<Row>> {
    let programs = &arguments.program;
    let race = Race::run(programs.len(), RUNS, |program| {
        let measured = measured::run(&programs[program], &["--help".into()])?;
        Ok(Turn {
            seconds: measured.seconds,
            cpu: measured.cpu_seconds,
            server_cpu: 0.0,
            peak_mib: Some(measured.peak_mib),
        })
    })?;
    let mut rows = Vec::new();
    for (index, program) in programs.iter().enumerate() {
        rows.push(start(&race, index, programs));
        rows.push(Row {
            size: "stripped binary".to_owned(),
            verdict: Some(size(program)?),
            ..start(&race, index, programs)
        });
    }
    Ok(rows)
}

fn start(race: &Race, index: usize, programs: &[impl AsRef<Path>]) -> Row {
    let milliseconds = race.median(index, |turn| turn.seconds) * 1e3;
    Row {
        scenario: NAME,
        size: "--help".to_owned(),
        contestant: program_name(programs, index),
        milliseconds,
        cpu_milliseconds: race.median(index, |turn| turn.cpu) * 1e3,
        peak_mib: race.peak_mib(index),
        verdict: Some(Verdict {
            of: "ms",
            figure: milliseconds,
            goal: Goal::AtMost(MOST_MILLISECONDS),
        }),
        ..Row::default()
    }
}

fn size(program: &Path) -> Outcome<Verdict> {
    let bytes = usize::try_from(fs::metadata(program)?.len())?;
    Ok(Verdict {
        of: "MB",
        figure: figure(bytes) / 1e6,
        goal: Goal::AtMost(MOST_MB),
    })
}
