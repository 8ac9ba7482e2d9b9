//! Many `ExchangeRate`s of one provider: the first refresh, and one after the rates have changed.

use super::race::{Race, Turn, figure, program_name};
use crate::{
    arguments::Arguments,
    error::Outcome,
    raw::Request,
    report::{Goal, Row, Verdict},
    stage::{RateProvider, RatesTemplate, Stage},
};

/// The name of the scenario in which no rates are published.
pub const FIRST_REFRESH: &str = "first-refresh";
/// The name of the scenario in which all rates are published, and have changed.
pub const REFRESH: &str = "new-rates";

const SIZES: [usize; 1] = [1_000];
const QUICK_SIZES: [usize; 1] = [50];
const GOAL: Goal = Goal::AtLeast(0.9);

/// The yardstick's place among the contestants.
const RAW: usize = 0;

/// Rates that aren't published are.
pub fn first_refresh(arguments: &Arguments) -> Outcome<Vec<Row>> {
    measure(arguments, FIRST_REFRESH)
}

/// Rates that are published are changed.
pub fn refresh(arguments: &Arguments) -> Outcome<Vec<Row>> {
    measure(arguments, REFRESH)
}

fn measure(arguments: &Arguments, scenario: &'static str) -> Outcome<Vec<Row>> {
    let stage = Stage::start(arguments.workers, &arguments.sync_flag)?;
    stage.add_rates_namespace()?;
    let provider = RateProvider::start()?;
    let mut rows = Vec::new();
    for size in arguments.sizes(&SIZES, &QUICK_SIZES) {
        stage.renew_exchange_rates(size, &provider.url())?;
        stage.refresh(&arguments.program[0])?;
        let mut contest = Contest {
            template: stage.rates_template()?,
            stage: &stage,
            provider: &provider,
            arguments,
            is_first: scenario == FIRST_REFRESH,
            generation: 0,
        };
        let contestants = 1 + arguments.program.len();
        let race = Race::run(contestants, arguments.rounds, |contestant| {
            contest.turn(contestant, size)
        })?;
        rows.extend(rows_of(arguments, scenario, size, &race));
    }
    Ok(rows)
}

struct Contest<'a> {
    template: RatesTemplate,
    stage: &'a Stage,
    provider: &'a RateProvider,
    arguments: &'a Arguments,
    is_first: bool,
    /// Every change brings other rates.
    generation: usize,
}

impl Contest<'_> {
    fn turn(&mut self, contestant: usize, size: usize) -> Outcome<Turn> {
        self.generation += 1;
        if self.is_first {
            self.stage
                .renew_exchange_rates(size, &self.provider.url())?;
        }
        match contestant {
            RAW => self.write_raw(),
            program => self.run_program(program - 1),
        }
    }

    fn write_raw(&self) -> Outcome<Turn> {
        let states = self.stage.rate_states()?;
        let maps = states.iter().map(|state| {
            if self.is_first {
                self.template.post(state, self.generation)
            } else {
                self.template.patch(state, self.generation)
            }
        });
        let statuses = states
            .iter()
            .map(|state| self.template.status(state, self.generation));
        let requests: Vec<Request> = maps.chain(statuses).collect();
        let (sent, server_cpu) = self.stage.write_raw(requests)?;
        Ok(Turn {
            seconds: sent.seconds,
            cpu: sent.cpu_seconds,
            server_cpu,
            peak_mib: None,
        })
    }

    fn run_program(&self, program: usize) -> Outcome<Turn> {
        self.provider.change(self.generation);
        self.provider.asked();
        let (measured, server_cpu) = self.stage.refresh(&self.arguments.program[program])?;
        match self.provider.asked() {
            1 => Ok(Turn {
                seconds: measured.seconds,
                cpu: measured.cpu_seconds,
                server_cpu,
                peak_mib: Some(measured.peak_mib),
            }),
            asked => Err(format!("the provider was asked {asked} times, not once").into()),
        }
    }
}

fn rows_of(arguments: &Arguments, scenario: &'static str, size: usize, race: &Race) -> Vec<Row> {
    let programs = &arguments.program;
    let names = (0..programs.len()).map(|index| program_name(programs, index));
    let names = std::iter::once("raw writer".to_owned()).chain(names);
    // A ConfigMap and a status each.
    let writes = figure(2 * size);
    let rows = names.enumerate().map(|(contestant, name)| {
        let seconds = race.median(contestant, |turn| turn.seconds);
        let cpu = race.median(contestant, |turn| turn.cpu);
        let server_cpu = race.median(contestant, |turn| turn.server_cpu);
        Row {
            scenario,
            size: format!("{size} ExchangeRates"),
            contestant: name,
            milliseconds: seconds * 1e3,
            writes_per_second: Some(writes / seconds),
            cpu_milliseconds: cpu * 1e3 / writes,
            server_cpu_milliseconds: Some(server_cpu * 1e3 / writes),
            peak_mib: race.peak_mib(contestant),
            verdict: (contestant != RAW).then(|| Verdict {
                of: "raw writer",
                figure: race.speed(contestant, RAW),
                goal: GOAL,
            }),
            ..Row::default()
        }
    });
    rows.collect()
}
