//! Which cluster, user and namespace are meant: the kubeconfig's, changed by what the user said.

use kube::config::{AuthInfo, Cluster, Context};

use super::{ConnectError, ConnectOptions, kubeconfig::Loaded};

/// What is meant.
#[derive(Debug, Default)]
pub(super) struct Selection {
    /// Where the API server is, and how it is recognised.
    pub cluster: Cluster,
    /// The cluster's name, for messages.
    pub cluster_name: String,
    /// Who asks.
    pub user: AuthInfo,
    /// The user's name, for messages.
    pub user_name: String,
    /// The context's namespace.
    pub namespace: Option<String>,
    /// The context's name.
    pub context: Option<String>,
}

/// Selects from the kubeconfig; nothing when it has nothing and nothing was said.
pub(super) fn select(
    loaded: &Loaded,
    options: &ConnectOptions,
) -> Result<Option<Selection>, ConnectError> {
    let named = options.cluster.is_some() || options.user.is_some();
    let context_name = options
        .context
        .as_ref()
        .or(loaded.kubeconfig.current_context.as_ref());
    let context = match context_name {
        Some(name) => context(loaded, name, options.context.is_none())?,
        None if named || options.server.is_some() => Context::default(),
        None if loaded.kubeconfig.contexts.is_empty() => return Ok(None),
        None => return Err(no_current_context(loaded)),
    };
    let (cluster_name, cluster) = cluster(loaded, options, &context, context_name)?;
    let (user_name, user) = user(loaded, options, &context)?;
    Ok(Some(Selection {
        cluster,
        cluster_name,
        user,
        user_name,
        namespace: context.namespace.filter(|name| !name.is_empty()),
        context: context_name.cloned(),
    }))
}

fn context(loaded: &Loaded, name: &str, is_current: bool) -> Result<Context, ConnectError> {
    let contexts = &loaded.kubeconfig.contexts;
    let found = contexts.iter().find(|context| context.name == name);
    found
        .map(|found| found.context.clone().unwrap_or_default())
        .ok_or_else(|| {
            let wanted_by = if is_current {
                "it is the current-context; "
            } else {
                ""
            };
            unknown(
                loaded,
                "context",
                name,
                wanted_by.to_owned(),
                names(contexts, |c| &c.name),
            )
        })
}

fn cluster(
    loaded: &Loaded,
    options: &ConnectOptions,
    context: &Context,
    context_name: Option<&String>,
) -> Result<(String, Cluster), ConnectError> {
    let name = options.cluster.as_ref().unwrap_or(&context.cluster);
    let clusters = &loaded.kubeconfig.clusters;
    if let Some(found) = clusters.iter().find(|cluster| cluster.name == *name) {
        return Ok((name.clone(), found.cluster.clone().unwrap_or_default()));
    }
    if options.cluster.is_none() && options.server.is_some() {
        return Ok((String::new(), Cluster::default()));
    }
    let wanted_by = match (options.cluster.is_none(), context_name) {
        (true, Some(context)) => format!("context {context:?} refers to it; "),
        _ => String::new(),
    };
    let known = names(clusters, |cluster| &cluster.name);
    Err(unknown(loaded, "cluster", name, wanted_by, known))
}

/// As in kubectl, a user that was named must exist, but one that a context names may be missing.
fn user(
    loaded: &Loaded,
    options: &ConnectOptions,
    context: &Context,
) -> Result<(String, AuthInfo), ConnectError> {
    let Some(name) = options.user.as_ref().or(context.user.as_ref()) else {
        return Ok(Default::default());
    };
    let users = &loaded.kubeconfig.auth_infos;
    match users.iter().find(|user| user.name == *name) {
        Some(found) => Ok((name.clone(), found.auth_info.clone().unwrap_or_default())),
        None if options.user.is_none() => Ok((name.clone(), AuthInfo::default())),
        None => {
            let known = names(users, |user| &user.name);
            Err(unknown(loaded, "user", name, String::new(), known))
        }
    }
}

fn no_current_context(loaded: &Loaded) -> ConnectError {
    ConnectError::NoCurrentContext {
        files: loaded.files(),
        known: names(&loaded.kubeconfig.contexts, |context| &context.name),
    }
}

fn unknown(
    loaded: &Loaded,
    kind: &'static str,
    name: &str,
    wanted_by: String,
    known: String,
) -> ConnectError {
    let files = if loaded.found.is_empty() {
        format!("any kubeconfig ({})", loaded.looked_for())
    } else {
        loaded.files()
    };
    ConnectError::Unknown {
        kind,
        name: name.to_owned(),
        files,
        wanted_by,
        known,
    }
}

fn names<T>(items: &[T], name: impl Fn(&T) -> &String) -> String {
    let mut names: Vec<&str> = items.iter().map(|item| name(item).as_str()).collect();
    names.sort_unstable();
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}
