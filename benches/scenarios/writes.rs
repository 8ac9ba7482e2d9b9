//! One Secret to many namespaces: the first sync, and an update of all copies.

use super::race::{Race, Turn, figure, program_name};
use crate::{
    arguments::Arguments,
    error::Outcome,
    raw::Request,
    report::{Goal, Row, Verdict},
    stage::{Stage, Template},
};

/// The name of the scenario in which no copy is there.
pub const FIRST_SYNC: &str = "first-sync";
/// The name of the scenario in which all copies are there, and the original has changed.
pub const UPDATE: &str = "update";

const SIZES: [usize; 2] = [1_000, 5_000];
const QUICK_SIZES: [usize; 1] = [50];
const GOAL: Goal = Goal::AtLeast(0.9);

/// The raw writers; the programs come after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Raw {
    Post,
    Patch,
    Put,
}

impl Raw {
    fn name(self) -> &'static str {
        match self {
            Self::Post => "raw POST",
            Self::Patch => "raw JSON Patch",
            Self::Put => "raw PUT",
        }
    }
}

/// Copies that aren't there are made.
pub fn first_sync(arguments: &Arguments) -> Outcome<Vec<Row>> {
    measure(arguments, FIRST_SYNC, &[Raw::Post])
}

/// Copies that are there are changed.
pub fn update(arguments: &Arguments) -> Outcome<Vec<Row>> {
    measure(arguments, UPDATE, &[Raw::Patch, Raw::Put])
}

fn measure(arguments: &Arguments, scenario: &'static str, raw: &[Raw]) -> Outcome<Vec<Row>> {
    let mut stage = Stage::start(arguments.workers, &arguments.sync_flag)?;
    stage.add_unrelated()?;
    stage.add_rule(1)?;
    let mut rows = Vec::new();
    for size in arguments.sizes(&SIZES, &QUICK_SIZES) {
        stage.grow(size)?;
        stage.sync(&arguments.program[0])?;
        let mut contest = Contest {
            stage: &stage,
            arguments,
            raw,
            generation: 0,
        };
        let race = contest.race()?;
        rows.extend(contest.rows(scenario, size, &race));
    }
    Ok(rows)
}

struct Contest<'a> {
    stage: &'a Stage,
    arguments: &'a Arguments,
    raw: &'a [Raw],
    /// Every change brings another content.
    generation: usize,
}

impl Contest<'_> {
    fn race(&mut self) -> Outcome<Race> {
        let template = self.stage.template()?;
        let contestants = self.raw.len() + self.arguments.program.len();
        Race::run(contestants, self.arguments.rounds, |contestant| {
            self.generation += 1;
            if self.raw.contains(&Raw::Post) {
                self.stage.delete_copies(1)?;
            }
            match self.raw.get(contestant) {
                Some(raw) => self.write_raw(*raw, &template),
                None => self.run_program(contestant - self.raw.len()),
            }
        })
    }

    fn write_raw(&self, raw: Raw, template: &Template) -> Outcome<Turn> {
        let (sent, server_cpu) = self.stage.write_raw(self.requests(raw, template)?)?;
        Ok(Turn {
            seconds: sent.seconds,
            cpu: sent.cpu_seconds,
            server_cpu,
            peak_mib: None,
        })
    }

    fn requests(&self, raw: Raw, template: &Template) -> Outcome<Vec<Request>> {
        let generation = self.generation;
        if raw == Raw::Post {
            let targets = self.stage.targets();
            return Ok(targets
                .map(|name| template.post(&name, generation))
                .collect());
        }
        let copies = self.stage.copies()?;
        let requests = copies.iter().map(|state| match raw {
            Raw::Put => template.put(state, generation),
            _ => template.patch(state, generation),
        });
        Ok(requests.collect())
    }

    fn run_program(&self, program: usize) -> Outcome<Turn> {
        if !self.raw.contains(&Raw::Post) {
            self.stage.change_originals(1, self.generation)?;
        }
        let (measured, server_cpu) = self.stage.sync(&self.arguments.program[program])?;
        Ok(Turn {
            seconds: measured.seconds,
            cpu: measured.cpu_seconds,
            server_cpu,
            peak_mib: Some(measured.peak_mib),
        })
    }

    fn rows(&self, scenario: &'static str, size: usize, race: &Race) -> Vec<Row> {
        let programs = &self.arguments.program;
        let raw = self.raw.iter().map(|raw| raw.name().to_owned());
        let names = raw.chain((0..programs.len()).map(|index| program_name(programs, index)));
        let writes = figure(size);
        let rows = names.enumerate().map(|(contestant, name)| {
            let is_program = contestant >= self.raw.len();
            let seconds = race.median(contestant, |turn| turn.seconds);
            Row {
                scenario,
                size: format!("{size} namespaces"),
                contestant: name,
                milliseconds: seconds * 1e3,
                writes_per_second: Some(writes / seconds),
                cpu_milliseconds: race.median(contestant, |turn| turn.cpu) * 1e3 / writes,
                server_cpu_milliseconds: Some(
                    race.median(contestant, |turn| turn.server_cpu) * 1e3 / writes,
                ),
                peak_mib: race.peak_mib(contestant),
                verdict: is_program.then(|| Verdict {
                    of: self.raw[0].name(),
                    figure: race.speed(contestant, 0),
                    goal: GOAL,
                }),
                ..Row::default()
            }
        });
        rows.collect()
    }
}
