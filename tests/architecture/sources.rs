//! Finds the source files.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// A source file.
pub struct Source {
    /// Its path from the repository's root, with slashes.
    pub path: String,
    /// What it holds.
    pub text: String,
}

/// All Rust files in these folders of the repository, with those in their subfolders. A folder that
/// isn't there holds none.
pub fn in_folders(folders: &[&str]) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in folders {
        collect(&root.join(folder), &mut files);
    }
    files.sort();
    assert!(!files.is_empty(), "no sources in {folders:?}");
    files.iter().map(|file| read(root, file)).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let path = entry.expect("a folder's entry can be read").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
}

fn read(root: &Path, file: &Path) -> Source {
    let relative = file.strip_prefix(root).expect("the file is in the root");
    let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
    Source {
        path: parts.join("/"),
        text: fs::read_to_string(file).expect("a source is UTF-8"),
    }
}
