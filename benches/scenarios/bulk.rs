//! An original changes while it is watched: how long until all its copies have.

use super::race::{Race, Turn, figure, program_name};
use crate::{
    arguments::Arguments,
    error::Outcome,
    report::{Goal, Row, Verdict},
    stage::Stage,
};

/// The scenario's name.
pub const NAME: &str = "bulk";

const SIZES: [usize; 1] = [5_000];
const QUICK_SIZES: [usize; 1] = [50];
const GOAL: Goal = Goal::AtLeast(0.9);

/// Measures a change of an original against as many raw PUTs.
pub fn measure(arguments: &Arguments) -> Outcome<Vec<Row>> {
    let mut rows = Vec::new();
    for size in arguments.sizes(&SIZES, &QUICK_SIZES) {
        let mut stage = Stage::start(arguments.workers, &arguments.sync_flag)?;
        stage.add_unrelated()?;
        stage.add_rule(1)?;
        stage.grow(size)?;
        stage.sync(&arguments.program[0])?;
        let mut generation = 0;
        let race = Race::run(
            1 + arguments.program.len(),
            arguments.rounds,
            |contestant| {
                generation += 1;
                match contestant {
                    0 => put(&stage, arguments, generation),
                    program => change(&stage, arguments, program - 1, generation),
                }
            },
        )?;
        rows.extend(rows_of(&race, arguments, size));
    }
    Ok(rows)
}

fn put(stage: &Stage, arguments: &Arguments, generation: usize) -> Outcome<Turn> {
    let template = stage.template()?;
    let copies = stage.copies()?;
    let puts = copies.iter().map(|copy| template.put(copy, generation));
    let (sent, server_cpu) = stage.write_raw(puts.collect())?;
    // What the yardstick wrote is no state that the program knows.
    stage.sync(&arguments.program[0])?;
    Ok(Turn {
        seconds: sent.seconds,
        cpu: sent.cpu_seconds,
        server_cpu,
        peak_mib: None,
    })
}

fn change(
    stage: &Stage,
    arguments: &Arguments,
    program: usize,
    generation: usize,
) -> Outcome<Turn> {
    let going = stage.go(&arguments.program[program], &[])?;
    going.ready()?;
    let cpu = going.cpu()?;
    let (seconds, server_cpu) = stage.with_server_cpu(|| {
        let begun = std::time::Instant::now();
        stage.change_originals(1, generation)?;
        let last = going.results(stage.targets().count())?;
        Ok((last - begun).as_secs_f64())
    })?;
    Ok(Turn {
        seconds,
        cpu: going.cpu()? - cpu,
        server_cpu,
        peak_mib: Some(going.peak_mib()?),
    })
}

fn rows_of(race: &Race, arguments: &Arguments, size: usize) -> Vec<Row> {
    let names = (0..arguments.program.len()).map(|index| program_name(&arguments.program, index));
    let names = std::iter::once("raw PUT".to_owned()).chain(names);
    let rows = names.enumerate().map(|(contestant, name)| Row {
        scenario: NAME,
        size: format!("{size} namespaces"),
        contestant: name,
        milliseconds: race.median(contestant, |turn| turn.seconds) * 1e3,
        writes_per_second: Some(figure(size) / race.median(contestant, |turn| turn.seconds)),
        cpu_milliseconds: race.median(contestant, |turn| turn.cpu) * 1e3 / figure(size),
        server_cpu_milliseconds: Some(
            race.median(contestant, |turn| turn.server_cpu) * 1e3 / figure(size),
        ),
        peak_mib: race.peak_mib(contestant),
        verdict: (contestant > 0).then(|| Verdict {
            of: "of the raw PUTs",
            figure: race.speed(contestant, 0),
            goal: GOAL,
        }),
        ..Row::default()
    });
    rows.collect()
}
