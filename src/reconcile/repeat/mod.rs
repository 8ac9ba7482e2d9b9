//! The engine again and again: runs that have no end, each for the owners that are due.

mod done;
mod editions;
mod entry;
#[cfg(test)]
mod fixtures;
mod hear;
mod moment;
mod places;
mod prospect;
mod recurring;
mod rounds;
mod telling;
mod timetable;
mod turns;

pub use prospect::{Prospect, Turnout};
pub use recurring::{Due, Owners, Recurring};
pub use rounds::repeat;
