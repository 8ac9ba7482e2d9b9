//! `crd uninstall`: says what is lost, asks, deletes the definitions and waits until they are gone.

use std::io;

use tokio_util::sync::CancellationToken;

use super::{
    CrdError,
    confirm::{ask, can_ask},
    consequence::{CopyCounts, Objects, consequence},
    install::still_deleting,
    lines,
    patience::{Goal, Look, Patience},
};
use crate::{
    cli::crd::UninstallArguments,
    cluster::{Definitions, InstalledDefinition, WantedDefinition},
    copy::RULES,
    output::{DryRun, Streams, escape},
    reconcile::{
        ApiError, CONFIG_MAPS, Failure, MANAGED_BY, MANAGED_BY_LABEL, SECRETS, SET_LABEL, SetName,
    },
};

struct Removal<'a> {
    definitions: &'a Definitions,
    arguments: &'a UninstallArguments,
    patience: Patience<'a>,
}

/// A definition that is there.
type Found = (WantedDefinition, InstalledDefinition);

/// Runs `crd uninstall`.
pub async fn uninstall(
    definitions: &Definitions,
    arguments: &UninstallArguments,
    streams: &mut Streams,
    cancellation: &CancellationToken,
) -> Result<(), CrdError> {
    let removal = Removal {
        definitions,
        arguments,
        patience: Patience::new(arguments.timeout, cancellation),
    };
    let found = removal.find(streams).await?;
    if found.is_empty() {
        return Ok(());
    }
    removal.tell(streams, &found).await?;
    confirm(arguments, streams, ask)?;
    // The time that the user took to answer doesn't count.
    let removal = Removal {
        patience: Patience::new(arguments.timeout, cancellation),
        ..removal
    };
    for (wanted, installed) in &found {
        removal.delete(streams, wanted, installed).await?;
    }
    if arguments.wait && arguments.dry_run == DryRun::None {
        for (wanted, installed) in &found {
            removal.wait_until_gone(streams, wanted, installed).await?;
        }
    }
    Ok(())
}

/// Makes sure that the user wants it.
fn confirm(
    arguments: &UninstallArguments,
    streams: &Streams,
    ask: impl FnOnce(&str) -> io::Result<bool>,
) -> Result<(), CrdError> {
    if arguments.yes || arguments.dry_run != DryRun::None {
        return Ok(());
    }
    if !can_ask(streams) {
        return Err(CrdError::Unasked);
    }
    match ask("Delete the definitions and all of these objects?") {
        Ok(true) => Ok(()),
        Ok(false) => Err(CrdError::Declined),
        Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(CrdError::Interrupted {
            doing: "asking".to_owned(),
            done: "nothing was deleted".to_owned(),
        }),
        Err(error) => Err(error.into()),
    }
}

