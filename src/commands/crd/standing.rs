//! How an installed definition stands to ours, and what may be done about it.

use super::CrdError;
use crate::{
    api::SCHEMA_REVISION,
    cluster::{InstalledDefinition, WantedDefinition},
};

/// How the age of an installed definition compares with ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Age {
    /// It has a smaller revision, or lost the annotation that tells.
    Older,
    /// It has our revision.
    Same,
    /// It has a greater revision, or one that only a later program can read.
    Newer,
}

/// Reads the annotation with the revision.
pub fn age(revision: Option<&str>) -> Age {
    let Some(revision) = revision else {
        return Age::Older;
    };
    match revision.parse::<u32>() {
        Ok(revision) if revision < SCHEMA_REVISION => Age::Older,
        Ok(SCHEMA_REVISION) => Age::Same,
        _ => Age::Newer,
    }
}

/// Whether ours may take the place of the installed definition.
pub fn may_replace(
    wanted: &WantedDefinition,
    installed: &InstalledDefinition,
    force: bool,
) -> Result<(), CrdError> {
    let key = || wanted.key().clone();
    if force {
        Ok(())
    } else if !installed.is_ours() {
        Err(CrdError::Foreign {
            key: key(),
            verb: "replace",
        })
    } else if age(installed.schema_revision()) == Age::Newer {
        let found = installed.schema_revision().unwrap_or_default().to_owned();
        Err(CrdError::Newer { key: key(), found })
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_annotation_tells_the_age() {
        let ours = SCHEMA_REVISION.to_string();
        let newer = (SCHEMA_REVISION + 1).to_string();
        assert_eq!(age(Some(&ours)), Age::Same);
        assert_eq!(age(Some(&newer)), Age::Newer);
        assert_eq!(age(Some("0")), Age::Older);
    }

    #[test]
    fn a_lost_annotation_is_old_and_an_unreadable_one_new() {
        assert_eq!(age(None), Age::Older);
        assert_eq!(age(Some("99999999999999999999")), Age::Newer);
        assert_eq!(age(Some("2-beta")), Age::Newer);
    }
}
