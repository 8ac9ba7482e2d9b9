//! What the commands about copies share: rules, and the API server that copies are on.

use std::{collections::BTreeSet, io, sync::Arc};

use tokio::time::Instant;

use crate::{
    api::{CopyratorRule, manifest},
    cli::{ReconcileFlags, RuleFlags},
    cluster::{ApiServer, ApiServerOptions, Connection},
    copy::{Copies, RuleSource},
    reconcile::{Depth, SetName},
};

use super::CommandError;

/// The copies that the rules of the arguments want.
pub fn copies(rules: &RuleFlags, reconcile: &ReconcileFlags) -> Result<Copies, CommandError> {
    Ok(Copies::new(rule_source(rules, reconcile)?, reconcile.prune))
}

/// Where the rules of the arguments come from. Files are read, and refused, before anything is asked of a
/// cluster.
pub fn rule_source(
    rules: &RuleFlags,
    reconcile: &ReconcileFlags,
) -> Result<RuleSource, CommandError> {
    if rules.filename.is_empty() {
        needs_files("--set", rules.set.is_some())?;
        needs_files("--prune-set", reconcile.prune_set)?;
        return Ok(RuleSource::Cluster {
            names: names(rules),
        });
    }
    if reconcile.prune_set && !reconcile.prune {
        return Err(CommandError::Arguments(
            "--prune-set and --prune=false contradict each other; leave one of them out".to_owned(),
        ));
    }
    Ok(RuleSource::Files {
        rules: load(rules)?,
        set: set(rules),
        whole: reconcile.prune_set,
    })
}

fn needs_files(flag: &str, given: bool) -> Result<(), CommandError> {
    if !given {
        return Ok(());
    }
    Err(CommandError::Arguments(format!(
        "{flag} is about rules from files; give them with -f"
    )))
}

/// How much of each copy is read.
pub fn depth(reconcile: &ReconcileFlags) -> Depth {
    if reconcile.verify {
        Depth::Full
    } else {
        Depth::Metadata
    }
}

/// The rules of the files.
pub fn load(rules: &RuleFlags) -> Result<Vec<CopyratorRule>, CommandError> {
    let loaded = manifest::load(&rules.filename, &mut io::stdin());
    let loaded = loaded.map_err(CommandError::Manifests)?;
    Ok(loaded.into_iter().map(|rule| rule.item).collect())
}

/// The set that rules from files belong to.
pub fn set(rules: &RuleFlags) -> SetName {
    named_set(rules).unwrap_or_else(SetName::files)
}

/// The set that was asked for.
pub fn named_set(rules: &RuleFlags) -> Option<SetName> {
    let name = rules.set.as_deref();
    name.map(|name| SetName::from(Arc::from(name)))
}

/// The names of the rules that were asked for.
pub fn names(rules: &RuleFlags) -> BTreeSet<Arc<str>> {
    rules
        .rules
        .iter()
        .map(|name| name.as_str().into())
        .collect()
}

/// The API server of a connection, for copies; `dry_run` says whether writes are only tried, `deadline`
/// when the run's time is up.
pub fn api_server(connection: Connection, dry_run: bool, deadline: Option<Instant>) -> ApiServer {
    let options = ApiServerOptions {
        request_timeout: connection.request_timeout,
        deadline,
        dry_run,
    };
    ApiServer::new(connection.client, options)
}
