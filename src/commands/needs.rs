//! The rights that rules and `ExchangeRate`s need, from wherever they are: what `deploy` and `rbac` share.

use std::{
    collections::BTreeSet,
    io::{self, Read as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{CommandError, rates::placed};
use crate::{
    api::{CopyratorRule, ExchangeRate, Kind, manifest},
    cli::{Part, PartFlags},
    copy::{ClusterRules, RuleNeeds, any_rules},
    output::{Palette, Streams, escape_line, write_warning},
    rates::{ClusterRates, Latitude, any_rates, rates_of_cluster, rates_of_files},
    reconcile::{Cluster, Manner, Pace, Permissions},
};

/// The rights that rules and `ExchangeRate`s need.
#[derive(Debug, Default)]
pub struct Needs {
    /// The rights.
    pub permissions: Permissions,
    /// Why some are wider than the objects that are meant.
    pub widths: Vec<String>,
    /// What can't be used, and so needs nothing.
    pub unusable: Vec<String>,
}

/// Rules and `ExchangeRate`s from files.
#[derive(Debug, Default)]
pub struct Files {
    rules: Vec<CopyratorRule>,
    rates: Vec<ExchangeRate>,
}

impl Needs {
    /// What the rules and `ExchangeRate`s of a cluster need.
    pub async fn of_cluster<C: Cluster>(
        cluster: &C,
        pace: &Pace,
        flags: &PartFlags,
        manner: Manner,
    ) -> Result<Self, CommandError> {
        let mut needs = Self::default();
        if flags.only.contains(&Part::Rules) {
            let names: BTreeSet<Arc<str>> =
                flags.rules.iter().map(|name| (&**name).into()).collect();
            let read = ClusterRules::read(cluster, pace, &names).await?;
            needs.add_rules(RuleNeeds::of_cluster(&read.rules, manner));
            needs.cannot_use("rule", &read.unusable);
        }
        if flags.only.contains(&Part::Rates) {
            let read = ClusterRates::read(cluster, pace).await?;
            let rates = rates_of_cluster(&read.rates, latitude(flags, manner));
            needs.permissions.extend(rates);
            needs.cannot_use("exchangerate", &read.unusable);
        }
        Ok(needs)
    }

    /// What the rules and `ExchangeRate`s of files need. A controller reads the cluster, so for one they are
    /// those that are about to be there.
    pub fn of_files(files: &Files, flags: &PartFlags, manner: Manner) -> Self {
        let mut needs = Self::default();
        let latitude = latitude(flags, manner);
        if !files.rules.is_empty() {
            needs.add_rules(match manner {
                Manner::Once => RuleNeeds::of_files(&files.rules, manner),
                Manner::Watching => RuleNeeds::of_cluster(&files.rules, manner),
            });
        }
        if !files.rates.is_empty() {
            needs.permissions.extend(match manner {
                Manner::Once => rates_of_files(&files.rates, latitude),
                Manner::Watching => rates_of_cluster(&files.rates, latitude),
            });
        }
        needs
    }

    fn add_rules(&mut self, rules: RuleNeeds) {
        self.permissions.extend(rules.permissions);
        let widths = rules.widths.iter();
        self.widths.extend(widths.map(ToString::to_string));
        self.cannot_use("rule", &rules.unusable);
    }

    fn cannot_use<N: AsRef<str>>(&mut self, noun: &str, unusable: &[(N, String)]) {
        let told = unusable.iter().map(|(name, problem)| {
            let name = name.as_ref();
            format!("{noun} {name} can't be used, so nothing is granted for it: {problem}")
        });
        self.unusable.extend(told);
    }

    /// Tells on standard error what a person should know of the rights.
    pub fn explain(&self, streams: &mut Streams, palette: Palette) -> io::Result<()> {
        for problem in &self.unusable {
            write_warning(streams, problem, palette)?;
        }
        for width in &self.widths {
            writeln!(streams.err, "note: {}", escape_line(width))?;
        }
        Ok(())
    }
}

impl Files {
    /// Reads files. `ExchangeRate`s that name no namespace are in the default one.
    pub fn read(
        paths: &[PathBuf],
        only: &[Part],
        default_namespace: &str,
    ) -> Result<Self, CommandError> {
        let input = standard_input(paths)?;
        let mut files = Self::default();
        if only.contains(&Part::Rules) {
            files.rules = objects(paths, &input, only)?;
        }
        if only.contains(&Part::Rates) {
            files.rates = placed(objects(paths, &input, only)?, default_namespace)?;
        }
        if files.rules.is_empty() && files.rates.is_empty() {
            let names: Vec<String> = paths
                .iter()
                .map(|path| path.display().to_string())
                .collect();
            return Err(CommandError::Arguments(format!(
                "{}: no CopyratorRule or ExchangeRate found; give a file that has one",
                names.join(", ")
            )));
        }
        Ok(files)
    }
}

/// Which objects of one kind the files have; of the only kind that is asked for, at least one.
fn objects<K: Kind>(
    paths: &[PathBuf],
    mut input: &[u8],
    only: &[Part],
) -> Result<Vec<K>, CommandError> {
    let loaded = match only {
        [_] => manifest::load(paths, &mut input),
        _ => manifest::load_any(paths, &mut input),
    };
    let loaded = loaded.map_err(CommandError::Manifests)?;
    Ok(loaded.into_iter().map(|object| object.item).collect())
}

/// The standard input, which can be read only once, if a file is it.
fn standard_input(paths: &[PathBuf]) -> Result<Vec<u8>, CommandError> {
    let mut input = Vec::new();
    if paths.iter().any(|path| path == Path::new("-")) {
        let limit = manifest::MAX_BYTES as u64 + 1;
        io::stdin().take(limit).read_to_end(&mut input)?;
    }
    Ok(input)
}

/// What all rules and `ExchangeRate`s may need that may come to the cluster.
pub fn of_any(flags: &PartFlags, manner: Manner) -> Permissions {
    let mut permissions = Permissions::default();
    if flags.only.contains(&Part::Rules) {
        permissions.extend(any_rules(manner));
    }
    if flags.only.contains(&Part::Rates) {
        permissions.extend(any_rates(latitude(flags, manner)));
    }
    permissions
}

fn latitude(flags: &PartFlags, manner: Manner) -> Latitude {
    Latitude {
        manner,
        secrets: flags.allow_secrets,
    }
}
