//! The arguments of `kubectl copyrator rbac`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{part_flags::PartFlags, values::machine_format};
use crate::output::Format;

const EXAMPLES: &str = "\
Examples:
  # Print the smallest roles for a controller with the rules and ExchangeRates of the cluster
  kubectl copyrator rbac

  # Those for one run of sync with the rules of some files, bound to the account of a pipeline
  kubectl copyrator rbac --for=sync -f rules/ --service-account=ci/deployer

  # Look whether that account has all of these rights: exit code 0 if so, 1 if not
  kubectl copyrator rbac --for=sync -f rules/ --check --as=system:serviceaccount:ci:deployer";

/// Print the smallest roles that rules and ExchangeRates need, or check somebody's rights.
///
/// What a rule names exactly needs rights to exactly that. Where a rule has a glob or a selector, rights
/// have to be wider: standard error then tells which field of which rule is the reason.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct RbacArguments {
    /// Rules and ExchangeRates from a file, a directory or, with -, standard input, in place of those in the
    /// cluster; repeat the flag for several.
    #[arg(short, long, value_name = "FILE", conflicts_with = "rules")]
    pub filename: Vec<PathBuf>,
    /// What is done.
    #[command(flatten)]
    pub parts: PartFlags,
    /// Who needs the rights: whoever runs sync or rates refresh once (sync), or a controller.
    #[arg(long = "for", value_enum, value_name = "sync|controller", default_value_t = Runner::Controller)]
    pub runner: Runner,
    /// Bind the roles to this service account.
    #[arg(long, value_name = "NAMESPACE/NAME", value_parser = account)]
    pub service_account: Option<(String, String)>,
    /// The name of the roles. [default: kubectl-copyrator, which are those of deploy; or, with a service
    /// account of another name, copyrator-NAMESPACE-NAME]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// The Lease by which the controller's pods agree which of them works.
    #[arg(long, value_name = "NAME", default_value = "kubectl-copyrator")]
    pub lease_name: String,
    /// Ask the API server whether you, or whom --as names, have these rights; fail if one is missing.
    #[arg(long, conflicts_with_all = ["output", "service_account"])]
    pub check: bool,
    /// The format: yaml or json.
    #[arg(long, short, value_name = "FORMAT", default_value = "yaml", value_parser = machine_format)]
    pub output: Format,
}

/// Who needs rights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Runner {
    /// Whoever runs once.
    Sync,
    /// A controller.
    Controller,
}

fn account(text: &str) -> Result<(String, String), String> {
    let parts = text.split_once('/').or_else(|| text.split_once(':'));
    match parts {
        Some((namespace, name)) if !namespace.is_empty() && !name.is_empty() => {
            Ok((namespace.to_owned(), name.to_owned()))
        }
        _ => Err("it must be NAMESPACE/NAME, such as ci/deployer".to_owned()),
    }
}
