//! `rates prune`: removes ConfigMaps of rates on purpose.

use std::{collections::BTreeSet, sync::Arc};

use tokio_util::sync::CancellationToken;

use super::source::{load, namespace, placed, set};
use crate::{
    cli::{KubeFlags, rates::PruneRatesArgs},
    commands::{CommandError, limit::Limit, writing::Writing},
    exit::Ending,
    output::{ReportKind, Streams},
    rates::{EXCHANGE_RATE_OWNERS, RateSource},
    reconcile::{
        Depth, Extent, Finding, Loaded, Options, Owner, Removal, Reporter, SetName, Severity,
    },
};

/// Runs `rates prune`.
pub async fn run(
    arguments: &PruneRatesArgs,
    kube: &KubeFlags,
    streams: &mut Streams,
    cancellation: &CancellationToken,
) -> Result<Ending, CommandError> {
    let whose = whose(arguments)?;
    let limit = Limit::new(&arguments.write, cancellation);
    let connection = limit.connect(kube).await?;
    let mut removal = whose.removal(arguments, &connection.default_namespace)?;
    let writing = Writing {
        domain: &mut removal,
        options: Options {
            parallelism: arguments.rates.parallelism.into(),
            depth: Depth::Metadata,
            extent: Extent::OnlyPrune,
            fail_fast: arguments.write.fail_fast,
            check_rights: true,
        },
        report: ReportKind::Refresh,
        reading: "reading ConfigMaps",
        flags: &arguments.write,
    };
    let remark = |removal: &Removal, reporter: &mut dyn Reporter| {
        for owner in removal.without_objects() {
            reporter.finding(nothing_found(owner));
        }
    };
    writing.run(connection, &limit, kube, streams, remark).await
}

/// Whose ConfigMaps are removed.
enum Whose {
    /// Those of all owners of a set.
    All(SetName),
    /// Those of owners with these names, in the namespace that is worked on.
    Named(SetName, BTreeSet<Arc<str>>),
    /// Those of files.
    Files(Vec<crate::api::ExchangeRate>),
}

fn whose(arguments: &PruneRatesArgs) -> Result<Whose, CommandError> {
    let rates = &arguments.rates;
    let set_of_names = || match rates.set {
        Some(_) => set(rates),
        None => SetName::cluster(),
    };
    match (rates.names.is_empty(), rates.filename.is_empty(), arguments.all) {
        (true, true, true) => Ok(Whose::All(set_of_names())),
        (false, true, false) => {
            let names = rates.names.iter().map(|name| name.as_str().into());
            Ok(Whose::Named(set_of_names(), names.collect()))
        }
        (true, false, false) => Ok(Whose::Files(load(rates)?)),
        (true, true, false) => Err(CommandError::Arguments(
            "name ExchangeRates, give files with -f, or say --all; what no ExchangeRate wants any more \
             is removed by `rates refresh`"
                .to_owned(),
        )),
        _ => Err(CommandError::Arguments(
            "--all is about all ExchangeRates; leave out the others".to_owned(),
        )),
    }
}

impl Whose {
    fn removal(
        self,
        arguments: &PruneRatesArgs,
        default_namespace: &str,
    ) -> Result<Removal, CommandError> {
        let rates = &arguments.rates;
        let namespace = namespace(rates, default_namespace);
        let (source, loaded) = match self {
            Self::All(set) => {
                let loaded = namespace
                    .clone()
                    .map_or(Loaded::WholeSet, Loaded::InNamespace);
                let names = BTreeSet::new();
                let source = RateSource::Cluster { namespace, names };
                return Ok(removal(&source, set, loaded));
            }
            Self::Named(set, names) => {
                let owners = names
                    .iter()
                    .map(|name| (namespace.clone(), Arc::clone(name)));
                let loaded = Loaded::Only(owners.collect());
                let source = RateSource::Cluster { namespace, names };
                return Ok(removal(&source, set, loaded));
            }
            Self::Files(all) => {
                let source = RateSource::Files {
                    rates: placed(all, default_namespace)?,
                    set: set(rates),
                    whole: false,
                };
                let loaded = source.loaded();
                (source, loaded)
            }
        };
        Ok(removal(&source, source.set(), loaded))
    }
}

fn removal(source: &RateSource, set: SetName, owners: Loaded) -> Removal {
    Removal::new(&EXCHANGE_RATE_OWNERS, source.collections(), set, owners)
}

fn nothing_found(owner: Owner) -> Finding {
    let message = format!(
        "no ConfigMap of it was found in set {} that could be removed; --set names another set",
        owner.set
    );
    Finding {
        severity: Severity::Warning,
        owner: Some(owner),
        message,
        cause: None,
    }
}
