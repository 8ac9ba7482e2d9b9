//! A name that the kubeconfig doesn't know, and the ones that it does.

use std::fmt;

use super::{error::paths, kubeconfig::Files};

/// How similar two names must be for one to be meant by the other.
const SIMILAR: f64 = 0.8;

/// Something that the kubeconfig doesn't hold.
#[derive(Debug, thiserror::Error)]
pub struct Unknown {
    kind: &'static str,
    name: String,
    known: Vec<String>,
    place: String,
}

impl Unknown {
    /// A `kind` called `name`, which is not one of `known`.
    pub fn new<'a>(
        kind: &'static str,
        name: &str,
        known: impl Iterator<Item = &'a String>,
        files: &Files,
    ) -> Self {
        let place = match files.read.as_slice() {
            [] if files.missing.is_empty() => "; there is no kubeconfig".to_owned(),
            [] => format!("; there is no kubeconfig at {}", paths(&files.missing)),
            read => format!(" in {}", paths(read)),
        };
        Self {
            kind,
            name: name.to_owned(),
            known: known.cloned().collect(),
            place,
        }
    }

    fn nearest(&self) -> Option<&String> {
        let similarity = |known: &String| strsim::jaro_winkler(known, &self.name);
        let mut similar: Vec<_> = self
            .known
            .iter()
            .map(|name| (similarity(name), name))
            .collect();
        similar.sort_by(|left, right| right.0.total_cmp(&left.0));
        similar
            .first()
            .filter(|best| best.0 > SIMILAR)
            .map(|best| best.1)
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kind, name, place, ..
        } = self;
        write!(formatter, "{kind} {name:?} does not exist{place}")?;
        if let Some(nearest) = self.nearest() {
            write!(formatter, ", did you mean {nearest:?}?")?;
        }
        if !self.known.is_empty() {
            write!(formatter, " ({kind}s: {})", self.known.join(", "))?;
        }
        Ok(())
    }
}
