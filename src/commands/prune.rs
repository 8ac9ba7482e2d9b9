//! `prune`: removes copies.

use std::{collections::BTreeSet, sync::Arc};

use tokio_util::sync::CancellationToken;

use super::{
    CommandError,
    copies::{load, named_set, names, set},
    limit::Limit,
    writing::Writing,
};
use crate::{
    cli::{KubeFlags, PruneArgs},
    cluster::Connection,
    copy::{Copies, RULES, RuleSource, collections},
    exit::Ending,
    output::{ReportKind, Streams},
    reconcile::{
        Depth, Extent, Finding, Loaded, Options, Owner, Removal, Reporter, SetName, Severity,
    },
};

/// Runs `prune`.
pub async fn run(
    arguments: &PruneArgs,
    kube: &KubeFlags,
    streams: &mut Streams,
    cancellation: &CancellationToken,
) -> Result<Ending, CommandError> {
    let rules = rules(arguments)?;
    let limit = Limit::new(&arguments.write, cancellation);
    let connection = limit.connect(kube).await?;
    match rules {
        None => prune_unwanted(arguments, connection, &limit, kube, streams).await,
        Some((set, rules)) => {
            let writing = Writing {
                domain: &mut Removal::new(&RULES, collections(), set.clone(), rules),
                options: options(arguments),
                report: ReportKind::Sync,
                reading: "reading copies",
                flags: &arguments.write,
            };
            let remark = |removal: &Removal, reporter: &mut dyn Reporter| {
                for rule in removal.without_objects() {
                    reporter.finding(no_copies(&set, rule));
                }
            };
            writing.run(connection, &limit, kube, streams, remark).await
        }
    }
}

/// Whose copies are removed on purpose: the set, and its rules. None where only those go that nobody
/// wants.
type OnPurpose = (SetName, Loaded);

fn rules(arguments: &PruneArgs) -> Result<Option<OnPurpose>, CommandError> {
    let rules = &arguments.rules;
    let set_of_names = || named_set(rules).unwrap_or_else(SetName::cluster);
    match (rules.rules.is_empty(), rules.filename.is_empty(), arguments.all) {
        (true, true, true) => Ok(Some((set_of_names(), Loaded::WholeSet))),
        (false, true, false) => Ok(Some((set_of_names(), only(names(rules))))),
        (true, false, false) => {
            let loaded = load(rules)?;
            let names = loaded.iter().filter_map(|rule| rule.metadata.name.as_deref());
            Ok(Some((set(rules), only(names.map(Arc::from)))))
        }
        (true, true, false) if rules.set.is_some() => Err(CommandError::Arguments(
            "which rules of a set from files exist is told by the files alone: give rules by name, \
             files with -f, or --all"
                .to_owned(),
        )),
        (true, true, false) => Ok(None),
        _ => Err(CommandError::Arguments(
            "--all is about all rules; leave out the others".to_owned(),
        )),
    }
}

fn only(names: impl IntoIterator<Item = Arc<str>>) -> Loaded {
    Loaded::Only(names.into_iter().map(|name| (None, name)).collect())
}

async fn prune_unwanted(
    arguments: &PruneArgs,
    connection: Connection,
    limit: &Limit,
    kube: &KubeFlags,
    streams: &mut Streams,
) -> Result<Ending, CommandError> {
    let names = BTreeSet::new();
    let writing = Writing {
        domain: &mut Copies::new(RuleSource::Cluster { names }, true),
        options: options(arguments),
        report: ReportKind::Sync,
        reading: "reading rules, namespaces and copies",
        flags: &arguments.write,
    };
    writing
        .run(connection, limit, kube, streams, |_, _| ())
        .await
}

fn options(arguments: &PruneArgs) -> Options {
    Options {
        parallelism: arguments.rules.parallelism.into(),
        depth: Depth::Metadata,
        extent: Extent::OnlyPrune,
        fail_fast: arguments.write.fail_fast,
        check_rights: true,
    }
}

fn no_copies(set: &SetName, rule: Owner) -> Finding {
    Finding {
        severity: Severity::Warning,
        owner: Some(rule),
        message: format!(
            "no copy of it was found in set {set} that could be removed; --set names another set"
        ),
        cause: None,
    }
}
