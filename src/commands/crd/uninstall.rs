//! `crd uninstall`: removes the definitions and all rules, after saying what that means.

use std::{fmt::Write as _, io};

use dialoguer::Confirm;

use super::{
    interrupt::or_interrupt,
    run::{KIND, Place},
};
use crate::{
    api::custom_resource_definitions,
    cli::{KubeFlags, UninstallArgs},
    cluster::{Count, CrdError, Definitions, Existing, Standing},
    commands::{CommandError, connect},
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
    kube: &KubeFlags,
    streams: &mut Streams,
) -> Result<Ending, CommandError> {
    let connection = connect(kube).await?;
    let definitions = Definitions::new(&connection);
    let place = Place::new(&connection, "get,delete");
    let found = find(&definitions, &place, streams).await?;
    if found.is_empty() {
        return Ok(Ending::Done);
    }
    let census = take_census(&definitions, &place).await?;
    writeln!(streams.err, "{}", census.sentence())?;
    streams.err.flush()?;
    if arguments.dry_run == DryRun::None && !arguments.yes && !ask(streams)? {
        writeln!(streams.err, "nothing was removed")?;
        return Ok(Ending::Failed);
    }
    for existing in &found {
        remove(&definitions, existing, arguments, &place, streams).await?;
    }
    Ok(Ending::Done)
}

/// The definitions that there are to remove. Those that aren't ours are an error, before anything is
/// removed.
async fn find(
    definitions: &Definitions,
    place: &Place,
    streams: &mut Streams,
) -> Result<Vec<Existing>, CommandError> {
    let mut found = Vec::new();
    for wanted in custom_resource_definitions() {
        let name = wanted.metadata.name.unwrap_or_default();
        let existing = definitions.get(&name).await;
        let Some(existing) = existing.map_err(|error| place.api(error))? else {
            writeln!(streams.out, "{KIND}/{name} not installed")?;
            streams.out.flush()?;
            continue;
        };
        if let Standing::Foreign { managers } = existing.standing() {
            return Err(CommandError::Crd(CrdError::Foreign {
                name,
                managers: managers.join(", "),
                advice: "Look at it with kubectl get crd -o yaml; remove it with kubectl delete crd",
            }));
        }
        found.push(existing);
    }
    Ok(found)
}

async fn take_census(definitions: &Definitions, place: &Place) -> Result<Census, CommandError> {
    let failed = |plural: &str, failure: Failure| {
        place.api(ApiError {
            verb: Verb::List,
            subject: plural.to_owned(),
            failure,
        })
    };
    let rules = definitions.count_rules().await;
    let secrets = definitions.count_copies("secrets").await;
    let config_maps = definitions.count_copies("configmaps").await;
    Ok(Census {
        rules: rules.map_err(|failure| failed("copyratorrules.copyrator.dev", failure))?,
        secrets: secrets.map_err(|failure| failed("secrets", failure))?,
        config_maps: config_maps.map_err(|failure| failed("configmaps", failure))?,
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

fn ask(streams: &Streams) -> Result<bool, CommandError> {
    if !(streams.in_is_terminal && streams.err_is_terminal) {
        return Err(CommandError::CannotAsk(
            "nobody can be asked, because this is no terminal; to go on without a question, give --yes"
                .to_owned(),
        ));
    }
    let answer = Confirm::new()
        .with_prompt("Go on?")
        .default(false)
        .wait_for_newline(true)
        .interact();
    answer.map_err(|dialoguer::Error::IO(error)| match error.kind() {
        io::ErrorKind::Interrupted => CommandError::Interrupted("; nothing was removed".to_owned()),
        _ => CommandError::Output(error),
    })
}

async fn remove(
    definitions: &Definitions,
    existing: &Existing,
    arguments: &UninstallArgs,
    place: &Place,
    streams: &mut Streams,
) -> Result<(), CommandError> {
    let name = existing
        .definition
        .metadata
        .name
        .clone()
        .unwrap_or_default();
    let rehearsal = arguments.dry_run == DryRun::Server;
    if arguments.dry_run != DryRun::Client {
        let deleted = definitions.delete(existing, rehearsal).await;
        deleted.map_err(|error| place.api(error))?;
    }
    if arguments.dry_run == DryRun::None {
        let gone = async {
            let gone = definitions.wait_until_gone(&name, arguments.timeout).await;
            gone.map_err(|error| place.crd(error))
        };
        or_interrupt(gone, "the definition is being deleted all the same").await?;
    }
    let suffix = arguments.dry_run.suffix();
    writeln!(streams.out, "{KIND} {name:?} deleted{suffix}")?;
    Ok(streams.out.flush()?)
}
