//! What `-v` shows on stderr.

use std::io;

use tracing::{Level, Metadata, level_filters::LevelFilter};
use tracing_subscriber::{Layer, filter, fmt, layer::SubscriberExt, util::SubscriberInitExt};

/// Our own events' targets begin with this.
const OURS: &str = "kubectl_copyrator";

/// Starts showing events on stderr. A second call changes nothing.
pub fn start(verbosity: u8, ansi: bool) {
    let shown = filter::filter_fn(move |metadata: &Metadata<'_>| {
        is_shown(verbosity, metadata.target(), *metadata.level())
    });
    let shown = shown.with_max_level_hint(most_detailed(verbosity));
    let lines = fmt::layer().with_writer(io::stderr).with_ansi(ansi);
    // It is started already when this fails, which is as good.
    let _ = tracing_subscriber::registry()
        .with(lines.with_filter(shown))
        .try_init();
}

/// The libraries stay silent at every verbosity: kube logs whole bodies, Secrets included.
fn is_shown(verbosity: u8, target: &str, level: Level) -> bool {
    let rest = target.strip_prefix(OURS);
    let is_ours = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
    is_ours && level <= most_detailed(verbosity)
}

fn most_detailed(verbosity: u8) -> LevelFilter {
    match verbosity {
        0..=3 => LevelFilter::WARN,
        4..=5 => LevelFilter::INFO,
        6..=8 => LevelFilter::DEBUG,
        9.. => LevelFilter::TRACE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REQUESTS: &str = "kubectl_copyrator::cluster::request";

    #[test]
    fn warnings_are_always_shown() {
        assert!(is_shown(0, OURS, Level::WARN) && is_shown(0, REQUESTS, Level::ERROR));
        assert!(!is_shown(3, OURS, Level::INFO));
    }

    #[test]
    fn requests_are_shown_from_six_on() {
        assert!(is_shown(4, REQUESTS, Level::INFO));
        assert!(!is_shown(5, REQUESTS, Level::DEBUG));
        assert!(is_shown(6, REQUESTS, Level::DEBUG));
    }

    #[test]
    fn everything_of_ours_is_shown_from_nine_on() {
        assert!(!is_shown(8, REQUESTS, Level::TRACE));
        assert!(is_shown(9, REQUESTS, Level::TRACE) && is_shown(255, OURS, Level::TRACE));
    }

    #[test]
    fn libraries_are_never_shown() {
        for target in [
            "kube_client::client",
            "kube",
            "tower::buffer",
            "hyper_util",
            "rustls",
            "h2",
        ] {
            assert!(!is_shown(255, target, Level::ERROR), "{target}");
        }
        assert!(!is_shown(255, "kubectl_copyrator_like", Level::ERROR));
    }
}
