//! Writes tar archives, as POSIX.1-1988 describes them ("ustar"): files, folders and links that
//! belong to root, with short names.

use std::collections::BTreeSet;

const BLOCK: usize = 512;

/// The longest path and the longest target of a link that the format's plain fields hold.
pub(crate) const LONGEST_PATH: usize = 100;

/// What kind of thing an entry is, by its type flag.
#[derive(Clone, Copy)]
enum Kind {
    File = b'0' as isize,
    Link = b'2' as isize,
    Folder = b'5' as isize,
}

/// A growing archive.
#[derive(Debug, Default)]
pub(crate) struct Archive {
    bytes: Vec<u8>,
    folders: BTreeSet<String>,
}

impl Archive {
    /// Adds a file. Its path is relative to the archive's root.
    pub(crate) fn file(&mut self, path: &str, mode: u32, content: &[u8]) {
        self.parents(path);
        self.header(path, Kind::File, mode, content.len(), "");
        self.bytes.extend_from_slice(content);
        self.pad();
    }

    /// Adds a symbolic link.
    pub(crate) fn link(&mut self, path: &str, target: &str) {
        self.parents(path);
        self.header(path, Kind::Link, 0o777, 0, target);
    }

    /// The whole archive.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.bytes.resize(self.bytes.len() + 2 * BLOCK, 0);
        self.bytes
    }

    fn parents(&mut self, path: &str) {
        for (end, _) in path.match_indices('/') {
            let folder = &path[..=end];
            if self.folders.insert(folder.to_owned()) {
                self.header(folder, Kind::Folder, 0o755, 0, "");
            }
        }
    }

    fn header(&mut self, path: &str, kind: Kind, mode: u32, size: usize, target: &str) {
        let fields = [
            (0, path.to_owned()),
            (100, format!("{mode:07o}")),
            (108, "0000000".to_owned()),
            (116, "0000000".to_owned()),
            (124, format!("{size:011o}")),
            (136, "00000000000".to_owned()),
            (148, "        ".to_owned()),
            (156, char::from(kind as u8).to_string()),
            (157, target.to_owned()),
            (257, "ustar\x0000".to_owned()),
        ];
        let mut block = [0; BLOCK];
        for (offset, text) in fields {
            block[offset..offset + text.len()].copy_from_slice(text.as_bytes());
        }
        let sum: u32 = block.iter().copied().map(u32::from).sum();
        block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        self.bytes.extend_from_slice(&block);
    }

    fn pad(&mut self) {
        let length = self.bytes.len().next_multiple_of(BLOCK);
        self.bytes.resize(length, 0);
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn tar_reads_what_is_written() {
        let mut archive = Archive::default();
        archive.file("a/b/program", 0o755, b"content");
        archive.file("a/empty", 0o644, b"");
        archive.link("a/link", "b/program");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("archive.tar");
        std::fs::write(&path, archive.finish()).expect("a written archive");
        let listed = Command::new("tar")
            .args(["--utc", "--numeric-owner", "-tvf"])
            .arg(&path)
            .stderr(Stdio::inherit())
            .output()
            .expect("a run of tar");
        assert!(listed.status.success());
        let listed = String::from_utf8(listed.stdout).expect("UTF-8");
        let lines: Vec<String> = listed
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(
            lines,
            [
                "drwxr-xr-x 0/0 0 1970-01-01 00:00 a/",
                "drwxr-xr-x 0/0 0 1970-01-01 00:00 a/b/",
                "-rwxr-xr-x 0/0 7 1970-01-01 00:00 a/b/program",
                "-rw-r--r-- 0/0 0 1970-01-01 00:00 a/empty",
                "lrwxrwxrwx 0/0 0 1970-01-01 00:00 a/link -> b/program",
            ]
        );
    }
}
