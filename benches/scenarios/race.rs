//! Contestants take turns, so that what else happens on the machine hits all of them alike.

use std::path::Path;

use crate::error::Outcome;

/// What one turn came to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Turn {
    /// How long it took.
    pub seconds: f64,
    /// The contestant's CPU time.
    pub cpu: f64,
    /// The control plane's CPU time meanwhile.
    pub server_cpu: f64,
    /// The most memory that was resident, where it says something.
    pub peak_mib: Option<f64>,
}

/// The turns of each contestant, in the order of the contestants.
pub struct Race(Vec<Vec<Turn>>);

impl Race {
    /// Lets the contestants, which are numbered, take turns; each round begins with another one.
    pub fn run(
        contestants: usize,
        rounds: usize,
        mut turn: impl FnMut(usize) -> Outcome<Turn>,
    ) -> Outcome<Self> {
        let mut turns = vec![Vec::new(); contestants];
        for round in 0..rounds {
            for place in 0..contestants {
                let contestant = (round + place) % contestants;
                turns[contestant].push(turn(contestant)?);
            }
        }
        Ok(Self(turns))
    }

    /// The median of a figure of a contestant.
    pub fn median(&self, contestant: usize, figure: impl Fn(&Turn) -> f64) -> f64 {
        median(self.0[contestant].iter().map(figure).collect())
    }

    /// How many times as fast a contestant is as another: the median over the rounds.
    pub fn speed(&self, contestant: usize, other: usize) -> f64 {
        let pairs = std::iter::zip(&self.0[contestant], &self.0[other]);
        median(
            pairs
                .map(|(one, other)| other.seconds / one.seconds)
                .collect(),
        )
    }

    /// The most memory that a contestant ever had resident.
    pub fn peak_mib(&self, contestant: usize) -> Option<f64> {
        self.0[contestant]
            .iter()
            .filter_map(|turn| turn.peak_mib)
            .reduce(f64::max)
    }
}

/// The figure in the middle.
pub fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    let middle = figures.len() / 2;
    match figures.len() {
        0 => f64::NAN,
        odd if odd % 2 == 1 => figures[middle],
        _ => f64::midpoint(figures[middle - 1], figures[middle]),
    }
}

/// A number as a figure: those of a bench are far below what a figure can't hold.
pub fn figure(number: usize) -> f64 {
    u32::try_from(number).map_or(f64::INFINITY, f64::from)
}

/// How a program is called in the report.
pub fn program_name(programs: &[impl AsRef<Path>], index: usize) -> String {
    if programs.len() == 1 {
        "kubectl-copyrator".to_owned()
    } else {
        format!("program {}", index + 1)
    }
}
