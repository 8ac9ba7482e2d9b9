//! Mutates the fixtures for a while and hands them to the fuzz targets, with nothing but stable Rust:
//! `cargo run --example fuzz -- [SECONDS [SEED [TARGET]]]`. The same seed makes the same inputs.
//!
//! It knows nothing of which branches are taken; `cargo fuzz` does, where there is a nightly compiler.

use std::{
    error::Error,
    fs,
    io::{self, Write as _},
    panic::{self, AssertUnwindSafe},
    path::Path,
    process::ExitCode,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

#[path = "mutations.rs"]
mod mutations;
#[path = "targets.rs"]
mod targets;

use mutations::Mutator;
use targets::Target;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/rates");
const FINDINGS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/fuzz");

/// Beginnings of addresses with what they might allow, for which there are no fixtures.
const ADDRESSES: [&str; 4] = [
    "https://a.example/rates https://a.example/rates/eur.json?a=b",
    "https://a.example:8443 https://a.example:8443/%2e%2e/..%2f",
    "http://[::1]/x/ http://[::1]/x/../y",
    "file:///etc/rates.json",
];

/// Even a slow machine reads an input of the largest size in this time.
const TOO_LONG: Duration = Duration::from_secs(5);

/// The most that is shown of a panic, which may have the whole input in it.
const LONGEST_MESSAGE: usize = 400;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let seconds = arguments.next().map_or(Ok(5), |text| text.parse())?;
    let seed = arguments
        .next()
        .map_or_else(|| Ok(fresh_seed()), |text| text.parse())?;
    let only = arguments.next();
    let is_wanted = |target: &&Target| only.as_ref().is_none_or(|only| only == target.0);
    let corpus = corpus()?;
    writeln!(
        io::stdout(),
        "seed {seed}, {} seeds of inputs",
        corpus.len()
    )?;
    // The message of a panic comes with the finding.
    panic::set_hook(Box::new(|_| {}));
    let mut ending = ExitCode::SUCCESS;
    for target in targets::ALL.iter().filter(is_wanted) {
        let found = fuzz(target, &corpus, seed, Duration::from_secs(seconds))?;
        if found {
            ending = ExitCode::FAILURE;
        }
    }
    Ok(ending)
}

/// Runs one target for a while. Tells whether it found a fault, after which it stops.
fn fuzz(
    (name, target): &Target,
    corpus: &[Vec<u8>],
    seed: u64,
    time: Duration,
) -> Result<bool, Box<dyn Error>> {
    let mut mutator = Mutator::new(seed, corpus);
    let begun = Instant::now();
    let mut count = 0_u64;
    // The seeds themselves come first.
    let mut seeds = corpus.iter();
    while begun.elapsed() < time {
        let input = seeds
            .next()
            .cloned()
            .unwrap_or_else(|| mutator.next_input());
        count += 1;
        if let Some(fault) = fault(*target, &input) {
            let file = keep(name, &input)?;
            writeln!(
                io::stdout(),
                "{name}: input {count}: {fault}\n{name}: it is in {file}"
            )?;
            return Ok(true);
        }
    }
    writeln!(io::stdout(), "{name}: {count} inputs, no fault")?;
    Ok(false)
}

/// What goes wrong with an input, if something does.
fn fault(target: fn(&[u8]), input: &[u8]) -> Option<String> {
    let begun = Instant::now();
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| target(input)));
    let took = begun.elapsed();
    match outcome {
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            let text = text.unwrap_or("without a message").chars();
            Some(format!(
                "panic: {}",
                text.take(LONGEST_MESSAGE).collect::<String>()
            ))
        }
        Ok(()) if took > TOO_LONG => Some(format!("it took {took:?}")),
        Ok(()) => None,
    }
}

fn keep(name: &str, input: &[u8]) -> io::Result<String> {
    let path = Path::new(FINDINGS).join(name);
    fs::create_dir_all(FINDINGS)?;
    fs::write(&path, input)?;
    Ok(path.display().to_string())
}

fn corpus() -> io::Result<Vec<Vec<u8>>> {
    let mut files: Vec<_> = fs::read_dir(FIXTURES)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<_>>()?;
    // A seed only says the same if the order is the same.
    files.sort();
    let mut corpus: Vec<_> = files.iter().map(fs::read).collect::<io::Result<_>>()?;
    corpus.extend(ADDRESSES.map(Vec::from));
    Ok(corpus)
}

fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_secs())
}
