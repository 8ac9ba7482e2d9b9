//! `crd install --check`: says whether the definitions are installed, and changes nothing.

use super::run::KIND;
use crate::{
    api::{SCHEMA_REVISION, custom_resource_definitions},
    cluster::{Definitions, Existing, Readiness, Standing},
    commands::CommandError,
    exit::Ending,
    output::Streams,
};

const INSTALL: &str = "run: kubectl copyrator crd install";

pub(super) async fn run(
    definitions: &Definitions,
    streams: &mut Streams,
) -> Result<Ending, CommandError> {
    let mut ending = Ending::Done;
    for wanted in custom_resource_definitions() {
        let name = wanted.metadata.name.as_deref().unwrap_or_default();
        let existing = definitions.get(name).await?;
        let problem = match &existing {
            Some(existing) => problem(existing),
            None => Some(format!("not installed; {INSTALL}")),
        };
        if let Some(problem) = problem {
            writeln!(streams.out, "{KIND}/{name} {problem}")?;
            ending = Ending::Unfinished;
        } else {
            writeln!(streams.out, "{KIND}/{name} installed")?;
        }
    }
    streams.out.flush()?;
    Ok(ending)
}

fn problem(existing: &Existing) -> Option<String> {
    let of_standing = match existing.standing() {
        Standing::Foreign { .. } => Some(format!(
            "not ours: it lacks the label app.kubernetes.io/managed-by=kubectl-copyrator; \
             look at it, then {INSTALL} --force"
        )),
        Standing::Older(installed) => Some(format!(
            "outdated: schema revision {installed}, needed is {SCHEMA_REVISION}; {INSTALL}"
        )),
        Standing::Same | Standing::Newer(_) => None,
    };
    of_standing.or_else(|| match existing.readiness() {
        Readiness::Established => None,
        Readiness::Pending => Some(format!("not established yet; to wait for it, {INSTALL}")),
        Readiness::NamesRefused(message) => Some(format!(
            "not established: its names are refused: {message}; delete the other definition"
        )),
        Readiness::Terminating => Some(format!("being deleted; when it is gone, {INSTALL}")),
    })
}
