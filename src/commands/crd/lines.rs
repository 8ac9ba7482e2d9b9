//! The result lines about definitions, as kubectl words them.

use crate::{output::DryRun, reconcile::ObjectKey};

/// What became of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is new.
    Created,
    /// It was brought up to date.
    Configured,
    /// It was as it should be.
    Unchanged,
}

impl Change {
    const fn word(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Configured => "configured",
            Self::Unchanged => "unchanged",
        }
    }

    /// What was done to the definition, in a sentence about something else.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Created => "it was created, and stays",
            Self::Configured => "it was configured, and stays so",
            Self::Unchanged => "it was not changed",
        }
    }
}

/// `resource/name created`.
pub fn changed(key: &ObjectKey, change: Change, dry_run: DryRun) -> String {
    format!("{key} {}{}", change.word(), dry_run.suffix())
}

/// `resource "name" deleted`.
pub fn deleted(key: &ObjectKey, dry_run: DryRun) -> String {
    format!("{} deleted{}", quoted(key), dry_run.suffix())
}

/// `resource "name" not found`.
pub fn not_found(key: &ObjectKey) -> String {
    format!("{} not found", quoted(key))
}

fn quoted(key: &ObjectKey) -> String {
    format!("{} \"{}\"", key.resource.qualified_singular(), key.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::WantedDefinition;

    #[test]
    fn the_lines_are_those_of_kubectl() {
        let wanted = WantedDefinition::all().remove(0);
        let key = wanted.key();
        assert_eq!(
            changed(key, Change::Created, DryRun::Server),
            "customresourcedefinition.apiextensions.k8s.io/copyratorrules.copyrator.dev created (server dry run)"
        );
        assert_eq!(
            deleted(key, DryRun::None),
            "customresourcedefinition.apiextensions.k8s.io \"copyratorrules.copyrator.dev\" deleted"
        );
        assert_eq!(
            not_found(key),
            "customresourcedefinition.apiextensions.k8s.io \"copyratorrules.copyrator.dev\" not found"
        );
    }
}
