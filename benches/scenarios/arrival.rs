//! A namespace appears: how long it waits for its copy.

use std::time::Duration;

use super::race::program_name;
use crate::{
    arguments::Arguments,
    error::Outcome,
    report::{Goal, Row, Verdict},
    stage::Stage,
};

/// The quiet scenario's name.
pub const QUIET: &str = "arrival";
/// The busy scenario's name.
pub const BUSY: &str = "busy-arrival";

const SIZES: [usize; 1] = [1_000];
const QUICK_SIZES: [usize; 1] = [50];
/// How many namespaces appear in a turn.
const ARRIVALS: usize = 40;
const MEDIAN: Goal = Goal::AtMost(2.0);
const TAIL: Goal = Goal::AtMost(3.0);

/// While nothing else happens, beside a raw watcher-and-writer.
pub fn quiet(arguments: &Arguments) -> Outcome<Vec<Row>> {
    let mut rows = Vec::new();
    for size in arguments.sizes(&SIZES, &QUICK_SIZES) {
        let mut stage = staged(arguments, size)?;
        let mut waits = vec![Vec::new(); 1 + arguments.program.len()];
        for round in 0..arguments.rounds {
            for place in 0..waits.len() {
                let contestant = (round + place) % waits.len();
                waits[contestant].extend(turn(&mut stage, arguments, contestant)?);
            }
        }
        rows.extend(rows_of(arguments, size, waits));
    }
    Ok(rows)
}

fn staged(arguments: &Arguments, size: usize) -> Outcome<Stage> {
    let mut stage = Stage::start(arguments.workers, &arguments.sync_flag)?;
    stage.add_unrelated()?;
    stage.add_rule(1)?;
    stage.grow(size)?;
    stage.sync(&arguments.program[0])?;
    Ok(stage)
}

fn turn(stage: &mut Stage, arguments: &Arguments, contestant: usize) -> Outcome<Vec<f64>> {
    if contestant == 0 {
        let _follower = stage.follow_raw()?;
        return stage.arrive(ARRIVALS);
    }
    let going = stage.go(&arguments.program[contestant - 1], &[])?;
    going.ready()?;
    stage.arrive(ARRIVALS)
}

fn rows_of(arguments: &Arguments, size: usize, mut waits: Vec<Vec<f64>>) -> Vec<Row> {
    for waits in &mut waits {
        waits.sort_by(f64::total_cmp);
    }
    let names = (0..arguments.program.len()).map(|index| program_name(&arguments.program, index));
    let names: Vec<String> = std::iter::once("raw watcher and writer".to_owned())
        .chain(names)
        .collect();
    let percentiles = [("p50", 0.5, MEDIAN), ("p95", 0.95, TAIL)];
    let rows = percentiles.into_iter().flat_map(|(label, part, goal)| {
        let waits = &waits;
        let raw = percentile(&waits[0], part);
        std::iter::zip(&names, waits)
            .enumerate()
            .map(move |(contestant, (name, waits))| Row {
                scenario: QUIET,
                size: format!("{size} namespaces, {label}"),
                contestant: name.clone(),
                milliseconds: percentile(waits, part) * 1e3,
                verdict: (contestant > 0).then(|| Verdict {
                    of: "times the raw one",
                    figure: percentile(waits, part) / raw,
                    goal,
                }),
                ..Row::default()
            })
    });
    rows.collect()
}

/// The figure that this part of the figures, which are sorted, doesn't exceed.
fn percentile(figures: &[f64], part: f64) -> f64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "there are a few hundred"
    )]
    let index = ((figures.len() as f64 * part).ceil() as usize).saturating_sub(1);
    figures.get(index).copied().unwrap_or(f64::NAN)
}

/// How many namespaces appear in a second, and for how long.
const PER_SECOND: u32 = 50;
const SECONDS: usize = 10;
const QUICK_SECONDS: usize = 2;
const BUSY_GOAL: Goal = Goal::AtMost(250.0);

/// While many namespaces appear, and all copies are changed again and again.
pub fn busy(arguments: &Arguments) -> Outcome<Vec<Row>> {
    let mut rows = Vec::new();
    for size in arguments.sizes(&SIZES, &QUICK_SIZES) {
        let mut stage = staged(arguments, size)?;
        for (index, program) in arguments.program.iter().enumerate() {
            let going = stage.go(program, &[])?;
            going.ready()?;
            let mut waits = storm(&mut stage, arguments.quick)?;
            waits.sort_by(f64::total_cmp);
            let tail = percentile(&waits, 0.95) * 1e3;
            rows.push(Row {
                scenario: BUSY,
                size: format!("{size} namespaces, p95"),
                contestant: program_name(&arguments.program, index),
                milliseconds: tail,
                cpu_milliseconds: going.cpu()? * 1e3,
                peak_mib: Some(going.peak_mib()?),
                verdict: Some(Verdict {
                    of: "ms",
                    figure: tail,
                    goal: BUSY_GOAL,
                }),
                ..Row::default()
            });
        }
    }
    Ok(rows)
}

fn storm(stage: &mut Stage, quick: bool) -> Outcome<Vec<f64>> {
    let per_second = usize::try_from(PER_SECOND)?;
    let count = per_second * if quick { QUICK_SECONDS } else { SECONDS };
    let pause = Duration::from_secs(1) / PER_SECOND;
    stage.arrive_steadily(count, pause, |stage, index| {
        // A bulk update takes a second or two; the next one begins when it has just ended.
        if index.is_multiple_of(2 * per_second) {
            stage.change_originals(1, index + 1)?;
        }
        Ok(())
    })
}
