//! `rates create`: an `ExchangeRate` of the arguments, in the cluster or as a manifest.

use std::io;

use serde::Serialize;
use serde_json::Value;

use super::{
    AskError,
    manifest::{Manifest, manifest},
    prompt,
};
use crate::{
    cli::{KubeFlags, rates::CreateArguments},
    cluster::Creation,
    commands::{CommandError, connection::connect_by, crd::can_ask},
    output::{DryRun, Format, Streams, print_document},
    rates::{EXCHANGE_RATES, RatesError},
    reconcile::{Name, Namespace, ObjectKey},
};

/// What is printed of an `ExchangeRate`.
#[derive(Serialize)]
#[serde(untagged)]
enum Object {
    /// What would be created.
    Described(Box<Manifest>),
    /// What the API server has made of it.
    Created(Value),
}

/// Runs `rates create`.
pub async fn create(
    arguments: &CreateArguments,
    kube: &KubeFlags,
    streams: &mut Streams,
) -> Result<(), CommandError> {
    let arguments = complete(arguments, streams)?;
    let name = arguments.name.as_deref().unwrap_or_default();
    let object = match arguments.dry_run {
        DryRun::Client => {
            let described = described(name, kube.namespace.as_deref(), &arguments)?;
            Object::Described(Box::new(described))
        }
        DryRun::None | DryRun::Server => Object::Created(created(name, &arguments, kube).await?),
    };
    tell(name, &object, &arguments, streams)
}

/// The arguments, with what a person at the terminal says of what is missing.
fn complete(
    arguments: &CreateArguments,
    streams: &Streams,
) -> Result<CreateArguments, CommandError> {
    let arguments = arguments.clone();
    if arguments.name.is_some() && !arguments.quotes.is_empty() {
        return Ok(arguments);
    }
    if !can_ask(streams) {
        return Err(CommandError::Arguments(
            "an ExchangeRate needs a NAME and --quotes, such as: rates create eur --quotes=USD,JPY"
                .to_owned(),
        ));
    }
    prompt::complete(arguments).map_err(|error| match error.kind() {
        io::ErrorKind::Interrupted => AskError::Interrupted.into(),
        _ => error.into(),
    })
}

fn described(
    name: &str,
    namespace: Option<&str>,
    arguments: &CreateArguments,
) -> Result<Manifest, CommandError> {
    let namespace = namespace.filter(|namespace| !namespace.is_empty());
    manifest(name, namespace, arguments).map_err(CommandError::Arguments)
}

/// Creates it, and gives what the API server has made of it.
async fn created(
    name: &str,
    arguments: &CreateArguments,
    kube: &KubeFlags,
) -> Result<Value, CommandError> {
    // What is wrong in itself needs no cluster to be told.
    described(name, kube.namespace.as_deref(), arguments)?;
    let connection = connect_by(kube).await?;
    let namespace = &connection.default_namespace;
    let object = described(name, Some(namespace), arguments)?;
    let key = ObjectKey::namespaced(
        &EXCHANGE_RATES,
        Namespace::from(namespace.as_str()),
        Name::from(name),
    );
    let creation = Creation::new(connection.client, connection.request_timeout);
    let is_rehearsal = arguments.dry_run == DryRun::Server;
    let created = creation.create(&key, &object, is_rehearsal).await;
    created.map_err(|error| {
        if error.failure.is_unknown_resource() {
            return RatesError::NotInstalled.into();
        }
        CommandError::from(error).explained(&connection.server)
    })
}

fn tell(
    name: &str,
    object: &Object,
    arguments: &CreateArguments,
    streams: &mut Streams,
) -> Result<(), CommandError> {
    let qualified = format!("{}/{name}", EXCHANGE_RATES.qualified_singular());
    match arguments.output {
        Some(format) if format.is_machine() => print_document(streams, format, object)?,
        Some(Format::Name) => writeln!(streams.out, "{qualified}")?,
        _ => writeln!(
            streams.out,
            "{qualified} created{}",
            arguments.dry_run.suffix()
        )?,
    }
    Ok(streams.out.flush()?)
}
