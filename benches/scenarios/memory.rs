//! The most memory that a run needs.

use super::race::{figure, program_name};
use crate::{
    arguments::Arguments,
    error::Outcome,
    measured::Measured,
    report::{Goal, Row, Verdict},
    stage::Stage,
};

/// The scenario's name.
pub const NAME: &str = "memory";

/// Namespaces, originals and the most MiB.
const SIZES: [(usize, usize, f64); 2] = [(1_000, 1, 24.0), (10_000, 5, 64.0)];
const QUICK_SIZES: [(usize, usize, f64); 1] = [(50, 2, 24.0)];

/// Measures each step of the life of copies, at each size on a cluster of its own.
pub fn measure(arguments: &Arguments) -> Outcome<Vec<Row>> {
    let sizes: &[_] = if arguments.quick {
        &QUICK_SIZES
    } else {
        &SIZES
    };
    let asked = |namespaces| arguments.sizes.is_empty() || arguments.sizes.contains(&namespaces);
    let mut rows = Vec::new();
    for (namespaces, originals, most) in sizes.iter().copied().filter(|size| asked(size.0)) {
        for program in 0..arguments.program.len() {
            let mut life = Life {
                arguments,
                program,
                namespaces,
                originals,
                most,
                rows: Vec::new(),
            };
            life.live()?;
            rows.extend(life.rows);
        }
    }
    Ok(rows)
}

struct Life<'a> {
    arguments: &'a Arguments,
    program: usize,
    namespaces: usize,
    originals: usize,
    most: f64,
    rows: Vec<Row>,
}

impl Life<'_> {
    fn live(&mut self) -> Outcome<()> {
        let mut stage = Stage::start(self.arguments.workers, &self.arguments.sync_flag)?;
        stage.add_rule(self.originals)?;
        stage.grow(self.namespaces)?;
        self.sync(&stage, "first sync")?;
        self.sync(&stage, "nothing changed")?;
        stage.add_unrelated()?;
        self.sync(&stage, "nothing changed, 2,000 unrelated Secrets")?;
        stage.change_originals(self.originals, 1)?;
        self.sync(&stage, "update, 2,000 unrelated Secrets")
    }

    fn sync(&mut self, stage: &Stage, step: &str) -> Outcome<()> {
        let (measured, server_cpu) = stage.sync(&self.arguments.program[self.program])?;
        self.rows.push(self.row(&measured, server_cpu, step));
        Ok(())
    }

    fn row(&self, measured: &Measured, server_cpu: f64, step: &str) -> Row {
        let copies = self.namespaces * self.originals;
        let name = program_name(&self.arguments.program, self.program);
        Row {
            scenario: NAME,
            size: format!("{copies} copies: {step}"),
            contestant: name,
            milliseconds: measured.seconds * 1e3,
            cpu_milliseconds: measured.cpu_seconds * 1e3 / figure(copies),
            server_cpu_milliseconds: Some(server_cpu * 1e3 / figure(copies)),
            peak_mib: Some(measured.peak_mib),
            verdict: Some(Verdict {
                of: "MiB",
                figure: measured.peak_mib,
                goal: Goal::AtMost(self.most),
            }),
            ..Row::default()
        }
    }
}
