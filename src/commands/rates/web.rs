//! How providers are asked, as the flags say.

use std::{collections::BTreeMap, env, path::PathBuf, time::Duration};

use secrecy::SecretString;

use super::sources::kind;
use crate::{
    cli::{KubeFlags, rates::PermissionFlags},
    commands::CommandError,
    rates::provider::{
        FilePermission, Permissions, ProviderType, UrlPermission, UrlPrefix, Web, WebOptions,
    },
};

/// What gets the rates for runs that come when it is time: nothing is put off that they have put off already.
pub fn punctual_web(flags: &PermissionFlags, kube: &KubeFlags) -> Result<Web, CommandError> {
    let options = WebOptions {
        longest_delay: Duration::ZERO,
        ..options(flags, kube)
    };
    Ok(Web::new(options, permissions(flags)?)?)
}

/// What gets the rates.
pub fn web(flags: &PermissionFlags, kube: &KubeFlags) -> Result<Web, CommandError> {
    Ok(Web::new(options(flags, kube), permissions(flags)?)?)
}

fn options(flags: &PermissionFlags, kube: &KubeFlags) -> WebOptions {
    WebOptions {
        authorities: flags.provider_ca.clone(),
        cache: cache_folder(kube),
        ignore_cache: flags.no_cache,
        ..WebOptions::default()
    }
}

/// Where answers are kept: in kubectl's own folder, that of the flag, of `KUBECACHEDIR`, or `.kube/cache` at home.
/// Source: <https://kubernetes.io/docs/reference/kubectl/kubectl/>
pub fn cache_folder(kube: &KubeFlags) -> Option<PathBuf> {
    let flag = kube.cache_dir.clone();
    let named = flag.or_else(|| env::var_os("KUBECACHEDIR").map(PathBuf::from));
    let named = named.filter(|folder| !folder.as_os_str().is_empty());
    let folder = named.or_else(|| Some(env::home_dir()?.join(".kube/cache")))?;
    Some(folder.join("copyrator/rates"))
}

/// What objects of the cluster may name.
pub fn permissions(flags: &PermissionFlags) -> Result<Permissions, CommandError> {
    Ok(Permissions {
        files: FilePermission::Folders(flags.allow_files.clone()),
        urls: urls(&flags.allow_urls)?,
        secrets: flags.allow_secrets,
    })
}

/// Which addresses objects of the cluster may name, as the flag `--allow-urls` says.
pub fn urls(flags: &[String]) -> Result<UrlPermission, CommandError> {
    let wrong = |text: String| CommandError::Arguments(format!("--allow-urls: {text}"));
    match flags {
        [one] if one == "none" => Ok(UrlPermission::None),
        [one] if one == "public" => Ok(UrlPermission::Public),
        [one] if one == "any" => Ok(UrlPermission::Any),
        urls => {
            let prefixes = urls.iter().map(|url| {
                let prefix = url.parse::<UrlPrefix>();
                prefix.map_err(|error| wrong(format!("{url:?}: {error}")))
            });
            Ok(UrlPermission::Prefixes(prefixes.collect::<Result<_, _>>()?))
        }
    }
}

/// The providers that take the place of those in specs.
pub fn asked(flags: &PermissionFlags) -> Result<Vec<ProviderType>, CommandError> {
    let kinds = flags.provider.iter().map(|name| kind(name));
    let kinds: Result<Vec<ProviderType>, _> = kinds.collect();
    kinds.map_err(|error| CommandError::Arguments(format!("--provider: {error}")))
}

/// The keys of providers that are in the environment.
pub fn environment() -> BTreeMap<&'static str, SecretString> {
    let variables = ProviderType::ALL.into_iter();
    let variables = variables.filter_map(|kind| kind.provider().needs_key());
    let keys = variables.filter_map(|name| {
        let value = env::var(name).ok().filter(|value| !value.is_empty())?;
        Some((name, SecretString::from(value)))
    });
    keys.collect()
}
