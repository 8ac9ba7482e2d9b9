//! Runs `rbac`.

use tokio_util::sync::CancellationToken;

use super::check::check;
use crate::{
    cli::{
        KubeFlags,
        rbac::{RbacArguments, Runner},
    },
    commands::{
        CommandError,
        connection::connect_by,
        copies::api_server,
        deploy::{identity, print},
        needs::{Files, Needs},
    },
    exit::Ending,
    installation::{Account, Identity, RoleSet, label, own_rights, subdomain},
    output::{ColourChoice, Colours, Streams},
    reconcile::{Manner, Name, Namespace, Pace},
};

/// Runs `rbac`.
pub async fn run(
    arguments: &RbacArguments,
    kube: &KubeFlags,
    streams: &mut Streams,
    cancellation: &CancellationToken,
) -> Result<Ending, CommandError> {
    let account = account(arguments)?;
    let identity = own_identity(arguments, kube, account.as_ref())?;
    let manner = manner(arguments);
    let pace = Pace::new(cancellation.clone());
    let mut needs = needs(arguments, kube, &pace, manner).await?;
    needs.permissions.extend(own_rights(&identity, manner));
    let palette = Colours::detect(ColourChoice::Auto, streams).err;
    if arguments.check {
        return check(&needs.permissions, &identity, kube, streams, &pace).await;
    }
    needs.explain(streams, palette)?;
    let roles = RoleSet {
        identity: &identity,
        permissions: &needs.permissions,
        account: account.as_ref(),
    };
    print(streams, arguments.output, &roles.objects())?;
    Ok(Ending::Done)
}

async fn needs(
    arguments: &RbacArguments,
    kube: &KubeFlags,
    pace: &Pace,
    manner: Manner,
) -> Result<Needs, CommandError> {
    let parts = &arguments.parts;
    if !arguments.filename.is_empty() {
        let default = kube.namespace.as_deref().filter(|name| !name.is_empty());
        let default = default.unwrap_or("default");
        let files = Files::read(&arguments.filename, &parts.only, default)?;
        return Ok(Needs::of_files(&files, parts, manner));
    }
    let own = if arguments.check {
        as_oneself(kube)
    } else {
        kube.clone()
    };
    let connection = connect_by(&own).await?;
    let server = connection.server.clone();
    let cluster = api_server(connection, false, None);
    let needs = Needs::of_cluster(&cluster, pace, parts, manner).await;
    needs.map_err(|error| error.explained(&server))
}

/// The same flags without another's identity: whose rights are checked may lack that to read the rules.
fn as_oneself(kube: &KubeFlags) -> KubeFlags {
    KubeFlags {
        impersonate: None,
        impersonate_groups: Vec::new(),
        impersonate_uid: None,
        impersonate_extras: Vec::new(),
        ..kube.clone()
    }
}

fn manner(arguments: &RbacArguments) -> Manner {
    match arguments.runner {
        Runner::Sync => Manner::Once,
        Runner::Controller => Manner::Watching,
    }
}

fn account(arguments: &RbacArguments) -> Result<Option<Account>, CommandError> {
    let Some((namespace, name)) = &arguments.service_account else {
        return Ok(None);
    };
    let wrong = |error| CommandError::Arguments(format!("--service-account: {error}"));
    label("a namespace", namespace).map_err(wrong)?;
    subdomain("a service account", name).map_err(wrong)?;
    Ok(Some(Account {
        namespace: Namespace::from(&**namespace),
        name: Name::from(&**name),
    }))
}

/// What the roles are called, and the namespace of the Lease: that of the account, if no other is named.
fn own_identity(
    arguments: &RbacArguments,
    kube: &KubeFlags,
    account: Option<&Account>,
) -> Result<Identity, CommandError> {
    let mut identity = identity(&arguments.name, kube)?;
    if let (None, Some(account)) = (&kube.namespace, account) {
        identity.namespace = account.namespace.clone();
    }
    Ok(identity)
}
