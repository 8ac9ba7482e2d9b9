//! Nothing has changed: what a run costs that has nothing to do.

use super::race::{Race, Turn, program_name};
use crate::{
    arguments::Arguments,
    error::Outcome,
    raw::Request,
    report::{Goal, Row, Verdict},
    stage::{Relayed, Stage},
};

/// The scenario's name.
pub const NAME: &str = "unchanged";

const SIZES: [usize; 3] = [100, 1_000, 10_000];
const QUICK_SIZES: [usize; 1] = [50];
const GOAL: Goal = Goal::AtMost(1.3);

/// Measures runs that write nothing against the requests that they make.
pub fn measure(arguments: &Arguments) -> Outcome<Vec<Row>> {
    let mut stage = Stage::start(arguments.workers, &arguments.sync_flag)?;
    stage.add_unrelated()?;
    stage.add_rule(1)?;
    let mut rows = Vec::new();
    for size in arguments.sizes(&SIZES, &QUICK_SIZES) {
        stage.grow(size)?;
        stage.sync(&arguments.program[0])?;
        rows.extend(measure_at(&stage, arguments, size)?);
    }
    Ok(rows)
}

/// The same requests, and the lists without pages.
const RAW: [&str; 2] = ["bare LISTs", "bare LISTs, no pages"];

fn measure_at(stage: &Stage, arguments: &Arguments, size: usize) -> Outcome<Vec<Row>> {
    let mut relayed = stage.sync_counted(&arguments.program[0])?;
    let race = Race::run(
        RAW.len() + arguments.program.len(),
        arguments.rounds,
        |contestant| {
            match contestant {
                0 => {
                    // The tokens of the pages grow old.
                    relayed = stage.sync_counted(&arguments.program[0])?;
                    read(stage, relayed.reads.clone())
                }
                1 => read(stage, without_pages(&relayed.reads)),
                program => run_program(stage, arguments, program - RAW.len()),
            }
        },
    )?;
    let names = (0..arguments.program.len()).map(|index| program_name(&arguments.program, index));
    let names = RAW.into_iter().map(str::to_owned).chain(names);
    let rows = names.enumerate().map(|(contestant, name)| Row {
        size: format!("{size} namespaces"),
        contestant: name,
        ..row(&race, contestant, &relayed)
    });
    Ok(rows.collect())
}

fn row(race: &Race, contestant: usize, relayed: &Relayed) -> Row {
    let is_program = contestant >= RAW.len();
    #[expect(
        clippy::cast_precision_loss,
        reason = "nobody cares about the last byte"
    )]
    let received_kib = is_program.then_some(relayed.received as f64 / 1024.0);
    Row {
        scenario: NAME,
        milliseconds: race.median(contestant, |turn| turn.seconds) * 1e3,
        cpu_milliseconds: race.median(contestant, |turn| turn.cpu) * 1e3,
        server_cpu_milliseconds: Some(race.median(contestant, |turn| turn.server_cpu) * 1e3),
        peak_mib: race.peak_mib(contestant),
        requests: is_program.then_some(relayed.reads.len()),
        received_kib,
        verdict: is_program.then(|| Verdict {
            of: "times the bare LISTs",
            figure: 1.0 / race.speed(contestant, 0),
            goal: GOAL,
        }),
        ..Row::default()
    }
}

fn read(stage: &Stage, requests: Vec<Request>) -> Outcome<Turn> {
    let (sent, server_cpu) = stage.read_raw(requests)?;
    Ok(Turn {
        seconds: sent.seconds,
        cpu: sent.cpu_seconds,
        server_cpu,
        peak_mib: None,
    })
}

fn run_program(stage: &Stage, arguments: &Arguments, program: usize) -> Outcome<Turn> {
    let (measured, server_cpu) = stage.sync(&arguments.program[program])?;
    Ok(Turn {
        seconds: measured.seconds,
        cpu: measured.cpu_seconds,
        server_cpu,
        peak_mib: Some(measured.peak_mib),
    })
}

fn without_pages(requests: &[Request]) -> Vec<Request> {
    let first_pages = requests
        .iter()
        .filter(|request| !request.uri.contains("continue="));
    let whole = first_pages.map(|request| Request {
        uri: without_limit(&request.uri),
        ..request.clone()
    });
    whole.collect()
}

fn without_limit(uri: &str) -> String {
    let Some((path, query)) = uri.split_once('?') else {
        return uri.to_owned();
    };
    let parameters: Vec<&str> = query
        .split('&')
        .filter(|one| !one.starts_with("limit="))
        .collect();
    format!("{path}?{}", parameters.join("&"))
}
