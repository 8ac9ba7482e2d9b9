//! The arguments of `kubectl copyrator deploy`.

use clap::{Args, ValueEnum};

use super::{
    part_flags::PartFlags,
    values::{dry_run, machine_format},
};
use crate::output::{DryRun, Format};

const EXAMPLES: &str = "\
Examples:
  # Run a controller in the cluster, with an image that its nodes can pull
  kubectl copyrator deploy --image=registry.example.com/kubectl-copyrator:0.1.0

  # See what that would apply, and keep it in git
  kubectl copyrator deploy --image=registry.example.com/kubectl-copyrator:0.1.0 -o yaml

  # With no more rights than the rules and ExchangeRates need that are in the cluster now
  kubectl copyrator deploy --image=registry.example.com/kubectl-copyrator:0.1.0 --roles=minimal

  # Run every quarter of an hour instead of all the time
  kubectl copyrator deploy --image=registry.example.com/kubectl-copyrator:0.1.0 --mode=cronjob

  # Only copy, by two rules, in a namespace of its own
  kubectl copyrator deploy -n team-a-copies --name=team-a --only=rules --rule=pull-secrets --rule=ca

  # Remove it again; the rules and the copies stay
  kubectl copyrator deploy --remove";

/// Let the program run in the cluster: as a controller, or now and then as a CronJob.
///
/// Applies everything that this takes (a namespace, a service account, its roles and what runs the
/// program), by server-side apply, and removes what an earlier call made and is needed no more. Each call
/// describes all of the installation: a flag that is left out goes back to its default, the image too. With
/// -o it only prints the objects. The definitions of the custom resources are not among them: see crd
/// install.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct DeployArguments {
    /// Whether the program runs all the time (controller), or now and then (cronjob).
    #[arg(long, value_enum, default_value_t = Mode::Controller)]
    pub mode: Mode,
    /// The image of the program, which deploy/Dockerfile builds.
    #[arg(long, value_name = "IMAGE", default_value = concat!("kubectl-copyrator:", env!("CARGO_PKG_VERSION")))]
    pub image: String,
    /// The name of the objects. Two installations in one cluster need two names.
    #[arg(long, value_name = "NAME", default_value = "kubectl-copyrator")]
    pub name: String,
    /// What is done.
    #[command(flatten)]
    pub parts: PartFlags,
    /// How many pods the controller has; one of them works, the others wait to take over. [default: 2]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub replicas: Option<i64>,
    /// When the CronJob runs: a cron expression, after which a time zone may follow. [default: */15 * * * *]
    #[arg(long, value_name = "CRON")]
    pub schedule: Option<String>,
    /// Which rights the program gets: those for whatever rules and ExchangeRates may come (all), or exactly
    /// those that `kubectl copyrator rbac` prints for what is in the cluster now (minimal).
    #[arg(long, value_enum, default_value_t = Roles::All)]
    pub roles: Roles,
    /// What the container asks for, as in kubectl set resources.
    #[arg(
        long,
        value_name = "RESOURCE=QUANTITY,...",
        default_value = "cpu=50m,memory=64Mi"
    )]
    pub requests: String,
    /// What the container gets at most, as in kubectl set resources.
    #[arg(
        long,
        value_name = "RESOURCE=QUANTITY,...",
        default_value = "memory=256Mi"
    )]
    pub limits: String,
    /// When the image is pulled: Always, IfNotPresent or Never; as Kubernetes decides when left out.
    #[arg(long, value_name = "POLICY", value_parser = ["Always", "IfNotPresent", "Never"], ignore_case = true)]
    pub image_pull_policy: Option<String>,
    /// The Secret of the namespace with which the image is pulled.
    #[arg(long, value_name = "SECRET")]
    pub image_pull_secret: Option<String>,
    /// Which addresses ExchangeRates may name beyond the providers' own: none, public (those of the
    /// internet, over https), any, or those that begin with a URL; repeat the flag for several.
    #[arg(long, value_name = "none|public|any|URL", default_value = "none")]
    pub allow_urls: Vec<String>,
    /// Add a Service with the controller's metrics.
    #[arg(long)]
    pub metrics_service: bool,
    /// Take over fields that somebody else manages, in place of refusing to.
    #[arg(long)]
    pub force_conflicts: bool,
    /// Remove the installation instead, but neither its namespace nor the definitions.
    #[arg(long, conflicts_with_all = ["output", "force_conflicts"])]
    pub remove: bool,
    /// Only print the objects: as yaml or json.
    #[arg(long, short, value_name = "FORMAT", value_parser = machine_format)]
    pub output: Option<Format>,
    /// Only print the objects, or what would be removed (client), or let the API server check it all
    /// without keeping it (server).
    #[arg(
        long, value_name = "MODE", default_value = "none", default_missing_value = "client",
        num_args = 0..=1, require_equals = true, value_parser = dry_run
    )]
    pub dry_run: DryRun,
}

/// How the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// All the time.
    Controller,
    /// Now and then.
    #[value(name = "cronjob")]
    CronJob,
}

/// Which rights the program gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Roles {
    /// Those for whatever may come.
    All,
    /// Those for what is in the cluster now.
    Minimal,
}
