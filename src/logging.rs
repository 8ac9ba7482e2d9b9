//! What `-v` shows on standard error.
//!
//! Only our own lines, whatever the level: kube logs whole answers when it can't read them, and those
//! may hold secrets.

use std::io;

use tracing::{Level, level_filters::LevelFilter};
use tracing_subscriber::{
    Layer, filter::filter_fn, fmt, layer::SubscriberExt, util::SubscriberInitExt,
};

/// The crate's own name, which all our targets begin with.
const OURS: &str = "kubectl_copyrator";
/// Where each request is logged with its method, address, status and duration.
const REQUESTS: &str = "kubectl_copyrator::cluster::request";

/// Starts logging at kubectl's level: 2 says what happens, 4 gives details, 6 each request, 8 all.
pub fn start(verbosity: u8) {
    let filter =
        filter_fn(move |metadata| is_shown(verbosity, metadata.target(), *metadata.level()))
            .with_max_level_hint(LevelFilter::from_level(most_detailed(verbosity)));
    let lines = fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(false)
        .with_timer(fmt::time::uptime())
        .with_target(verbosity >= 4);
    // A second start, in a test, keeps the first.
    let _ = tracing_subscriber::registry()
        .with(lines.with_filter(filter))
        .try_init();
}

fn is_shown(verbosity: u8, target: &str, level: Level) -> bool {
    let is_ours = target == OURS
        || target
            .strip_prefix(OURS)
            .is_some_and(|rest| rest.starts_with("::"));
    let is_request = target == REQUESTS && level == Level::DEBUG;
    is_ours && level <= most_detailed(verbosity) && (!is_request || verbosity >= 6)
}

fn most_detailed(verbosity: u8) -> Level {
    match verbosity {
        0..2 => Level::WARN,
        2..4 => Level::INFO,
        4..8 => Level::DEBUG,
        8.. => Level::TRACE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_show_more_and_more() {
        let table = [
            (0, OURS, Level::WARN, true),
            (0, OURS, Level::INFO, false),
            (2, OURS, Level::INFO, true),
            (3, OURS, Level::DEBUG, false),
            (4, "kubectl_copyrator::cluster", Level::DEBUG, true),
            (5, REQUESTS, Level::DEBUG, false),
            (0, REQUESTS, Level::WARN, true),
            (6, REQUESTS, Level::DEBUG, true),
            (7, OURS, Level::TRACE, false),
            (8, OURS, Level::TRACE, true),
            (99, OURS, Level::TRACE, true),
        ];
        for row in table {
            let (verbosity, target, level, shown) = row;
            assert_eq!(is_shown(verbosity, target, level), shown, "{row:?}");
        }
    }

    #[test]
    fn nobody_elses_lines_are_ever_shown() {
        let targets = [
            "kube",
            "kube_client::client",
            "tower::buffer::worker",
            "hyper",
            "hyper_util::client",
            "rustls::client",
            "kubectl_copyrator_impostor",
        ];
        for target in targets {
            assert!(!is_shown(99, target, Level::ERROR), "{target}");
        }
    }
}
