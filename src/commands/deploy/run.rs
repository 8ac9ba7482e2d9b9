//! Runs `deploy`.

use std::{collections::BTreeSet, io};

use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::{DeployError, apply::Applier, leftovers::Removal, settings::settings};
use crate::{
    api::yaml,
    cli::{
        KubeFlags,
        deploy::{DeployArguments, Roles},
    },
    cluster::{ApiServer, Application, Connection, Definitions, WantedDefinition},
    commands::{
        CommandError,
        connection::connect_by,
        copies::api_server,
        needs::{Needs, of_any},
    },
    exit::Ending,
    installation::{Identity, Installed, Settings, objects, own_rights},
    output::{ColourChoice, Colours, DryRun, Format, Streams, to_json, write_warning},
    reconcile::{Namespace, Pace, Permissions},
};

/// Runs `deploy`.
pub async fn run(
    arguments: &DeployArguments,
    kube: &KubeFlags,
    streams: &mut Streams,
    cancellation: &CancellationToken,
) -> Result<Ending, CommandError> {
    let settings = settings(arguments, kube)?;
    let only_prints = arguments.output.is_some() || arguments.dry_run == DryRun::Client;
    let needs_cluster = !only_prints || arguments.roles == Roles::Minimal || arguments.remove;
    if !needs_cluster {
        let permissions = of_any(&arguments.parts, settings.running.manner());
        let objects = objects(&settings, &with_own(permissions, &settings));
        print(streams, arguments.output.unwrap_or(Format::Yaml), &objects)?;
        return Ok(Ending::Done);
    }
    let connection = connect_by(kube).await?;
    let server = connection.server.clone();
    let deployment = Deployment {
        arguments,
        settings,
        pace: Pace::new(cancellation.clone()),
    };
    let deployed = deployment.run(connection, streams, only_prints).await;
    deployed.map_err(|error| error.explained(&server))
}

struct Deployment<'a> {
    arguments: &'a DeployArguments,
    settings: Settings,
    pace: Pace,
}

