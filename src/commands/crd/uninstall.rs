//! `crd uninstall`: says what is lost, asks, deletes the definitions and waits until they are gone.

use std::io;

use tokio_util::sync::CancellationToken;

use super::{
    CrdError,
    confirm::{ask, can_ask},
    consequence::{Objects, consequence},
    errors::Errors,
    install::still_deleting,
    lines,
    patience::{Goal, Look, Patience},
    traces::{Traces, unless_forbidden},
};
use crate::{
    cli::crd::UninstallArguments,
    cluster::{Definitions, InstalledDefinition, WantedDefinition},
    output::{DryRun, Streams, escape},
    reconcile::Failure,
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
    let mut errors = Errors::default();
    let found = removal.find(streams, &mut errors).await?;
    if found.is_empty() {
        return errors.end();
    }
    removal.tell(streams, &found).await?;
    confirm(arguments, streams, ask)?;
    // The time that the user took to answer doesn't count.
    let removal = Removal {
        patience: Patience::new(arguments.timeout, cancellation),
        ..removal
    };
    let mut begun = Vec::new();
    for (wanted, installed) in &found {
        let deleted = removal.delete(streams, wanted, installed).await;
        let deleted = errors.unless_failed(streams, deleted)?;
        begun.extend(deleted.map(|()| (wanted, installed)));
    }
    if arguments.wait && arguments.dry_run == DryRun::None {
        for (wanted, installed) in begun {
            let gone = removal.wait_until_gone(streams, wanted, installed).await;
            errors.unless_failed(streams, gone)?;
        }
    }
    errors.end()
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
    async fn find(
        &self,
        streams: &mut Streams,
        errors: &mut Errors,
    ) -> Result<Vec<Found>, CrdError> {
        let mut all = Vec::new();
        for wanted in WantedDefinition::all() {
            let found = self.find_one(&wanted).await;
            match errors.unless_failed(streams, found)? {
                None => (),
                Some(None) => writeln!(streams.out, "{}", lines::not_found(wanted.key()))?,
                Some(Some(installed)) => all.push((wanted, installed)),
            }
        }
        streams.out.flush()?;
        Ok(all)
    }

    /// A definition, if it is there; an error if it may not be deleted.
    async fn find_one(
        &self,
        wanted: &WantedDefinition,
    ) -> Result<Option<InstalledDefinition>, CrdError> {
        let key = wanted.key();
        let reading = self.definitions.find(key);
        let found = self.patience.read(key, reading).await??;
        match found {
            Some(installed) if !installed.is_ours() && !self.arguments.force => {
                Err(CrdError::Foreign {
                    key: key.clone(),
                    verb: "delete",
                })
            }
            found => Ok(found),
        }
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
        let kinds: Vec<&str> = found.iter().map(|(wanted, _)| wanted.kind()).collect();
        let traces = Traces::count(self.definitions, &kinds);
        let traces = self.patience.read(found[0].0.key(), traces).await??;
        let text = consequence(&objects, &traces);
        writeln!(streams.err, "{}", escape(&text))?;
        Ok(streams.err.flush()?)
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
