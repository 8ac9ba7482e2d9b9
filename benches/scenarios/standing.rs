//! A watch that has nothing to do: how soon it is there, and what it costs.

use std::{thread, time::Duration};

use super::race::{Race, Turn, figure, program_name};
use crate::{
    arguments::Arguments,
    error::Outcome,
    report::{Goal, Row, Verdict},
    stage::Stage,
};

/// The name of the scenario about the beginning.
pub const START: &str = "watch-start";
/// The name of the scenario about memory and idleness.
pub const REST: &str = "watch-rest";

const SIZES: [usize; 2] = [1_000, 10_000];
const QUICK_SIZES: [usize; 1] = [50];
const START_GOAL: Goal = Goal::AtMost(1.3);

/// How soon a watch is there with everything in step, beside the bare LISTs.
pub fn start(arguments: &Arguments) -> Outcome<Vec<Row>> {
    let mut stage = Stage::start(arguments.workers, &arguments.sync_flag)?;
    stage.add_unrelated()?;
    stage.add_rule(1)?;
    let mut rows = Vec::new();
    for size in arguments.sizes(&SIZES, &QUICK_SIZES) {
        stage.grow(size)?;
        stage.sync(&arguments.program[0])?;
        rows.extend(start_at(&stage, arguments, size)?);
    }
    Ok(rows)
}

fn start_at(stage: &Stage, arguments: &Arguments, size: usize) -> Outcome<Vec<Row>> {
    let race = Race::run(
        1 + arguments.program.len(),
        arguments.rounds,
        |contestant| {
            if contestant == 0 {
                let reads = stage.sync_counted(&arguments.program[0])?.reads;
                let (sent, server_cpu) = stage.read_raw(reads)?;
                return Ok(Turn {
                    seconds: sent.seconds,
                    cpu: sent.cpu_seconds,
                    server_cpu,
                    peak_mib: None,
                });
            }
            // Both begin when all has just been read: the API server's caches are as fresh to the one as to the other.
            stage.sync_counted(&arguments.program[0])?;
            let going = stage.go(&arguments.program[contestant - 1], &[])?;
            Ok(Turn {
                seconds: going.ready()?,
                cpu: going.cpu()?,
                server_cpu: 0.0,
                peak_mib: Some(going.peak_mib()?),
            })
        },
    )?;
    let names = (0..arguments.program.len()).map(|index| program_name(&arguments.program, index));
    let names = std::iter::once("bare LISTs".to_owned()).chain(names);
    let rows = names.enumerate().map(|(contestant, name)| Row {
        scenario: START,
        size: format!("{size} namespaces"),
        contestant: name,
        milliseconds: race.median(contestant, |turn| turn.seconds) * 1e3,
        cpu_milliseconds: race.median(contestant, |turn| turn.cpu) * 1e3,
        peak_mib: race.peak_mib(contestant),
        verdict: (contestant > 0).then(|| Verdict {
            of: "times the bare LISTs",
            figure: 1.0 / race.speed(contestant, 0),
            goal: START_GOAL,
        }),
        ..Row::default()
    });
    Ok(rows.collect())
}

/// Namespaces, originals and the most MiB.
const RESTS: [(usize, usize, f64); 2] = [(1_000, 1, 24.0), (10_000, 5, 96.0)];
const QUICK_RESTS: [(usize, usize, f64); 1] = [(50, 2, 24.0)];
const REST_SECONDS: u64 = 60;
const QUICK_REST_SECONDS: u64 = 5;

/// How much memory a watch takes, with and without Secrets that are none of its business, and what it asks
/// for and works while nothing happens.
pub fn rest(arguments: &Arguments) -> Outcome<Vec<Row>> {
    let sizes: &[_] = if arguments.quick {
        &QUICK_RESTS
    } else {
        &RESTS
    };
    let asked = |namespaces| arguments.sizes.is_empty() || arguments.sizes.contains(&namespaces);
    let mut rows = Vec::new();
    for (namespaces, originals, most) in sizes.iter().copied().filter(|size| asked(size.0)) {
        let mut stage = Stage::start(arguments.workers, &arguments.sync_flag)?;
        stage.add_rule(originals)?;
        stage.grow(namespaces)?;
        stage.sync(&arguments.program[0])?;
        let copies = namespaces * originals;
        rows.extend(all_rest(&stage, arguments, copies, "at rest", most)?);
        stage.add_unrelated()?;
        let step = "at rest, 2,000 unrelated Secrets";
        rows.extend(all_rest(&stage, arguments, copies, step, most)?);
    }
    Ok(rows)
}

fn all_rest(
    stage: &Stage,
    arguments: &Arguments,
    copies: usize,
    step: &str,
    most: f64,
) -> Outcome<Vec<Row>> {
    let programs = 0..arguments.program.len();
    programs
        .map(|index| rest_at(stage, arguments, index, copies, step, most))
        .collect()
}

fn rest_at(
    stage: &Stage,
    arguments: &Arguments,
    index: usize,
    copies: usize,
    step: &str,
    most: f64,
) -> Outcome<Row> {
    let going = stage.go(&arguments.program[index], &["--v=6"])?;
    going.ready()?;
    // What the beginning brings with it, such as statuses, is over by then.
    thread::sleep(Duration::from_secs(3));
    going.said();
    let cpu = going.cpu()?;
    let seconds = if arguments.quick {
        QUICK_REST_SECONDS
    } else {
        REST_SECONDS
    };
    thread::sleep(Duration::from_secs(seconds));
    let requests = going.said();
    let requests = requests.iter().filter(|line| line.contains(" /api"));
    let peak = going.peak_mib()?;
    Ok(Row {
        scenario: REST,
        size: format!("{copies} copies: {step}"),
        contestant: program_name(&arguments.program, index),
        milliseconds: figure(usize::try_from(seconds)?) * 1e3,
        cpu_milliseconds: (going.cpu()? - cpu) * 1e3,
        requests: Some(requests.count()),
        peak_mib: Some(peak),
        verdict: Some(Verdict {
            of: "MiB",
            figure: peak,
            goal: Goal::AtMost(most),
        }),
        ..Row::default()
    })
}
