//! What the objects in a cluster may have us ask, which others may have written.

use std::path::{Path, PathBuf};

use reqwest::Url;

use super::{Failure, KeySource, Origin, ProviderType, Source, UrlPrefix, public};

/// What may be asked for. What a person gives at the prompt is never restricted; what an object in a
/// cluster says is held to this, as who wrote it might want to have us read what only we can.
#[derive(Clone, Debug)]
pub struct Permissions {
    /// Which files may be read.
    pub files: FilePermission,
    /// Which addresses may be asked beyond the providers' own.
    pub urls: UrlPermission,
    /// Whether the Secrets that objects name may be read.
    pub secrets: bool,
}

/// Which files may be read.
#[derive(Clone, Debug)]
pub enum FilePermission {
    /// Those in these folders, however many links lead there. None at all if there is no folder.
    Folders(Vec<PathBuf>),
    /// All.
    Any,
}

/// Which addresses may be asked beyond the providers' own.
#[derive(Clone, Debug)]
pub enum UrlPermission {
    /// None.
    None,
    /// Those of the public internet, over https.
    Public,
    /// Those that begin so.
    Prefixes(Vec<UrlPrefix>),
    /// All.
    Any,
}

/// How far a request may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Wherever its address leads.
    Anywhere,
    /// Only to addresses of the public internet, whatever a name stands for.
    Public,
}

impl Permissions {
    /// For somebody who runs us with files of their own: all is allowed.
    pub fn for_own_objects() -> Self {
        Self {
            files: FilePermission::Any,
            urls: UrlPermission::Any,
            secrets: true,
        }
    }

    /// For objects that others write: nothing beyond the providers' own addresses.
    pub fn for_objects_of_others() -> Self {
        Self {
            files: FilePermission::Folders(Vec::new()),
            urls: UrlPermission::None,
            secrets: false,
        }
    }

    /// Whether a source's Secret may be read.
    pub fn may_read_secret(&self, source: &Source) -> bool {
        source.given_by() == Origin::Own || self.secrets
    }

    /// Whether a source may be asked at `url`, which is of its address, and how far that may lead.
    pub(super) fn reach(&self, source: &Source, url: &Url) -> Result<Reach, Failure> {
        let is_given = source.url().is_some() && !is_of_provider(source.kind(), url);
        if source.given_by() == Origin::Own || !is_given {
            return Ok(Reach::Anywhere);
        }
        let reach = self.reach_of_others(url)?;
        if source.key() == Some(&KeySource::Environment) && !self.allows_by_name(url) {
            return Err(Failure::not_permitted(
                "the key of the environment isn't sent to an address that an object gives, unless \
                 that is allowed by name",
            ));
        }
        Ok(reach)
    }

    /// Whether a source that was asked at `from`, within that reach, may be asked at `to` instead, and how
    /// far that may lead.
    pub(super) fn reach_of_redirect(
        &self,
        source: &Source,
        (from, reach): (&Url, Reach),
        to: &Url,
    ) -> Result<Reach, Failure> {
        if source.given_by() == Origin::Own {
            return Ok(Reach::Anywhere);
        }
        if source.url().is_some() {
            return self.reach_of_others(to);
        }
        // A provider's own may move, but never into somebody's own network.
        if from.origin() == to.origin() {
            Ok(reach)
        } else {
            public_only(to)
        }
    }

    /// Whether an address is one of those that are allowed one by one.
    fn allows_by_name(&self, url: &Url) -> bool {
        match &self.urls {
            UrlPermission::Prefixes(prefixes) => prefixes.iter().any(|prefix| prefix.matches(url)),
            _ => false,
        }
    }

    fn reach_of_others(&self, url: &Url) -> Result<Reach, Failure> {
        let is_of = |kind| is_of_provider(kind, url);
        if ProviderType::ALL.into_iter().any(is_of) || self.allows_by_name(url) {
            return Ok(Reach::Anywhere);
        }
        match &self.urls {
            UrlPermission::Any => Ok(Reach::Anywhere),
            UrlPermission::Public => public_only(url),
            UrlPermission::Prefixes(_) | UrlPermission::None => Err(Failure::not_permitted(
                "objects may not name this address (--allow-urls)",
            )),
        }
    }

    /// The file that a path leads to, if it may be read. Whether a file is there is told only of those
    /// that may.
    pub(super) fn file(&self, source: &Source, path: &Path) -> Result<PathBuf, Failure> {
        let real = path.canonicalize();
        let (FilePermission::Folders(folders), Origin::Cluster) = (&self.files, source.given_by())
        else {
            return real.map_err(|error| unreadable(&error));
        };
        let is_in = |path: &Path| {
            let mut folders = folders
                .iter()
                .filter_map(|folder| folder.canonicalize().ok());
            folders.any(|folder| path.starts_with(folder))
        };
        match real {
            Ok(real) if is_in(&real) => Ok(real),
            Err(error) if folders.iter().any(|folder| path.starts_with(folder)) => {
                Err(unreadable(&error))
            }
            _ => Err(Failure::not_permitted(
                "the file is in no folder that objects may name (--allow-files)",
            )),
        }
    }
}

/// A file that can't be read.
pub(super) fn unreadable(error: &std::io::Error) -> Failure {
    Failure::Unreadable(error.kind().to_string())
}

fn public_only(url: &Url) -> Result<Reach, Failure> {
    if url.scheme() != "https" {
        return Err(Failure::not_permitted(
            "objects may only name https: addresses",
        ));
    }
    if !public::may_be_public(url) {
        return Err(Failure::not_permitted(
            "objects may only name addresses of the public internet",
        ));
    }
    Ok(Reach::Public)
}

/// Whether this is an address that an object gets by leaving its address out.
fn is_of_provider(kind: ProviderType, url: &Url) -> bool {
    let endpoint = kind.provider().endpoint();
    let endpoint = endpoint.and_then(|endpoint| endpoint.parse::<UrlPrefix>().ok());
    endpoint.is_some_and(|endpoint| endpoint.matches(url))
}

#[cfg(test)]
#[path = "permissions_tests.rs"]
mod tests;