impl Deployment<'_> {
    async fn run(
        &self,
        connection: Connection,
        streams: &mut Streams,
        only_prints: bool,
    ) -> Result<Ending, CommandError> {
        let (client, timeout) = (connection.client.clone(), connection.request_timeout);
        let is_rehearsal = self.arguments.dry_run == DryRun::Server;
        let application = Application::new(client.clone(), timeout, is_rehearsal);
        let definitions = Definitions::new(client, timeout);
        let cluster = api_server(connection, is_rehearsal, None);
        let applier = Applier {
            application: &application,
            pace: &self.pace,
            identity: &self.settings.identity,
            force: self.arguments.force_conflicts,
            dry_run: self.arguments.dry_run,
        };
        if self.arguments.remove {
            return self.remove(&applier, &cluster, streams).await;
        }
        let permissions = self.permissions(&cluster, streams).await?;
        let objects = objects(&self.settings, &with_own(permissions, &self.settings));
        if only_prints {
            print(
                streams,
                self.arguments.output.unwrap_or(Format::Yaml),
                &objects,
            )?;
            return Ok(Ending::Done);
        }
        let absent = applier.apply_all(streams, &objects).await?;
        let removal = applier.remove_others(&cluster, streams, &objects).await?;
        tell_unlisted(streams, &removal)?;
        self.tell_absent(&absent, streams)?;
        self.tell_missing_definitions(&definitions, streams).await?;
        Ok(Ending::Done)
    }

    /// Namespaces that aren't there: the installation's own one when it is only checked, and those that
    /// rules name and that may come one day.
    fn tell_absent(
        &self,
        absent: &BTreeSet<Namespace>,
        streams: &mut Streams,
    ) -> Result<(), CommandError> {
        for namespace in absent {
            let told = if namespace == &self.settings.identity.namespace {
                "so the API server couldn't check what goes into it"
            } else {
                "so there are no rights in it; call deploy again once it is"
            };
            warn(
                streams,
                &format!("namespace {namespace} isn't there yet, {told}"),
            )?;
        }
        Ok(())
    }

    async fn permissions(
        &self,
        cluster: &ApiServer,
        streams: &mut Streams,
    ) -> Result<Permissions, CommandError> {
        let (parts, manner) = (&self.arguments.parts, self.settings.running.manner());
        if self.arguments.roles == Roles::All {
            return Ok(of_any(parts, manner));
        }
        let needs = Needs::of_cluster(cluster, &self.pace, parts, manner).await?;
        let palette = Colours::detect(ColourChoice::Auto, streams).err;
        needs.explain(streams, palette)?;
        Ok(needs.permissions)
    }

    async fn remove(
        &self,
        applier: &Applier<'_>,
        cluster: &ApiServer,
        streams: &mut Streams,
    ) -> Result<Ending, CommandError> {
        let identity = &self.settings.identity;
        let mut removal = applier.remove_others(cluster, streams, &[]).await?;
        if let Some(error) = removal.unlisted.pop() {
            tell_unlisted(streams, &removal)?;
            return Err(error.into());
        }
        if removal.removed == 0 {
            return Err(DeployError::NotThere {
                name: identity.name.to_string(),
                namespace: identity.namespace.clone(),
            }
            .into());
        }
        let namespace = &identity.namespace;
        writeln!(
            streams.err,
            "namespace {namespace} and a controller's Lease stay, as do the rules, the ExchangeRates and what was made by them"
        )?;
        Ok(Ending::Done)
    }

    /// Without definitions the program has nothing to do: whoever deploys it will want to know.
    async fn tell_missing_definitions(
        &self,
        definitions: &Definitions,
        streams: &mut Streams,
    ) -> Result<(), CommandError> {
        let mut missing = Vec::new();
        for wanted in WantedDefinition::all() {
            let is_needed = match wanted.kind() {
                "ExchangeRate" => self.settings.parts.rates().is_some(),
                _ => self.settings.parts.rules().is_some(),
            };
            // Who may not look can't be told.
            if is_needed && let Ok(None) = definitions.find(wanted.key()).await {
                missing.push(wanted.kind().to_owned());
            }
        }
        if missing.is_empty() {
            return Ok(());
        }
        let told = format!(
            "the cluster doesn't know {} yet; run: kubectl copyrator crd install",
            missing.join(" and ")
        );
        warn(streams, &told)
    }
}

/// These rights, and those that the installation itself needs.
fn with_own(mut permissions: Permissions, settings: &Settings) -> Permissions {
    let Identity { name, namespace } = &settings.identity;
    permissions.extend(own_rights(namespace, name, settings.running.manner()));
    permissions
}

fn tell_unlisted(streams: &mut Streams, removal: &Removal) -> Result<(), CommandError> {
    for error in &removal.unlisted {
        let told = format!("what an earlier call may have left can't be looked for: {error}");
        warn(streams, &told)?;
    }
    Ok(())
}

fn warn(streams: &mut Streams, message: &str) -> Result<(), CommandError> {
    let palette = Colours::detect(ColourChoice::Auto, streams).err;
    Ok(write_warning(streams, message, palette)?)
}

/// Prints objects as `kubectl apply -f -` reads them.
pub fn print(
    streams: &mut Streams,
    format: Format,
    objects: &[Installed],
) -> Result<(), CommandError> {
    let manifests: Vec<_> = objects.iter().map(|object| &object.manifest).collect();
    let text = match format {
        Format::Json => to_json(&json!({"apiVersion": "v1", "kind": "List", "items": manifests}))?,
        _ => yaml::to_yaml_documents(&manifests).map_err(io::Error::other)?,
    };
    streams.out.write_all(text.as_bytes())?;
    Ok(streams.out.flush()?)
}
