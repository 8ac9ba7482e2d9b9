//! `rbac --check`: asks the API server whether somebody has these rights.

use futures::{StreamExt as _, stream};

use crate::{
    cli::{
        KubeFlags, Part,
        rbac::{RbacArguments, Runner},
    },
    commands::{CommandError, connection::connect_by, copies::api_server},
    exit::Ending,
    output::{Streams, escape_line},
    reconcile::{
        Access, Answer, ApiError, Cluster, Name, Namespace, Pace, Permission, Permissions,
    },
};

/// How many questions are under way at once.
const AT_ONCE: usize = 8;

/// Who is asked about, and how.
pub struct Check<'a> {
    /// The flags that say what is needed.
    pub arguments: &'a RbacArguments,
    /// The flags that say who asks.
    pub kube: &'a KubeFlags,
    /// Retries and cancellation.
    pub pace: &'a Pace,
}

impl Check<'_> {
    /// Asks for each right, and tells which are missing and what would grant them.
    pub async fn run(
        &self,
        permissions: &Permissions,
        streams: &mut Streams,
    ) -> Result<Ending, CommandError> {
        let connection = connect_by(self.kube).await?;
        let server = connection.server.clone();
        let cluster = api_server(connection, false, None);
        let missing = self.missing(&cluster, permissions).await;
        let missing = missing.map_err(|error| CommandError::from(error).explained(&server))?;
        let user = self.pace.request(async || cluster.user().await).await;
        let user = user.result.ok();
        let user = user.as_deref().unwrap_or("the user");
        let missing = missing.smallest();
        if missing.is_empty() {
            let user = escape_line(user);
            writeln!(streams.out, "{user} has all rights that are needed")?;
            streams.out.flush()?;
            return Ok(Ending::Done);
        }
        for permission in &missing {
            let sentence = sentence(permission);
            writeln!(streams.out, "missing: {}", escape_line(&sentence))?;
        }
        streams.out.flush()?;
        let hint = self.hint(user);
        writeln!(streams.err, "hint: {}", escape_line(&hint))?;
        Ok(Ending::Unfinished)
    }

    async fn missing<C: Cluster>(
        &self,
        cluster: &C,
        permissions: &Permissions,
    ) -> Result<Permissions, ApiError> {
        let ask = async |access: Access| {
            let answer = self.pace.request(async || cluster.may(&access).await).await;
            answer.result.map(|answer| (access, answer))
        };
        let answers = stream::iter(permissions.accesses()).map(ask);
        let answers: Vec<_> = answers.buffered(AT_ONCE).collect().await;
        let answers: Result<Vec<(Access, Answer)>, ApiError> = answers.into_iter().collect();
        let denied = answers?.into_iter();
        let denied = denied.filter(|(_, answer)| *answer != Answer::Allowed);
        Ok(denied.map(|(access, _)| access).collect())
    }

    /// The command that would grant all that is needed: roles with what is missing alone would take the
    /// place of those that grant the rest.
    fn hint(&self, user: &str) -> String {
        let words = ["kubectl copyrator rbac".to_owned()];
        let words: Vec<_> = words.into_iter().chain(self.flags()).collect();
        let command = words.join(" ");
        match service_account(user) {
            Some(account) => format!(
                "an administrator can allow it: {command} --service-account={account} | kubectl apply -f -"
            ),
            None => format!(
                "an administrator can allow it: {command} | kubectl apply -f -, and bind the roles to {user}"
            ),
        }
    }

    fn flags(&self) -> Vec<String> {
        let arguments = self.arguments;
        let mut flags = Vec::new();
        if arguments.runner == Runner::Sync {
            flags.push("--for=sync".to_owned());
        }
        match arguments.parts.only.as_slice() {
            [Part::Rules] => flags.push("--only=rules".to_owned()),
            [Part::Rates] => flags.push("--only=rates".to_owned()),
            _ => (),
        }
        let rules = arguments.parts.rules.iter();
        flags.extend(rules.map(|rule| format!("--rule={rule}")));
        let files = arguments.filename.iter();
        flags.extend(files.map(|file| format!("-f {}", file.display())));
        if !arguments.parts.allow_secrets {
            flags.push("--allow-secrets=false".to_owned());
        }
        flags
    }
}

/// A right, in the order in which `kubectl auth can-i` takes it.
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
fn service_account(user: &str) -> Option<String> {
    let account = user.strip_prefix("system:serviceaccount:")?;
    let (namespace, name) = account.split_once(':')?;
    Some(format!("{namespace}/{name}"))
}