impl Removal<'_> {
    /// The definitions that are there and may be deleted.
    async fn find(&self, streams: &mut Streams) -> Result<Vec<Found>, CrdError> {
        let mut all = Vec::new();
        for wanted in WantedDefinition::all() {
            let key = wanted.key();
            match self
                .patience
                .read(key, self.definitions.find(key))
                .await??
            {
                None => writeln!(streams.out, "{}", lines::not_found(key))?,
                Some(installed) if !installed.is_ours() && !self.arguments.force => {
                    return Err(CrdError::Foreign {
                        key: key.clone(),
                        verb: "delete",
                    });
                }
                Some(installed) => all.push((wanted, installed)),
            }
        }
        streams.out.flush()?;
        Ok(all)
    }

    async fn tell(&self, streams: &mut Streams, found: &[Found]) -> Result<(), CrdError> {
        let mut objects = Vec::new();
        for (wanted, _) in found {
            let count = self.definitions.count_objects(wanted);
            let count = self.patience.read(wanted.key(), count).await?;
            objects.push(Objects {
                kind: wanted.kind().to_owned(),
                count: unless_forbidden(count)?,
            });
        }
        let copies = self.patience.read(found[0].0.key(), self.count_copies());
        let copies = unless_forbidden(copies.await?)?;
        let text = consequence(&objects, &copies);
        writeln!(streams.err, "{}", escape(&text))?;
        Ok(streams.err.flush()?)
    }

    /// Only the copies that rules in the cluster made: those of files go on without them.
    async fn count_copies(&self) -> Result<CopyCounts, ApiError> {
        let labels = format!(
            "{MANAGED_BY_LABEL}={MANAGED_BY},{SET_LABEL}={},{}",
            SetName::cluster(),
            RULES.label
        );
        Ok(CopyCounts {
            secrets: self.definitions.count_ours(&SECRETS, &labels).await?,
            configmaps: self.definitions.count_ours(&CONFIG_MAPS, &labels).await?,
        })
    }

    async fn delete(
        &self,
        streams: &mut Streams,
        wanted: &WantedDefinition,
        installed: &InstalledDefinition,
    ) -> Result<(), CrdError> {
        let (key, dry_run) = (wanted.key(), self.arguments.dry_run);
        let mut line = lines::deleted(key, dry_run);
        if dry_run != DryRun::Client {
            self.patience.allow(key)?;
            let only_check = dry_run == DryRun::Server;
            match self.definitions.delete(key, installed, only_check).await {
                Ok(()) => {}
                Err(error) if matches!(error.failure, Failure::NotFound(_)) => {
                    line = lines::not_found(key);
                }
                Err(error) => return Err(error.into()),
            }
        }
        writeln!(streams.out, "{line}")?;
        Ok(streams.out.flush()?)
    }

    async fn wait_until_gone(
        &self,
        streams: &mut Streams,
        wanted: &WantedDefinition,
        installed: &InstalledDefinition,
    ) -> Result<(), CrdError> {
        let key = wanted.key();
        let goal = Goal {
            goal: format!("{key} to be gone"),
            done: "its deletion has begun, and goes on".to_owned(),
        };
        let look = async || {
            let found = self.definitions.find(key).await?;
            let same = found.filter(|found| found.uid() == installed.uid());
            Ok(match same {
                Some(found) => Look::NotYet(still_deleting(&found)),
                None => Look::Ready(()),
            })
        };
        self.patience.wait(streams, goal, look).await
    }
}

/// Whoever may delete the definitions need not be allowed to read what is deleted with them.
fn unless_forbidden<T>(counted: Result<T, ApiError>) -> Result<Result<T, ApiError>, CrdError> {
    match counted {
        Err(error) if !matches!(error.failure, Failure::Forbidden(_)) => Err(error.into()),
        counted => Ok(counted),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const ARGUMENTS: UninstallArguments = UninstallArguments {
        yes: false,
        force: false,
        wait: true,
        timeout: Duration::ZERO,
        dry_run: DryRun::None,
    };

    fn confirmed(
        arguments: &UninstallArguments,
        is_terminal: bool,
        ask: impl FnOnce(&str) -> io::Result<bool>,
    ) -> Result<(), String> {
        let streams = Streams {
            out: Box::new(io::sink()),
            err: Box::new(io::sink()),
            out_is_terminal: false,
            err_is_terminal: is_terminal,
            in_is_terminal: is_terminal,
        };
        confirm(arguments, &streams, ask).map_err(|error| error.to_string())
    }

    fn nobody(_: &str) -> io::Result<bool> {
        panic!("nobody is to be asked")
    }

    #[test]
    fn the_answer_counts() {
        assert_eq!(confirmed(&ARGUMENTS, true, |_| Ok(true)), Ok(()));
        let declined = confirmed(&ARGUMENTS, true, |_| Ok(false)).unwrap_err();
        assert_eq!(declined, "nothing was deleted");
    }

    #[test]
    fn ctrl_c_at_the_question_deletes_nothing() {
        let interrupted = |_: &str| Err(io::ErrorKind::Interrupted.into());
        let error = confirmed(&ARGUMENTS, true, interrupted).unwrap_err();
        assert_eq!(error, "interrupted while asking; nothing was deleted");
    }

    #[test]
    fn nobody_is_asked_without_a_terminal_or_a_need() {
        let error = confirmed(&ARGUMENTS, false, nobody).unwrap_err();
        assert!(error.contains("--yes"), "{error}");
        let yes = UninstallArguments {
            yes: true,
            ..ARGUMENTS
        };
        assert_eq!(confirmed(&yes, true, nobody), Ok(()));
        let dry_run = UninstallArguments {
            dry_run: DryRun::Client,
            ..ARGUMENTS
        };
        assert_eq!(confirmed(&dry_run, false, nobody), Ok(()));
    }
}
