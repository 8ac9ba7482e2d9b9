//! `crd install`: makes the definitions, or brings them up to date, and waits until they are served.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::{
    CrdError,
    check::check,
    errors::Errors,
    lines::{self, Change},
    patience::{Goal, Look, Patience},
    standing::may_replace,
};
use crate::{
    cli::crd::InstallArguments,
    cluster::{Definitions, InstalledDefinition, WantedDefinition},
    output::{DryRun, Streams},
    reconcile::{ApiError, Failure},
};

/// How long the API server may take to see that names are free again: right after another definition
/// was deleted, it still refuses them.
const VERDICTS_SETTLE: Duration = Duration::from_secs(5);

/// How often a definition is looked at again when somebody else was quicker.
const ATTEMPTS: usize = 10;

struct Installation<'a> {
    definitions: &'a Definitions,
    arguments: &'a InstallArguments,
    patience: Patience<'a>,
}

/// Runs `crd install`.
pub async fn install(
    definitions: &Definitions,
    arguments: &InstallArguments,
    streams: &mut Streams,
    cancellation: &CancellationToken,
) -> Result<(), CrdError> {
    let patience = Patience::new(arguments.timeout, cancellation);
    if arguments.check {
        return check(definitions, streams, &patience).await;
    }
    let installation = Installation {
        definitions,
        arguments,
        patience,
    };
    let (mut errors, mut changes) = (Errors::default(), Vec::new());
    for wanted in WantedDefinition::all() {
        let applied = installation.apply(streams, &wanted).await;
        let Some(change) = errors.unless_failed(streams, applied)? else {
            continue;
        };
        let line = lines::changed(wanted.key(), change, arguments.dry_run);
        writeln!(streams.out, "{line}")?;
        streams.out.flush()?;
        changes.push((wanted, change));
    }
    if arguments.dry_run == DryRun::None {
        for (wanted, change) in &changes {
            let served = installation.wait_until_served(streams, wanted, *change);
            let served = served.await;
            errors.unless_failed(streams, served)?;
        }
    }
    errors.end()
}

impl Installation<'_> {
    /// Brings one definition in step, from what is there: again when that changes meanwhile.
    async fn apply(
        &self,
        streams: &mut Streams,
        wanted: &WantedDefinition,
    ) -> Result<Change, CrdError> {
        let mut attempts = 1..ATTEMPTS;
        loop {
            let installed = self.find(streams, wanted).await?;
            match self.replace(wanted, installed).await {
                Err(CrdError::Api(error)) if was_overtaken(&error) && attempts.next().is_some() => {
                }
                applied => return applied,
            }
        }
    }

    /// What is there, once nothing of it is being deleted any more.
    async fn find(
        &self,
        streams: &mut Streams,
        wanted: &WantedDefinition,
    ) -> Result<Option<InstalledDefinition>, CrdError> {
        let key = wanted.key();
        let found = self
            .patience
            .read(key, self.definitions.find(key))
            .await??;
        if !found
            .as_ref()
            .is_some_and(InstalledDefinition::is_being_deleted)
        {
            return Ok(found);
        }
        let goal = Goal {
            goal: format!("the deletion of {key} that somebody began"),
            done: "it was not changed".to_owned(),
        };
        let look = async || {
            let found = self.definitions.find(key).await?;
            Ok(match found {
                Some(found) if found.is_being_deleted() => Look::NotYet(still_deleting(&found)),
                found => Look::Ready(found),
            })
        };
        self.patience.wait(streams, goal, look).await
    }

    async fn replace(
        &self,
        wanted: &WantedDefinition,
        installed: Option<InstalledDefinition>,
    ) -> Result<Change, CrdError> {
        let only_check = self.arguments.dry_run == DryRun::Server;
        let sends = self.arguments.dry_run != DryRun::Client;
        let Some(installed) = installed else {
            if sends {
                self.patience.allow(wanted.key())?;
                self.definitions.create(wanted, only_check).await?;
            }
            return Ok(Change::Created);
        };
        may_replace(wanted, &installed, self.arguments.force)?;
        if installed.equals(wanted) {
            return Ok(Change::Unchanged);
        }
        if sends {
            self.patience.allow(wanted.key())?;
            let updated = self
                .definitions
                .update(wanted, &installed, only_check)
                .await?;
            return Ok(if updated {
                Change::Configured
            } else {
                Change::Unchanged
            });
        }
        Ok(Change::Configured)
    }

    async fn wait_until_served(
        &self,
        streams: &mut Streams,
        wanted: &WantedDefinition,
        change: Change,
    ) -> Result<(), CrdError> {
        let goal = Goal {
            goal: format!("{} to be served", wanted.key()),
            done: change.sentence().to_owned(),
        };
        let look = async || {
            let found = self.definitions.find(wanted.key()).await?;
            match why_not_established(wanted, found.as_ref()) {
                Err(refusal @ CrdError::NamesTaken { .. })
                    if self.patience.elapsed() < VERDICTS_SETTLE =>
                {
                    return Ok(Look::NotYet(refusal.to_string()));
                }
                Err(error) => return Err(error),
                Ok(Some(why)) => return Ok(Look::NotYet(why)),
                Ok(None) => (),
            }
            Ok(if self.definitions.is_served(wanted).await? {
                Look::Ready(())
            } else {
                Look::NotYet("the API server doesn't know it yet".to_owned())
            })
        };
        self.patience.wait(streams, goal, look).await
    }
}

/// What still keeps a definition from being established; an error if only a person can help.
fn why_not_established(
    wanted: &WantedDefinition,
    installed: Option<&InstalledDefinition>,
) -> Result<Option<String>, CrdError> {
    let Some(installed) = installed else {
        return Ok(Some("it was deleted meanwhile".to_owned()));
    };
    if installed.is_being_deleted() {
        return Ok(Some("it is being deleted".to_owned()));
    }
    let names = installed.condition("NamesAccepted");
    if let Some(refused) = names.filter(|names| names.status == "False") {
        return Err(CrdError::NamesTaken {
            key: wanted.key().clone(),
            message: refused.message.to_owned(),
        });
    }
    let missing = ["NamesAccepted", "Established"]
        .into_iter()
        .find(|condition| !installed.has(condition));
    Ok(missing.map(|condition| format!("its condition {condition} isn't True yet")))
}

/// What the API server says about a deletion that goes on.
pub(super) fn still_deleting(installed: &InstalledDefinition) -> String {
    match installed.condition("Terminating") {
        Some(terminating) if !terminating.message.is_empty() => terminating.message.to_owned(),
        _ => "it is still being deleted".to_owned(),
    }
}

/// Whether somebody else wrote between our look and our write.
fn was_overtaken(error: &ApiError) -> bool {
    matches!(
        error.failure,
        Failure::AlreadyExists(_) | Failure::Conflict(_) | Failure::NotFound(_)
    )
}
