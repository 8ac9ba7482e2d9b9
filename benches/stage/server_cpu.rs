//! The CPU time of the control plane.

use std::fs;

use crate::error::Outcome;

/// Linux counts in hundredths of a second, whatever the hardware does.
const TICKS_PER_SECOND: f64 = 100.0;

/// The CPU seconds of these processes until now, user and system.
pub fn seconds(processes: &[u32]) -> Outcome<f64> {
    processes.iter().map(|process| of_one(*process)).sum()
}

fn of_one(process: u32) -> Outcome<f64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat"))?;
    // The program's name comes second, in parentheses, and may hold anything.
    let (_, fields) = stat.rsplit_once(')').ok_or("no name in /proc/PID/stat")?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let [user, system] = [11, 12].map(|place| fields.get(place)?.parse::<u32>().ok());
    let ticks = user.zip(system).ok_or("no times in /proc/PID/stat")?;
    Ok(f64::from(ticks.0 + ticks.1) / TICKS_PER_SECOND)
}
