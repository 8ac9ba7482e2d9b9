//! The arguments of `kubectl copyrator crd`.

use std::time::Duration;

use clap::{ArgAction, Args, Subcommand};

use super::values::{dry_run, machine_format, timeout};
use crate::output::{DryRun, Format};

/// Install, remove or show the definitions of the custom resources.
///
/// The custom resources of kubectl-copyrator, CopyratorRule and ExchangeRate, have to be defined in a
/// cluster once, by somebody with the right to do so, before objects of them can be kept there.
#[derive(Args, Clone, Debug)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:
  # Define the custom resources in the cluster
  kubectl copyrator crd install

  # See what that would apply
  kubectl copyrator crd print

  # Remove them, and all objects of them
  kubectl copyrator crd uninstall"
)]
pub struct CrdArguments {
    /// What to do with the definitions.
    #[command(subcommand)]
    pub command: CrdCommand,
}

/// What to do with the definitions.
#[derive(Subcommand, Clone, Debug)]
pub enum CrdCommand {
    /// Define the custom resources in the cluster, or bring their definitions up to date.
    Install(InstallArguments),
    /// Remove the definitions from the cluster, and with them all objects of the custom resources.
    Uninstall(UninstallArguments),
    /// Print the definitions that install would apply.
    Print(PrintArguments),
}

/// Define the custom resources in the cluster, or bring their definitions up to date.
///
/// A definition that is as it should be is left alone, an older one is updated in place, and the
/// objects stay as they are. A newer one, and one that kubectl-copyrator didn't make, are
/// refused unless --force is given. Then waits until the API server serves the custom resources.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  # Define the custom resources, and wait until they can be used
  kubectl copyrator crd install

  # Only look whether they are there and up to date: exit code 0 if so, 1 if not
  kubectl copyrator crd install --check

  # Let the API server check the change without making it
  kubectl copyrator crd install --dry-run=server

  # Go back to the schemas of this version of kubectl-copyrator
  kubectl copyrator crd install --force")]
pub struct InstallArguments {
    /// Change nothing; fail if a definition is missing, older or not established.
    #[arg(long, conflicts_with_all = ["force", "dry_run"])]
    pub check: bool,
    /// Replace newer definitions too, and those that kubectl-copyrator didn't make.
    #[arg(long)]
    pub force: bool,
    /// How long to wait until the custom resources are served; 0 looks once and doesn't wait.
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = timeout)]
    pub timeout: Duration,
    /// Only print what would be done (client), or let the API server check it as well (server).
    #[arg(
        long, value_name = "MODE", default_value = "none", default_missing_value = "client",
        num_args = 0..=1, require_equals = true, value_parser = dry_run
    )]
    pub dry_run: DryRun,
}

/// Remove the definitions from the cluster, and with them all objects of the custom resources.
///
/// Says first what will be lost, and asks. The copies that CopyratorRules made stay in the
/// cluster; to remove those too, run `kubectl copyrator prune --all` before. The ConfigMaps that
/// ExchangeRates made are deleted with them.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  # Remove the definitions and all objects of them, after a question
  kubectl copyrator crd uninstall

  # The same in a script, where nobody can be asked
  kubectl copyrator crd uninstall --yes

  # Only see what would be lost
  kubectl copyrator crd uninstall --dry-run

  # Remove the copies too
  kubectl delete copyratorrules --all
  kubectl copyrator sync
  kubectl copyrator crd uninstall")]
pub struct UninstallArguments {
    /// Delete without asking.
    #[arg(long, short)]
    pub yes: bool,
    /// Delete definitions too that kubectl-copyrator didn't make.
    #[arg(long)]
    pub force: bool,
    /// Wait until the definitions and all of their objects are gone.
    #[arg(
        long, value_name = "BOOL", default_value_t = true, default_missing_value = "true",
        num_args = 0..=1, require_equals = true, action = ArgAction::Set
    )]
    pub wait: bool,
    /// How long to wait; 0 looks once.
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = timeout)]
    pub timeout: Duration,
    /// Only print what would be done (client), or let the API server check it as well (server).
    #[arg(
        long, value_name = "MODE", default_value = "none", default_missing_value = "client",
        num_args = 0..=1, require_equals = true, value_parser = dry_run
    )]
    pub dry_run: DryRun,
}

/// Print the definitions that install would apply.
///
/// Needs no cluster. For a cluster whose definitions are kept by other means, such as manifests in git.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  # See the definitions
  kubectl copyrator crd print

  # Compare them with those of the cluster
  kubectl copyrator crd print | kubectl diff -f -

  # Keep them in a file, as JSON
  kubectl copyrator crd print -o json > crds.json")]
pub struct PrintArguments {
    /// The format: yaml or json.
    #[arg(long, short, value_name = "FORMAT", default_value = "yaml", value_parser = machine_format)]
    pub output: Format,
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        arguments: CrdArguments,
    }

    fn parsed(arguments: &str) -> Result<CrdCommand, clap::Error> {
        let arguments = std::iter::once("crd").chain(arguments.split(' '));
        Program::try_parse_from(arguments).map(|program| program.arguments.command)
    }

    #[test]
    fn dry_run_is_spelled_as_in_kubectl() {
        for (arguments, expected) in [
            ("install", DryRun::None),
            ("install --dry-run", DryRun::Client),
            ("install --dry-run=client", DryRun::Client),
            ("install --dry-run=server", DryRun::Server),
        ] {
            let Ok(CrdCommand::Install(install)) = parsed(arguments) else {
                panic!("{arguments}")
            };
            assert_eq!(install.dry_run, expected, "{arguments}");
        }
    }

    #[test]
    fn waiting_can_be_turned_off() {
        for (arguments, expected) in [
            ("uninstall", true),
            ("uninstall --wait", true),
            ("uninstall --wait=false -y", false),
        ] {
            let Ok(CrdCommand::Uninstall(uninstall)) = parsed(arguments) else {
                panic!("{arguments}")
            };
            assert_eq!(uninstall.wait, expected, "{arguments}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for arguments in [
            "install --check --force",
            "install --check --dry-run",
            "install --dry-run=perhaps",
            "install --timeout=60q",
            "print -o wide",
        ] {
            assert!(parsed(arguments).is_err(), "{arguments}");
        }
    }

    #[test]
    fn every_help_has_examples() {
        for arguments in [
            "--help",
            "install --help",
            "uninstall --help",
            "print --help",
        ] {
            let help = parsed(arguments).unwrap_err().to_string();
            assert!(help.contains("Examples:\n  # "), "{help}");
        }
    }
}
