//! Chooses the context, the cluster and the user.

use kube::config::{AuthInfo, Cluster, Context};

use super::{error::ConnectError, kubeconfig::Files, options::ConnectOptions, unknown::Unknown};

/// The cluster, the user and the namespace to work with, before the flags change them.
#[derive(Default)]
pub struct Selection {
    /// How to reach the API server.
    pub cluster: Cluster,
    /// Who we are.
    pub user: AuthInfo,
    /// The context's namespace.
    pub namespace: Option<String>,
    /// The context's name.
    pub context: Option<String>,
}

/// Chooses by the flags, or else by the current context.
pub fn select(files: &Files, options: &ConnectOptions) -> Result<Selection, ConnectError> {
    let kubeconfig = &files.kubeconfig;
    let name = options.context.as_ref();
    let name = name.or(kubeconfig.current_context.as_ref()).cloned();
    let context = match &name {
        Some(name) => context(files, name)?,
        None if options.cluster.is_some() || options.server.is_some() => Context::default(),
        None => return Err(no_context(files)),
    };
    Ok(Selection {
        cluster: cluster(files, &context, options)?,
        user: user(files, &context, options)?,
        namespace: context.namespace.filter(|namespace| !namespace.is_empty()),
        context: name,
    })
}

fn no_context(files: &Files) -> ConnectError {
    if files.read.is_empty() {
        return ConnectError::NoConfiguration(files.missing.clone());
    }
    let contexts = files.kubeconfig.contexts.iter();
    ConnectError::NoCurrentContext {
        files: files.read.clone(),
        contexts: contexts.map(|context| context.name.clone()).collect(),
    }
}

fn context(files: &Files, name: &str) -> Result<Context, ConnectError> {
    let contexts = &files.kubeconfig.contexts;
    let Some(named) = contexts.iter().find(|context| context.name == name) else {
        let known = contexts.iter().map(|context| &context.name);
        return Err(Unknown::new("context", name, known, files).into());
    };
    Ok(named.context.clone().unwrap_or_default())
}

fn cluster(
    files: &Files,
    context: &Context,
    options: &ConnectOptions,
) -> Result<Cluster, ConnectError> {
    let name = options.cluster.as_ref().unwrap_or(&context.cluster);
    if name.is_empty() {
        return Ok(Cluster::default());
    }
    let clusters = &files.kubeconfig.clusters;
    let Some(named) = clusters.iter().find(|cluster| cluster.name == *name) else {
        let known = clusters.iter().map(|cluster| &cluster.name);
        return Err(Unknown::new("cluster", name, known, files).into());
    };
    Ok(named.cluster.clone().unwrap_or_default())
}

/// kubectl goes on as nobody when the context's user is missing; that can't be meant unless the
/// flags say who we are.
fn user(
    files: &Files,
    context: &Context,
    options: &ConnectOptions,
) -> Result<AuthInfo, ConnectError> {
    let name = options.user.as_ref().or(context.user.as_ref());
    let Some(name) = name.filter(|name| !name.is_empty()) else {
        return Ok(AuthInfo::default());
    };
    let users = &files.kubeconfig.auth_infos;
    match users.iter().find(|user| user.name == *name) {
        Some(named) => Ok(named.auth_info.clone().unwrap_or_default()),
        None if options.user.is_none() && options.has_credentials() => Ok(AuthInfo::default()),
        None => {
            let known = users.iter().map(|user| &user.name);
            Err(Unknown::new("user", name, known, files).into())
        }
    }
}
