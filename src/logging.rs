//! What is logged on stderr: with `-v`, and by the controller.

mod json_line;

use std::io;

use tracing::{Level, Metadata, level_filters::LevelFilter};
use tracing_subscriber::{
    Layer, filter, fmt, layer::SubscriberExt, registry::LookupSpan, util::SubscriberInitExt,
};

use crate::{
    cli::{
        Cli, Command,
        controller::{ControllerCommand, LogFormat},
    },
    logging::json_line::JsonLine,
};

/// Our own events' targets begin with this.
const OURS: &str = "kubectl_copyrator";

/// How much is logged, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Log {
    most_detailed: LevelFilter,
    format: LogFormat,
}

impl Log {
    /// The log that the arguments ask for.
    pub fn of(cli: &Cli) -> Self {
        let asked = most_detailed(cli.kube.verbosity);
        match &cli.command {
            Command::Controller(controller) => {
                let ControllerCommand::Run(run) = &controller.command;
                Self {
                    most_detailed: asked.max(LevelFilter::INFO),
                    format: run.telemetry.log_format,
                }
            }
            _ => Self {
                most_detailed: asked,
                format: LogFormat::Text,
            },
        }
    }

    /// Starts to log on stderr. A second call changes nothing.
    pub fn start(self, ansi: bool) {
        let shown = filter::filter_fn(move |metadata: &Metadata<'_>| {
            is_shown(self.most_detailed, metadata.target(), *metadata.level())
        });
        let shown = shown.with_max_level_hint(self.most_detailed);
        // It is started already when this fails, which is as good.
        let _ = tracing_subscriber::registry()
            .with(self.lines(ansi).with_filter(shown))
            .try_init();
    }

    fn lines<S>(self, ansi: bool) -> Box<dyn Layer<S> + Send + Sync>
    where
        S: tracing::Subscriber + for<'span> LookupSpan<'span>,
    {
        let lines = fmt::layer().with_writer(io::stderr);
        match self.format {
            LogFormat::Text => lines.with_ansi(ansi).boxed(),
            LogFormat::Json => lines.event_format(JsonLine).boxed(),
        }
    }
}

/// The libraries stay silent at every verbosity: kube logs whole bodies, Secrets included.
fn is_shown(most_detailed: LevelFilter, target: &str, level: Level) -> bool {
    let rest = target.strip_prefix(OURS);
    let is_ours = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
    is_ours && level <= most_detailed
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
    use clap::Parser as _;

    use super::*;

    const REQUESTS: &str = "kubectl_copyrator::cluster::request";

    fn is_shown_at(verbosity: u8, target: &str, level: Level) -> bool {
        is_shown(most_detailed(verbosity), target, level)
    }

    #[test]
    fn warnings_are_always_shown() {
        assert!(is_shown_at(0, OURS, Level::WARN) && is_shown_at(0, REQUESTS, Level::ERROR));
        assert!(!is_shown_at(3, OURS, Level::INFO));
    }

    #[test]
    fn requests_are_shown_from_six_on() {
        assert!(is_shown_at(4, REQUESTS, Level::INFO));
        assert!(!is_shown_at(5, REQUESTS, Level::DEBUG));
        assert!(is_shown_at(6, REQUESTS, Level::DEBUG));
    }

    #[test]
    fn everything_of_ours_is_shown_from_nine_on() {
        assert!(!is_shown_at(8, REQUESTS, Level::TRACE));
        assert!(is_shown_at(9, REQUESTS, Level::TRACE) && is_shown_at(255, OURS, Level::TRACE));
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
            assert!(!is_shown_at(255, target, Level::ERROR), "{target}");
        }
        assert!(!is_shown_at(255, "kubectl_copyrator_like", Level::ERROR));
    }

    #[test]
    fn a_controller_tells_what_it_does() {
        let log = |words: &str| Log::of(&Cli::try_parse_from(words.split(' ')).unwrap());
        let controller = log("x controller run --log-format json");
        assert_eq!(controller.most_detailed, LevelFilter::INFO);
        assert_eq!(controller.format, LogFormat::Json);
        assert_eq!(
            log("x controller run -v 6").most_detailed,
            LevelFilter::DEBUG
        );
        assert_eq!(log("x sync").most_detailed, LevelFilter::WARN);
    }
}
