//! The root of the command line.

use clap::{Parser, Subcommand};

use super::{
    DiffArgs, KubeFlags, PruneArgs, SyncArgs, controller::ControllerArguments, crd::CrdArguments,
    deploy::DeployArguments, rates::RatesArguments, rbac::RbacArguments,
};

const EXAMPLES: &str = "\
Examples:
  # Let the API server know the kind of the rules
  kubectl copyrator crd install

  # See what the rules would change, then do it
  kubectl copyrator diff
  kubectl copyrator sync

  # Publish the exchange rates that are asked for in a namespace
  kubectl copyrator rates refresh -n shop";

/// Copy ConfigMaps and Secrets to the namespaces that rules name, and publish exchange rates.
///
/// A rule is an object of the kind CopyratorRule, in the cluster or in a file. It selects ConfigMaps
/// or Secrets in some namespaces, and the namespaces that get copies of them. An object of the kind
/// ExchangeRate says which currencies' rates a ConfigMap publishes.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "kubectl-copyrator",
    bin_name = "kubectl copyrator",
    version,
    arg_required_else_help = true,
    after_help = EXAMPLES,
    max_term_width = 100
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Which API server, and who asks.
    #[command(flatten)]
    pub kube: KubeFlags,
}

/// The verbs.
#[derive(Clone, Debug, Subcommand)]
#[expect(
    missing_docs,
    reason = "the arguments' documentation is the help; one here would replace it"
)]
pub enum Command {
    Sync(SyncArgs),
    Diff(DiffArgs),
    Prune(PruneArgs),
    Rates(RatesArguments),
    Crd(CrdArguments),
    Controller(Box<ControllerArguments>),
    Deploy(Box<DeployArguments>),
    Rbac(RbacArguments),
}
