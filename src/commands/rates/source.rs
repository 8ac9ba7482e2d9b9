//! Which `ExchangeRate`s the arguments mean.

use std::{collections::BTreeSet, io, sync::Arc};

use crate::{
    api::{ExchangeRate, manifest},
    cli::{ReconcileFlags, rates::RateFlags},
    commands::CommandError,
    rates::RateSource,
    reconcile::{Namespace, SetName},
};

/// The `ExchangeRate`s of the arguments, as far as they are known without a cluster.
pub enum Given {
    /// Those of the cluster.
    Cluster,
    /// Those of files, some perhaps without a namespace.
    Files(Vec<ExchangeRate>),
}

/// Reads the files of the arguments, and refuses flags that don't fit together, before anything is asked of
/// a cluster.
pub fn given(flags: &RateFlags, reconcile: &ReconcileFlags) -> Result<Given, CommandError> {
    if flags.filename.is_empty() {
        needs_files("--set", flags.set.is_some())?;
        needs_files("--prune-set", reconcile.prune_set)?;
        return Ok(Given::Cluster);
    }
    if reconcile.prune_set && !reconcile.prune {
        return Err(CommandError::Arguments(
            "--prune-set and --prune=false contradict each other; leave one of them out".to_owned(),
        ));
    }
    Ok(Given::Files(load(flags)?))
}

fn needs_files(flag: &str, given: bool) -> Result<(), CommandError> {
    if !given {
        return Ok(());
    }
    Err(CommandError::Arguments(format!(
        "{flag} is about ExchangeRates from files; give them with -f"
    )))
}

/// The `ExchangeRate`s of the files.
pub fn load(flags: &RateFlags) -> Result<Vec<ExchangeRate>, CommandError> {
    let loaded = manifest::load(&flags.filename, &mut io::stdin());
    let loaded = loaded.map_err(CommandError::Manifests)?;
    Ok(loaded.into_iter().map(|rate| rate.item).collect())
}

/// The set that `ExchangeRate`s from files belong to.
pub fn set(flags: &RateFlags) -> SetName {
    let name = flags.set.as_deref();
    name.map_or_else(SetName::files, |name| SetName::from(Arc::from(name)))
}

/// The namespace that is worked on; none for all of them.
pub fn namespace(flags: &RateFlags, default: &str) -> Option<Namespace> {
    (!flags.all_namespaces).then(|| Namespace::from(default))
}

impl Given {
    /// Where they come from, once the namespace is known that the flags or the context name.
    pub fn source(
        self,
        flags: &RateFlags,
        whole: bool,
        default_namespace: &str,
    ) -> Result<RateSource, CommandError> {
        let names = flags.names.iter().map(|name| name.as_str().into());
        Ok(match self {
            Self::Cluster => RateSource::Cluster {
                namespace: namespace(flags, default_namespace),
                names: names.collect(),
            },
            Self::Files(rates) => RateSource::Files {
                rates: placed(rates, default_namespace)?,
                set: set(flags),
                whole,
            },
        })
    }
}

/// With a namespace, as kubectl gives one to an object that names none. Only then is it known whether two
/// of them are one.
pub fn placed(
    mut rates: Vec<ExchangeRate>,
    default_namespace: &str,
) -> Result<Vec<ExchangeRate>, CommandError> {
    let mut places = BTreeSet::new();
    for rate in &mut rates {
        let namespace = rate
            .metadata
            .namespace
            .get_or_insert_with(|| default_namespace.to_owned());
        let place = format!(
            "{namespace}/{}",
            rate.metadata.name.as_deref().unwrap_or_default()
        );
        if !places.insert(place.clone()) {
            return Err(CommandError::Arguments(format!(
                "the files have two ExchangeRates {place}: one names the namespace, the other gets it from \
                 -n or the context; rename one of the two"
            )));
        }
    }
    Ok(rates)
}
