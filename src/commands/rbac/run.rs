//! Runs `rbac`.

use tokio_util::sync::CancellationToken;

use super::{
    check::Check,
    identity::{account, identity},
};
use crate::{
    cli::{
        KubeFlags,
        rbac::{RbacArguments, Runner},
    },
    commands::{
        CommandError,
        connection::connect_by,
        copies::api_server,
        deploy::print,
        needs::{Files, Needs},
    },
    exit::Ending,
    installation::{RoleSet, own_rights},
    output::{ColourChoice, Colours, Streams},
    reconcile::{Manner, Name, Pace},
};

/// Runs `rbac`.
pub async fn run(
    arguments: &RbacArguments,
    kube: &KubeFlags,
    streams: &mut Streams,
    cancellation: &CancellationToken,
) -> Result<Ending, CommandError> {
    let account = account(arguments)?;
    let identity = identity(arguments, kube, account.as_ref())?;
    let manner = manner(arguments);
    let pace = Pace::new(cancellation.clone());
    let mut needs = needs(arguments, kube, &pace, manner).await?;
    let lease = Name::from(&*arguments.lease_name);
    let own = own_rights(&identity.namespace, &lease, manner);
    needs.permissions.extend(own);
    let palette = Colours::detect(ColourChoice::Auto, streams).err;
    if arguments.check {
        let check = Check {
            arguments,
            kube,
            pace: &pace,
        };
        return check.run(&needs.permissions, streams).await;
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
