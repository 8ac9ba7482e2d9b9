//! Keeps answers between runs, so that a provider isn't asked more often than it has news.

use std::{
    cell::RefCell,
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use jiff::Timestamp;
use reqwest::Url;
use tracing::debug;

use super::{
    key::Key,
    record::{Record, digest},
};
use crate::rates::provider::ProviderType;

/// Records that nobody has written for this long are removed: an address that has a day in it is asked
/// once only.
const LONGEST_LIFE: Duration = Duration::from_hours(7 * 24);
/// What the names of our files end with.
const ENDING: &str = ".rates";

/// A folder of records, if there is one. It is only ever of help: what goes wrong with it is passed over, and
/// what can't be kept in it is kept in memory.
pub struct Cache {
    folder: Option<PathBuf>,
    unwritten: RefCell<HashMap<String, Record>>,
}

/// Which record.
pub struct Name(String);

impl Name {
    /// The record of what is asked at an address with a key.
    pub fn new(kind: ProviderType, url: &Url, key: Option<&Key>) -> Self {
        let mut identity = format!("{kind} {url} ").into_bytes();
        identity.extend(key.map(Key::digest).unwrap_or_default());
        Self(format!("{}{ENDING}", digest(&identity)))
    }
}

impl Cache {
    /// Records in this folder, which is made when it is needed.
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self {
            folder,
            unwritten: RefCell::default(),
        }
    }

    /// The record of this name.
    pub fn load(&self, name: &Name) -> Option<Record> {
        if let Some(record) = self.unwritten.borrow().get(&name.0) {
            return Some(record.clone());
        }
        let path = self.folder.as_ref()?.join(&name.0);
        match fs::read(path) {
            Ok(bytes) => Record::read(&bytes),
            Err(error) => {
                if error.kind() != io::ErrorKind::NotFound {
                    debug!(%error, "a cached answer can't be read");
                }
                None
            }
        }
    }

    /// Writes a record, unless the provider has repeated the key in it.
    pub fn store(&self, name: &Name, record: &Record, key: Option<&Key>) {
        let bytes = record.write();
        if key.is_some_and(|key| key.is_in(&bytes)) {
            debug!("an answer has the key in it, and so isn't cached");
            return;
        }
        let mut unwritten = self.unwritten.borrow_mut();
        let folder = self.folder.as_deref();
        match folder.map(|folder| write(folder, &name.0, &bytes)) {
            Some(Ok(())) => {
                unwritten.remove(&name.0);
                return;
            }
            Some(Err(error)) => debug!(%error, "an answer can't be written"),
            None => {}
        }
        let now = Timestamp::now();
        unwritten.retain(|_, record| !is_old(record, now));
        unwritten.insert(name.0.clone(), record.clone());
    }
}

fn is_old(record: &Record, now: Timestamp) -> bool {
    let age = Duration::try_from(now.duration_since(record.fetched));
    age.is_ok_and(|age| age > LONGEST_LIFE)
}

/// Whoever reads at the same time gets the old content or the new one.
fn write(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)?;
    remove_old(folder, SystemTime::now());
    // Only its owner can read what tempfile makes.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    io::Write::write_all(&mut file, bytes)?;
    file.persist(folder.join(name))?;
    Ok(())
}

fn remove_old(folder: &Path, now: SystemTime) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let is_old = |entry: &fs::DirEntry| {
        let written = entry.metadata().and_then(|metadata| metadata.modified());
        let age = written
            .ok()
            .and_then(|written| now.duration_since(written).ok());
        age.is_some_and(|age| age > LONGEST_LIFE)
    };
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name();
        let is_ours = name.to_str().is_some_and(|name| name.ends_with(ENDING));
        if is_ours && is_old(&entry) {
            // Another run may have been faster.
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rates::provider::Provider;

    fn url() -> Url {
        Url::parse("https://a.example/live").unwrap()
    }

    fn key(text: &str) -> Key {
        let provider: &dyn Provider = ProviderType::ExchangeRateHost.provider();
        Key::new(provider, Some(&text.into())).unwrap().unwrap()
    }

    fn record(body: &str) -> Record {
        Record {
            body: Some(body.into()),
            ..Record::empty(Timestamp::UNIX_EPOCH)
        }
    }

    #[test]
    fn each_key_has_its_own_records() {
        let (one, other) = (key("a"), key("b"));
        let name = |key| Name::new(ProviderType::ExchangeRateHost, &url(), key).0;
        assert_ne!(name(Some(&one)), name(Some(&other)));
        assert_ne!(name(Some(&one)), name(None));
        assert_eq!(name(None).len(), 64 + ENDING.len());
    }

    #[test]
    fn only_the_owner_can_read_what_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("copyrator/rates");
        let cache = Cache::new(Some(inner.clone()));
        let name = Name::new(ProviderType::Ecb, &url(), None);
        assert_eq!(cache.load(&name), None);
        cache.store(&name, &record("a"), None);
        assert_eq!(cache.load(&name), Some(record("a")));
        cache.store(&name, &record("b"), None);
        assert_eq!(cache.load(&name), Some(record("b")));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode(&inner), 0o700);
            assert_eq!(mode(&inner.join(&name.0)), 0o600);
        }
    }

    #[test]
    fn a_damaged_record_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(Some(folder.path().to_owned()));
        let name = Name::new(ProviderType::Ecb, &url(), None);
        fs::write(folder.path().join(&name.0), "garbage").unwrap();
        assert_eq!(cache.load(&name), None);
    }

    #[test]
    fn a_folder_that_can_t_be_written_does_no_harm() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let cache = Cache::new(Some(file.path().join("rates")));
        let name = Name::new(ProviderType::Ecb, &url(), None);
        cache.store(&name, &record("a"), None);
        assert_eq!(cache.load(&name), Some(record("a")));
        assert_eq!(
            Cache::new(Some(file.path().join("rates"))).load(&name),
            None
        );
    }

    #[test]
    fn without_a_folder_records_are_kept_for_a_while() {
        let cache = Cache::new(None);
        let name = |text: &str| {
            let url = url().join(text).unwrap();
            Name::new(ProviderType::Ecb, &url, None)
        };
        cache.store(&name("old"), &record("a"), None);
        assert_eq!(cache.load(&name("old")), Some(record("a")));
        let new = Record {
            fetched: Timestamp::now(),
            ..record("b")
        };
        cache.store(&name("new"), &new, None);
        assert_eq!(cache.load(&name("old")), None, "it is of 1970");
        assert_eq!(cache.load(&name("new")), Some(new));
    }

    #[test]
    fn an_answer_with_the_key_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(Some(folder.path().to_owned()));
        let key = key("hunter2");
        let name = Name::new(ProviderType::ExchangeRateHost, &url(), Some(&key));
        cache.store(&name, &record("your key is hunter2"), Some(&key));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_nobody_asks_for_any_more_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.rates", "b.rates", "notes.txt"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        remove_old(folder.path(), SystemTime::now());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
        remove_old(folder.path(), SystemTime::now() + LONGEST_LIFE * 2);
        let left: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(left, ["notes.txt"]);
    }
}
