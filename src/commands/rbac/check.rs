//! `rbac --check`: asks the API server whether somebody has these rights.

use futures::{StreamExt as _, stream};

use crate::{
    api::yaml,
    cli::KubeFlags,
    commands::{CommandError, connection::connect_by, copies::api_server},
    exit::Ending,
    installation::{Account, Identity, RoleSet},
    output::{Streams, escape_line},
    reconcile::{
        Access, Answer, ApiError, Cluster, Name, Namespace, Pace, Permission, Permissions,
    },
};

/// How many questions are under way at once.
const AT_ONCE: usize = 8;

/// Asks for each right, and tells which are missing and what would grant them.
pub async fn check(
    permissions: &Permissions,
    identity: &Identity,
    kube: &KubeFlags,
    streams: &mut Streams,
    pace: &Pace,
) -> Result<Ending, CommandError> {
    let connection = connect_by(kube).await?;
    let server = connection.server.clone();
    let cluster = api_server(connection, false, None);
    let asked = async {
        let missing = missing(&cluster, pace, permissions).await?;
        let user = pace.request(async || cluster.user().await).await.result;
        Ok((missing, user.ok()))
    };
    let (missing, user) = asked
        .await
        .map_err(|error: ApiError| CommandError::from(error).explained(&server))?;
    let user = user.as_deref().unwrap_or("the user");
    if missing.smallest().is_empty() {
        writeln!(streams.out, "{} has all rights that are needed", escape_line(user))?;
        streams.out.flush()?;
        return Ok(Ending::Done);
    }
    tell(&missing, user, identity, streams)?;
    Ok(Ending::Unfinished)
}

async fn missing<C: Cluster>(
    cluster: &C,
    pace: &Pace,
    permissions: &Permissions,
) -> Result<Permissions, ApiError> {
    let ask = async |access: Access| {
        let answer = pace.request(async || cluster.may(&access).await).await;
        answer.result.map(|answer| (access, answer))
    };
    let answers = stream::iter(permissions.accesses()).map(ask);
    let answers: Vec<_> = answers.buffered(AT_ONCE).collect().await;
    let answers: Result<Vec<(Access, Answer)>, ApiError> = answers.into_iter().collect();
    let denied = answers?.into_iter();
    let denied = denied.filter(|(_, answer)| *answer != Answer::Allowed);
    Ok(denied.map(|(access, _)| access).collect())
}

fn tell(
    missing: &Permissions,
    user: &str,
    identity: &Identity,
    streams: &mut Streams,
) -> Result<(), CommandError> {
    for permission in missing.smallest() {
        writeln!(streams.out, "missing: {}", escape_line(&sentence(&permission)))?;
    }
    streams.out.flush()?;
    let account = account(user);
    let roles = RoleSet {
        identity,
        permissions: missing,
        account: account.as_ref(),
    };
    let roles = roles.objects();
    let manifests: Vec<_> = roles.iter().map(|object| &object.manifest).collect();
    let text = yaml::to_yaml_documents(&manifests).map_err(std::io::Error::other)?;
    writeln!(
        streams.err,
        "hint: an administrator can allow it by applying this (kubectl apply -f):\n\n---\n{text}"
    )?;
    if account.is_none() {
        writeln!(streams.err, "# Bind the roles to {}.", escape_line(user))?;
    }
    Ok(streams.err.flush()?)
}

/// A right in the order in which `kubectl auth can-i` takes it.
fn sentence(permission: &Permission) -> String {
    let verbs: Vec<String> = permission.verbs.iter().map(ToString::to_string).collect();
    let resource = permission.resource.qualified_plural();
    let part = permission.subresource.map(|part| format!("/{part}"));
    let names: Vec<&str> = permission.names.iter().map(Name::as_str).collect();
    let names = if names.is_empty() {
        String::new()
    } else {
        format!(" {}", names.join(", "))
    };
    let place = match permission.namespace.as_ref().map(Namespace::as_str) {
        Some(namespace) => format!("in namespace {namespace}"),
        None => "in the whole cluster".to_owned(),
    };
    let part = part.unwrap_or_default();
    format!("{} {resource}{part}{names} {place}", verbs.join(","))
}

/// A service account's user name has its namespace and name in it.
fn account(user: &str) -> Option<Account> {
    let account = user.strip_prefix("system:serviceaccount:")?;
    let (namespace, name) = account.split_once(':')?;
    Some(Account {
        namespace: Namespace::from(namespace),
        name: Name::from(name),
    })
}
