//! The folder of one cluster: etcd's data, certificates, logs and kubeconfigs.
//!
//! Its lock file stays locked for as long as the cluster has an owner or a janitor (see
//! `lifeline`), so a folder whose lock is free was left over by a crash. Whoever makes a folder
//! checks, once it holds the lock, that the lock is still in the folder: somebody may have taken
//! the fresh folder for a leftover in the moment before.

use std::fs::{self, DirBuilder, File, Permissions, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::leftovers;

/// What the folders under the temporary folder are called, before a number.
pub(crate) const PREFIX: &str = "kubectl-copyrator-test-cluster-";

/// The lock's file name. It tells our folders from all others, so it must be like no other.
const LOCK: &str = "kubectl-copyrator-test-cluster.lock";

/// A folder that is ours. Dropping it doesn't remove it: that is the janitor's job.
#[derive(Debug)]
pub(crate) struct ClusterDirectory {
    path: PathBuf,
    lock: File,
}

impl ClusterDirectory {
    /// Makes a folder under the temporary folder, or at `wanted`, after removing what crashed
    /// runs left there.
    pub(crate) fn create(wanted: Option<&Path>) -> Result<Self, Error> {
        match wanted {
            Some(path) => Self::at(path),
            None => Self::under(&std::env::temp_dir()),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A handle that shares the lock: it is free when the last handle is closed.
    pub(crate) fn share_lock(&self) -> Result<File, Error> {
        self.lock
            .try_clone()
            .map_err(Error::file("share the lock of", &self.path))
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> Result<PathBuf, Error> {
        let path = self.path.join(name);
        fs::write(&path, text).map_err(Error::file("write", &path))?;
        Ok(path)
    }

    fn under(parent: &Path) -> Result<Self, Error> {
        leftovers::sweep(parent);
        let parent = parent.canonicalize().map_err(Error::file("find", parent))?;
        let process = std::process::id();
        for number in 0_u32.. {
            let path = parent.join(format!("{PREFIX}{process}-{number}"));
            match make(&path) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(Error::file("create", &path)(error)),
            }
            if let Some(directory) = Self::claim(&path)? {
                return Ok(directory);
            }
        }
        unreachable!("a folder has fewer than 2^32 entries")
    }

    fn at(wanted: &Path) -> Result<Self, Error> {
        let path = std::path::absolute(wanted).map_err(Error::file("find", wanted))?;
        if path.join(LOCK).exists() && !leftovers::clear(&path)? {
            return Err(Error::DirectoryInUse(path));
        }
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(Error::file("create", parent))?;
        }
        match make(&path) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists && is_empty(&path) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                return Err(Error::DirectoryTaken(path));
            }
            Err(error) => return Err(Error::file("create", &path)(error)),
        }
        // One that was there already may be open to all, and there will be keys in it.
        let private = Permissions::from_mode(0o700);
        fs::set_permissions(&path, private).map_err(Error::file("make private", &path))?;
        Self::claim(&path)?.ok_or(Error::DirectoryInUse(path))
    }

    /// Takes the lock; `None` if somebody else was faster.
    fn claim(path: &Path) -> Result<Option<Self>, Error> {
        let Some(lock) = try_lock(path)? else {
            return Ok(None);
        };
        Ok(Some(Self {
            path: path.to_owned(),
            lock,
        }))
    }
}

fn make(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(path)
}

fn is_empty(path: &Path) -> bool {
    fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none())
}

/// Locks the folder's lock file, which is made if it is missing. `None` if it is held, or if the
/// folder went away meanwhile.
pub(crate) fn try_lock(folder: &Path) -> Result<Option<File>, Error> {
    let path = folder.join(LOCK);
    let file = match File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
    {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::file("open", &path)(error)),
    };
    match file.try_lock() {
        Ok(()) => Ok(is_still_at(&file, &path).then_some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(Error::file("lock", &path)(error)),
    }
}

fn is_still_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), path.metadata()) {
        (Ok(held), Ok(named)) => (held.dev(), held.ino()) == (named.dev(), named.ino()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_under_one_parent_differ_and_are_private() {
        let parent = tempfile::tempdir().expect("a temporary folder");
        let first = ClusterDirectory::under(parent.path()).expect("a folder");
        let second = ClusterDirectory::under(parent.path()).expect("a folder");
        assert_ne!(first.path(), second.path());
        let mode = first.path().metadata().expect("metadata").mode();
        assert_eq!(mode & 0o777, 0o700);
    }

    #[test]
    fn a_leftover_is_removed_and_a_held_folder_is_not() {
        let parent = tempfile::tempdir().expect("a temporary folder");
        let leftover = ClusterDirectory::under(parent.path()).expect("a folder");
        let log = leftover.write("etcd.log", "").expect("a written file");
        drop(leftover);
        let held = ClusterDirectory::under(parent.path()).expect("a folder");
        assert!(!log.exists());
        let third = ClusterDirectory::under(parent.path()).expect("a folder");
        assert!(held.path().exists());
        assert!(third.path().exists());
    }

    #[test]
    fn the_lock_is_held_until_its_last_handle_is_closed() {
        let parent = tempfile::tempdir().expect("a temporary folder");
        let path = parent.path().join("cluster");
        let directory = ClusterDirectory::at(&path).expect("a folder");
        let shared = directory.share_lock().expect("a handle");
        drop(directory);
        let error = ClusterDirectory::at(&path).expect_err("it is held");
        assert!(matches!(error, Error::DirectoryInUse(_)), "{error}");
        drop(shared);
        ClusterDirectory::at(&path).expect("it was a leftover");
    }

    #[test]
    fn a_folder_with_somebodys_files_is_refused() {
        let parent = tempfile::tempdir().expect("a temporary folder");
        fs::write(parent.path().join("thesis.tex"), "").expect("a file");
        let error = ClusterDirectory::at(parent.path()).expect_err("it is taken");
        assert!(matches!(error, Error::DirectoryTaken(_)), "{error}");
        assert!(parent.path().join("thesis.tex").exists());
    }

    #[test]
    fn an_empty_folder_will_do_and_becomes_private() {
        let parent = tempfile::tempdir().expect("a temporary folder");
        let path = parent.path().join("cluster");
        DirBuilder::new()
            .mode(0o755)
            .create(&path)
            .expect("a folder");
        ClusterDirectory::at(&path).expect("it is empty");
        assert_eq!(path.metadata().expect("metadata").mode() & 0o777, 0o700);
    }
}
