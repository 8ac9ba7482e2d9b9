//! `crd uninstall`: removes the definitions and all rules, after saying what that means.

use std::fmt::Write as _;

use dialoguer::Confirm;
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;

use super::run::{KIND, unless_interrupted};
use crate::{
    api::custom_resource_definitions,
    cli::UninstallArgs,
    cluster::{Count, CrdError, Definitions, Existing, Standing},
    commands::CommandError,
    exit::Ending,
    output::{DryRun, Streams},
    reconcile::{ApiError, Failure, Verb},
};

/// What goes, and what stays.
struct Census {
    rules: Count,
    secrets: Count,
    config_maps: Count,
}

pub(super) async fn run(
    arguments: &UninstallArgs,
    definitions: &Definitions,
    streams: &mut Streams,
    cancellation: &CancellationToken,
) -> Result<Ending, CommandError> {
    let found = find(definitions, streams).await?;
    if found.is_empty() {
        return Ok(Ending::Done);
    }
    let census = take_census(definitions).await?;
    writeln!(streams.err, "{}", census.sentence())?;
    streams.err.flush()?;
    let is_rehearsal = arguments.dry_run != DryRun::None;
    if !is_rehearsal && !arguments.yes && !ask(streams, cancellation).await? {
        writeln!(streams.err, "nothing was removed")?;
        return Ok(Ending::Unfinished);
    }
    for existing in &found {
        remove(definitions, existing, arguments, streams, cancellation).await?;
    }
    Ok(Ending::Done)
}

/// The definitions that there are to remove. Those that aren't ours are an error, before anything is
/// removed.
async fn find(
    definitions: &Definitions,
    streams: &mut Streams,
) -> Result<Vec<Existing>, CommandError> {
    let mut found = Vec::new();
    for wanted in custom_resource_definitions() {
        let name = wanted.metadata.name.unwrap_or_default();
        let Some(existing) = definitions.get(&name).await? else {
            writeln!(streams.out, "{KIND}/{name} not installed")?;
            streams.out.flush()?;
            continue;
        };
        if let Standing::Foreign { managers } = existing.standing() {
            return Err(CommandError::Crd(CrdError::Foreign {
                name,
                managers: managers.join(", "),
                advice: "look at it with kubectl get crd -o yaml, and remove it with kubectl delete crd",
            }));
        }
        found.push(existing);
    }
    Ok(found)
}

async fn take_census(definitions: &Definitions) -> Result<Census, ApiError> {
    let failed = |plural: &'static str| {
        move |failure: Failure| ApiError {
            verb: Verb::List,
            subject: plural.to_owned(),
            failure,
        }
    };
    let rules = definitions.count_rules().await;
    let secrets = definitions.count_copies("secrets").await;
    let config_maps = definitions.count_copies("configmaps").await;
    Ok(Census {
        rules: rules.map_err(failed("copyratorrules.copyrator.dev"))?,
        secrets: secrets.map_err(failed("secrets"))?,
        config_maps: config_maps.map_err(failed("configmaps"))?,
    })
}

impl Census {
    fn sentence(&self) -> String {
        let rules = counted(self.rules, "rule", "rules");
        let secrets = counted(self.secrets, "Secret", "Secrets");
        let config_maps = counted(self.config_maps, "ConfigMap", "ConfigMaps");
        let mut sentence = format!("This deletes the definition and {rules}.");
        if (self.secrets, self.config_maps) != (Count::Of(0), Count::Of(0)) {
            let _ = write!(
                sentence,
                "\nCopies stay where they are: {secrets} and {config_maps}. To remove them, first \
                 delete the rules and sync:\n  \
                 kubectl delete copyratorrules --all && kubectl copyrator sync"
            );
        }
        sentence
    }
}

fn counted(count: Count, one: &str, many: &str) -> String {
    match count {
        Count::Of(1) => format!("1 {one}"),
        count => format!("{count} {many}"),
    }
}

/// Asks whether to go on; silence means no. The question has a thread of its own, so that an
/// interruption ends it.
async fn ask(
    streams: &mut Streams,
    cancellation: &CancellationToken,
) -> Result<bool, CommandError> {
    if !(streams.in_is_terminal && streams.err_is_terminal) {
        return Err(CommandError::NobodyToAsk);
    }
    let answer = spawn_blocking(|| {
        let question = Confirm::new().with_prompt("Go on?").default(false);
        question.wait_for_newline(true).interact()
    });
    if let Some(Ok(Ok(answer))) = cancellation.run_until_cancelled(answer).await {
        return Ok(answer);
    }
    // The question stands there without a line break.
    writeln!(streams.err)?;
    Err(CommandError::Interrupted("nothing was removed"))
}

async fn remove(
    definitions: &Definitions,
    existing: &Existing,
    arguments: &UninstallArgs,
    streams: &mut Streams,
    cancellation: &CancellationToken,
) -> Result<(), CommandError> {
    let metadata = &existing.definition.metadata;
    let name = metadata.name.as_deref().unwrap_or_default();
    if arguments.dry_run != DryRun::Client {
        let is_rehearsal = arguments.dry_run == DryRun::Server;
        definitions.delete(existing, is_rehearsal).await?;
    }
    if arguments.dry_run == DryRun::None {
        let gone = definitions.wait_until_gone(name, arguments.timeout);
        let then = "the definition is being deleted all the same";
        unless_interrupted(gone, cancellation, then).await?;
    }
    let suffix = arguments.dry_run.suffix();
    writeln!(streams.out, "{KIND} {name:?} deleted{suffix}")?;
    Ok(streams.out.flush()?)
}
