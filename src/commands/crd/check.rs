//! `crd install --check`: looks whether the definitions are there, established and not older.

use super::{
    CrdError,
    errors::Errors,
    patience::Patience,
    standing::{Age, age},
};
use crate::{
    api::SCHEMA_REVISION,
    cluster::{Definitions, InstalledDefinition, WantedDefinition},
    output::{Streams, escape_line},
};

/// Looks at every definition, and fails with all that is wrong.
pub async fn check(
    definitions: &Definitions,
    streams: &mut Streams,
    patience: &Patience<'_>,
) -> Result<(), CrdError> {
    let (mut errors, mut problems) = (Errors::default(), Vec::new());
    for wanted in WantedDefinition::all() {
        let key = wanted.key();
        let found = patience.read(key, definitions.find(key)).await?;
        let found = found.map_err(CrdError::from);
        let Some(found) = errors.unless_failed(streams, found)? else {
            continue;
        };
        match findings(found.as_ref()) {
            Ok(revision) => writeln!(
                streams.out,
                "{key} is installed, with schema revision {}",
                escape_line(&revision)
            )?,
            Err(problem) => problems.push(format!("{key} {problem}")),
        }
    }
    streams.out.flush()?;
    if !problems.is_empty() {
        errors.unless_failed(streams, Err::<(), _>(CrdError::Unready(problems)))?;
    }
    errors.end()
}

/// The revision of a definition that will do, or what is wrong with it.
fn findings(found: Option<&InstalledDefinition>) -> Result<String, String> {
    let found = found.ok_or("is missing")?;
    if found.is_being_deleted() {
        return Err("is being deleted".to_owned());
    }
    if !found.is_ours() {
        return Err("was not made by kubectl-copyrator, so that install needs --force".to_owned());
    }
    let revision = found.schema_revision();
    if age(revision) == Age::Older {
        let revision = revision.unwrap_or("unknown");
        return Err(format!(
            "is older: its schema revision is {revision}, ours {SCHEMA_REVISION}"
        ));
    }
    if !found.has("Established") {
        return Err("is not established".to_owned());
    }
    Ok(revision.unwrap_or_default().to_owned())
}
