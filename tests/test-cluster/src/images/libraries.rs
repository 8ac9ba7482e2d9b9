//! The shared libraries that a program needs, and its loader, as `ldd` names them.

use std::io::empty;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::Error;
use crate::nodes::run;

/// The libraries of a program, as paths of this machine. A static program has none.
pub(crate) fn of(program: &Path) -> Result<Vec<PathBuf>, Error> {
    match run(Command::new("ldd").arg(program), empty()) {
        Ok(listing) => Ok(paths(&listing)),
        Err(Error::Command { output, .. }) if output.contains("not a dynamic executable") => {
            Ok(Vec::new())
        }
        Err(error) => Err(error),
    }
}

/// Lines are `NAME => PATH (ADDRESS)`, `PATH (ADDRESS)`, or without a path what the kernel brings.
fn paths(listing: &str) -> Vec<PathBuf> {
    let words = listing.lines().flat_map(str::split_whitespace);
    words
        .filter(|word| word.starts_with('/'))
        .map(PathBuf::from)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_and_the_loader_are_named() {
        let listing = "\tlinux-vdso.so.1 (0x00007ffd)\n\
                       \tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f1d)\n\
                       \t/lib64/ld-linux-x86-64.so.2 (0x00007f1e)\n";
        let names = [
            "/lib/x86_64-linux-gnu/libc.so.6",
            "/lib64/ld-linux-x86-64.so.2",
        ];
        assert_eq!(paths(listing), names.map(PathBuf::from));
        assert_eq!(paths("\tstatically linked\n"), [""; 0].map(PathBuf::from));
    }

    #[test]
    fn a_text_has_none() {
        let text = tempfile::NamedTempFile::new().expect("a temporary file");
        assert!(of(text.path()).expect("a listing").is_empty());
    }
}
