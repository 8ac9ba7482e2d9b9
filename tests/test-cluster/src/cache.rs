//! The folder of built binaries: what is in it, whether it is intact, and who may write to it.
//!
//! Each binary that goes in is written down in a manifest with its SHA-256, size and time of
//! modification. Size and time are compared at every use, which finds a binary that is missing,
//! cut short or replaced; the SHA-256 would also find a flipped bit, but takes over a second, so
//! only [`Scrutiny::Full`] reads it.

use std::fmt::Write as _;
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use crate::components::Component;
use crate::digest;
use crate::error::Error;

/// How closely cached binaries are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scrutiny {
    /// Size and time of modification.
    Quick,
    /// The contents too.
    Full,
}

/// A folder of built binaries.
#[derive(Debug)]
pub(crate) struct Cache {
    folder: PathBuf,
}

/// What the manifest knows of one binary.
#[derive(Debug, PartialEq, Eq)]
struct Record {
    sha256: String,
    size: u64,
    modified: String,
}

impl Cache {
    pub(crate) fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The folder that holds nothing but binaries.
    pub(crate) fn binaries(&self) -> PathBuf {
        self.folder.join("bin")
    }

    /// The folder for what a build needs.
    pub(crate) fn sources(&self) -> PathBuf {
        self.folder.join("src")
    }

    /// Has `build` make every component that is missing or damaged; `waiting` is called once if
    /// another process is building, which is then waited for.
    pub(crate) fn ensure(
        &self,
        components: &[&'static Component],
        scrutiny: Scrutiny,
        waiting: impl FnOnce(),
        build: impl Fn(&'static Component, &Path) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if components
            .iter()
            .all(|component| self.is_intact(component.name, scrutiny))
        {
            return Ok(());
        }
        let _lock = self.lock(waiting)?;
        self.renew_unfinished()?;
        for component in components {
            // Whoever held the lock before may have built it.
            if !self.is_intact(component.name, scrutiny) {
                let unfinished = self.unfinished().join(component.name);
                build(component, &unfinished)?;
                self.admit(component.name, &unfinished)?;
            }
        }
        Ok(())
    }

    fn lock(&self, waiting: impl FnOnce()) -> Result<File, Error> {
        let binaries = self.binaries();
        fs::create_dir_all(&binaries).map_err(Error::file("create", &binaries))?;
        let path = self.folder.join("lock");
        let file = File::create(&path).map_err(Error::file("create", &path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                waiting();
                file.lock().map_err(Error::file("lock", &path))?;
            }
            Err(TryLockError::Error(source)) => return Err(Error::file("lock", &path)(source)),
        }
        Ok(file)
    }

    /// Takes in a finished binary. The manifest comes last: a crash in between costs a rebuild.
    fn admit(&self, name: &str, finished: &Path) -> Result<(), Error> {
        let target = self.binaries().join(name);
        fs::rename(finished, &target).map_err(Error::file("move a binary to", &target))?;
        let record = Record::of(&target).map_err(Error::file("read", &target))?;
        let mut records = self.records();
        records.retain(|(known, _)| known != name);
        records.push((name.to_owned(), record));
        self.write_manifest(&records)
    }

    fn is_intact(&self, name: &str, scrutiny: Scrutiny) -> bool {
        let path = self.binaries().join(name);
        let records = self.records();
        let Some((_, record)) = records.iter().find(|(known, _)| known == name) else {
            return false;
        };
        let Ok(metadata) = fs::metadata(&path) else {
            return false;
        };
        let looks_same = metadata.len() == record.size && modified(&metadata) == record.modified;
        looks_same
            && (scrutiny == Scrutiny::Quick
                || digest::of_file(&path).is_ok_and(|digest| digest == record.sha256))
    }

    /// The folder of what is being made. It is new each time the lock is taken: a compiler whose
    /// parent was killed may still be at work in the old one.
    fn unfinished(&self) -> PathBuf {
        self.folder.join("unfinished")
    }

    fn renew_unfinished(&self) -> Result<(), Error> {
        let folder = self.unfinished();
        match fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(Error::file("remove", &folder)(error))
            }
            _ => fs::create_dir(&folder).map_err(Error::file("create", &folder)),
        }
    }

    fn manifest(&self) -> PathBuf {
        self.folder.join("manifest")
    }

    /// An unreadable manifest is an empty one: what it would have said is built again.
    fn records(&self) -> Vec<(String, Record)> {
        let text = fs::read_to_string(self.manifest()).unwrap_or_default();
        text.lines().filter_map(Record::parse).collect()
    }

    fn write_manifest(&self, records: &[(String, Record)]) -> Result<(), Error> {
        let text = records
            .iter()
            .fold(String::new(), |mut text, (name, record)| {
                let Record {
                    sha256,
                    size,
                    modified,
                } = record;
                let _ = writeln!(text, "{sha256} {size} {modified} {name}");
                text
            });
        let unfinished = self.unfinished().join("manifest");
        fs::write(&unfinished, text).map_err(Error::file("write", &unfinished))?;
        fs::rename(&unfinished, self.manifest()).map_err(Error::file("write", self.manifest()))
    }
}

impl Record {
    fn of(path: &Path) -> std::io::Result<Self> {
        let metadata = fs::metadata(path)?;
        Ok(Self {
            sha256: digest::of_file(path)?,
            size: metadata.len(),
            modified: modified(&metadata),
        })
    }

    fn parse(line: &str) -> Option<(String, Self)> {
        let mut fields = line.split(' ');
        let record = Self {
            sha256: fields.next()?.to_owned(),
            size: fields.next()?.parse().ok()?,
            modified: fields.next()?.to_owned(),
        };
        Some((fields.next()?.to_owned(), record))
    }
}

fn modified(metadata: &fs::Metadata) -> String {
    format!("{}.{:09}", metadata.mtime(), metadata.mtime_nsec())
}

#[cfg(test)]
#[path = "cache_tests.rs"]
mod tests;
