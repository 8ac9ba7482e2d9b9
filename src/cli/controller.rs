//! The arguments of `kubectl copyrator controller`.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use clap::{ArgAction, Args, Subcommand, ValueEnum};

use super::values::{boolean, period};

/// Keep a cluster in step for good, from within it.
///
/// The controller is the program itself, run as a Deployment: it does all the time what sync and rates
/// refresh do once.
#[derive(Args, Clone, Debug)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:
  # Run the controller as the kubeconfig's user, until it is interrupted
  kubectl copyrator controller run"
)]
pub struct ControllerArguments {
    /// What to do.
    #[command(subcommand)]
    pub command: ControllerCommand,
}

/// What to do.
#[derive(Subcommand, Clone, Debug)]
#[expect(
    missing_docs,
    reason = "the arguments' documentation is the help; one here would replace it"
)]
pub enum ControllerCommand {
    Run(Box<RunArguments>),
}

const EXAMPLES: &str = "\
Examples:
  # Follow all rules and ExchangeRates, until it is interrupted
  kubectl copyrator controller run

  # Follow two rules only, and no ExchangeRates
  kubectl copyrator controller run --only rules --rule pull-secrets --rule ca-bundle

  # As one of several replicas, of which one works at a time
  kubectl copyrator controller run --leader-elect --log-format json -n kubectl-copyrator";

/// Keep copies and published exchange rates in step until interrupted.
///
/// Follows rules, ExchangeRates and all that they are about, and makes each change at once. With
/// --leader-elect, several replicas agree by a Lease on one that works. Over HTTP, /healthz tells
/// whether it lives, /readyz whether it works or stands by, and /metrics what it does.
///
/// Its own namespace, where the Lease is, comes from -n or $NAMESPACE.
///
/// SIGTERM and Ctrl-C end it once the requests that are under way are answered. It exits with 0 then.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct RunArguments {
    /// What to keep in step; all of it unless something is named.
    #[arg(long, value_name = "rules,rates", value_delimiter = ',')]
    pub only: Vec<Work>,
    /// The rules to follow, by name; all of them when none is named. Repeat the flag for several.
    #[arg(
        long = "rule",
        value_name = "NAME",
        env = "RULE_NAME",
        value_delimiter = ','
    )]
    pub rules: Vec<String>,
    /// How often everything is read and compared anew, whatever was heard, with a unit (30m, 2h).
    #[arg(long, value_name = "DURATION", default_value = "1h", value_parser = period)]
    pub resync: Duration,
    /// How many requests are in flight at most, for each kind of work.
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub parallelism: u16,
    /// Which one of several replicas works.
    #[command(flatten)]
    pub election: ElectionFlags,
    /// What it tells of itself.
    #[command(flatten)]
    pub telemetry: TelemetryFlags,
    /// What ExchangeRates may name.
    #[command(flatten)]
    pub permissions: PermissionFlags,
}

/// Something that is kept in step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Work {
    /// The copies that rules want.
    Rules,
    /// The ConfigMaps that ExchangeRates want.
    Rates,
}

/// Which one of several replicas works.
#[derive(Args, Clone, Debug)]
pub struct ElectionFlags {
    /// Work only while this replica holds the Lease, so that there may be several.
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true,
          default_value = "false", default_missing_value = "true", hide_default_value = true,
          action = ArgAction::Set, value_parser = boolean)]
    pub leader_elect: bool,
    /// The Lease that replicas agree by, in the controller's own namespace.
    #[arg(long, value_name = "NAME", default_value = "kubectl-copyrator")]
    pub lease_name: String,
    /// How long the others wait after the leader's last sign of life before one of them takes over.
    #[arg(long, value_name = "DURATION", default_value = "15s", value_parser = period)]
    pub lease_duration: Duration,
    /// How long the leader works on without being able to renew its Lease.
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = period)]
    pub renew_deadline: Duration,
    /// How often the leader renews its Lease, and the others look at it.
    #[arg(long, value_name = "DURATION", default_value = "2s", value_parser = period)]
    pub retry_period: Duration,
}

/// What the controller tells of itself.
#[derive(Args, Clone, Debug)]
pub struct TelemetryFlags {
    /// Where /healthz, /readyz and /metrics are served.
    #[arg(long, value_name = "IP:PORT", default_value = "0.0.0.0:8080")]
    pub health_address: SocketAddr,
    /// How a line of the log is written, on standard error.
    #[arg(long, value_name = "text|json", default_value = "text")]
    pub log_format: LogFormat,
}

/// How a line of the log is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// For programs: one JSON object per line.
    Json,
}

/// What ExchangeRates may have the controller read.
#[derive(Args, Clone, Debug)]
pub struct PermissionFlags {
    /// Let ExchangeRates name files in this directory (file:///...); repeat the flag for several.
    #[arg(long, value_name = "DIR")]
    pub allow_files: Vec<PathBuf>,
    /// Which addresses ExchangeRates may name beyond the providers' own: none, public (those of the
    /// internet, over https), any, or those that begin with a URL; repeat the flag for several.
    #[arg(long, value_name = "none|public|any|URL", default_value = "none")]
    pub allow_urls: Vec<String>,
    /// Let ExchangeRates name Secrets of their namespace that hold a provider's key.
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true,
          default_value = "true", default_missing_value = "true", action = ArgAction::Set,
          value_parser = boolean)]
    pub allow_secrets: bool,
    /// Trust the certificates in this PEM file, too, when providers are asked.
    #[arg(long, value_name = "FILE")]
    pub provider_ca: Option<PathBuf>,
}
