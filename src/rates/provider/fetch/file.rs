//! Rates in a file.

use std::{
    fs::{self, File},
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use reqwest::Url;

use crate::rates::provider::{Failure, Permissions, Source, permissions::unreadable};

/// Reads the file of an address, if it may be read.
pub fn read(
    permissions: &Permissions,
    source: &Source,
    url: &Url,
    limit: u64,
) -> Result<Vec<u8>, Failure> {
    let no_path = || Failure::Unreadable("its address is no path of this system".to_owned());
    let path: PathBuf = url.to_file_path().map_err(|()| no_path())?;
    let path = permissions.file(source, &path)?;
    let bytes = read_regular(&path, limit).map_err(|error| unreadable(&error))?;
    if bytes.len() as u64 > limit {
        return Err(Failure::TooLarge(limit >> 20));
    }
    Ok(bytes)
}

/// One byte more than the limit tells that there is more. A pipe or a device might never end, and even
/// to open a pipe can take forever, so it is looked at before.
fn read_regular(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let is_file = |metadata: fs::Metadata| {
        let not_regular = || io::Error::from(io::ErrorKind::InvalidInput);
        metadata.is_file().then_some(()).ok_or_else(not_regular)
    };
    is_file(fs::metadata(path)?)?;
    let file = File::open(path)?;
    is_file(file.metadata()?)?;
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rates::provider::{Origin, ProviderType};

    fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, Failure> {
        let url = Url::from_file_path(path).unwrap();
        let address = url.as_str().parse().unwrap();
        let source = Source::new(ProviderType::Url, Some(address), None, Origin::Own).unwrap();
        read(&Permissions::for_own_objects(), &source, &url, limit)
    }

    #[test]
    fn only_whole_regular_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rates.json");
        fs::write(&path, "12345").unwrap();
        assert_eq!(read_file(&path, 5), Ok(b"12345".to_vec()));
        assert_eq!(read_file(&path, 4), Err(Failure::TooLarge(0)));
        let folder = read_file(folder.path(), 5).unwrap_err();
        assert_eq!(
            folder.to_string(),
            "the file can't be read: invalid input parameter"
        );
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_never_ends_is_not_begun() {
        let error = read_file(Path::new("/dev/zero"), 5).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the file can't be read: invalid input parameter"
        );
    }
}
