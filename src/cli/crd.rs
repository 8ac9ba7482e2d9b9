//! The flags of `crd`, which installs the kinds that rules are written in.

use std::time::Duration;

use clap::{ArgAction, Args, Subcommand};

use super::values::{boolean, dry_run, machine_format, timeout};
use crate::output::{DryRun, Format};

/// Install, remove or print the CustomResourceDefinitions.
///
/// Rules in the cluster are objects of the kind CopyratorRule, which the API server must know before
/// the first rule is created. Rules in files (-f) need no definition.
#[derive(Args, Clone, Debug)]
#[command(arg_required_else_help = true)]
pub struct CrdArgs {
    /// What to do with the definitions.
    #[command(subcommand)]
    pub command: CrdCommand,
}

/// What to do with the definitions.
#[derive(Clone, Debug, Subcommand)]
#[expect(
    missing_docs,
    reason = "the arguments' documentation is the help; one here would replace it"
)]
pub enum CrdCommand {
    Install(InstallArgs),
    Uninstall(UninstallArgs),
    Print(PrintArgs),
}

const INSTALL_EXAMPLES: &str = "\
Examples:
  # Install or update the definitions
  kubectl copyrator crd install

  # Fail unless they are installed and new enough, without changing anything
  kubectl copyrator crd install --check";

/// Install or update the CustomResourceDefinitions.
///
/// Waits until the API server serves them. Definitions that are up to date are not written, and newer
/// ones are not replaced by older ones.
///
/// Needs the verbs get, create and patch on customresourcedefinitions.apiextensions.k8s.io.
#[derive(Args, Clone, Debug)]
#[command(after_help = INSTALL_EXAMPLES)]
pub struct InstallArgs {
    /// Only say whether they are installed, established and not older than this program's: exits with
    /// 0 or 1.
    #[arg(long, conflicts_with_all = ["force", "dry_run"])]
    pub check: bool,
    /// Replace newer definitions by older ones, and take over those that are not ours.
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true,
          default_value = "false", default_missing_value = "true", hide_default_value = true,
          action = ArgAction::Set, value_parser = boolean)]
    pub force: bool,
    /// Only say what would be done: on its own or as client nothing is sent; as server the API server
    /// checks the changes but doesn't keep them.
    #[arg(long, value_name = "none|client|server", num_args = 0..=1, require_equals = true,
          default_value = "none", default_missing_value = "client", hide_default_value = true,
          value_parser = dry_run)]
    pub dry_run: DryRun,
    /// How long to wait until they are served.
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = timeout)]
    pub timeout: Duration,
}

const UNINSTALL_EXAMPLES: &str = "\
Examples:
  # Say what would be lost
  kubectl copyrator crd uninstall --dry-run

  # Remove all copies, then all rules and the definitions
  kubectl delete copyratorrules --all && kubectl copyrator sync
  kubectl copyrator crd uninstall --yes";

/// Remove the CustomResourceDefinitions, and all rules with them.
///
/// Says first how many rules are lost, and asks. Copies stay where they are; to remove them, delete
/// the rules and sync before you uninstall.
///
/// Needs the verbs get and delete on customresourcedefinitions.apiextensions.k8s.io, and list on
/// copyratorrules, secrets and configmaps to count them.
#[derive(Args, Clone, Debug)]
#[command(after_help = UNINSTALL_EXAMPLES)]
pub struct UninstallArgs {
    /// Don't ask.
    #[arg(short, long)]
    pub yes: bool,
    /// Only say what would be done: on its own or as client nothing is sent; as server the API server
    /// checks the changes but doesn't keep them.
    #[arg(long, value_name = "none|client|server", num_args = 0..=1, require_equals = true,
          default_value = "none", default_missing_value = "client", hide_default_value = true,
          value_parser = dry_run)]
    pub dry_run: DryRun,
    /// How long to wait until they are gone.
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = timeout)]
    pub timeout: Duration,
}

const PRINT_EXAMPLES: &str = "\
Examples:
  # Install the definitions with kubectl
  kubectl copyrator crd print | kubectl apply --server-side -f -";

/// Print the CustomResourceDefinitions, without any cluster.
#[derive(Args, Clone, Debug)]
#[command(after_help = PRINT_EXAMPLES)]
pub struct PrintArgs {
    /// The format: json or yaml.
    #[arg(short, long, value_name = "FORMAT", default_value = "yaml", value_parser = machine_format)]
    pub output: Format,
}
