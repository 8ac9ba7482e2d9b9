//! SHA-256, by `ring`, whose assembly is as fast in a debug build.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use ring::digest::{Context, SHA256};

/// The digest of a file's contents.
pub(crate) fn of_file(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut context = Context::new(&SHA256);
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hexadecimal(context.finish().as_ref())),
            length => context.update(&buffer[..length]),
        }
    }
}

/// The digest of bytes at hand.
pub(crate) fn of_bytes(bytes: &[u8]) -> String {
    hexadecimal(ring::digest::digest(&SHA256, bytes).as_ref())
}

/// The digest of a sequence of texts, none of which has a NUL.
pub(crate) fn of_texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut context = Context::new(&SHA256);
    for text in texts {
        context.update(text.as_bytes());
        context.update(&[0]);
    }
    hexadecimal(context.finish().as_ref())
}

/// Bytes as lower-case hexadecimal digits.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_digest_that_sha256sum_prints() {
        let file = tempfile::NamedTempFile::new().expect("a temporary file");
        std::fs::write(file.path(), "abc").expect("a written file");
        let digest = of_file(file.path()).expect("a digest");
        assert!(digest.starts_with("ba7816bf8f01cfea"), "{digest}");
        assert_eq!(digest.len(), 64);
    }

    #[test]
    fn texts_are_told_apart() {
        assert_ne!(of_texts(["ab", "c"]), of_texts(["a", "bc"]));
    }
}
