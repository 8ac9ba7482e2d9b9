//! Reads the files that `-f` names, and collects the problems of all of them.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::parse::{Located, MAX_BYTES, duplicates, parse_alone, too_large};
use super::problem::{Problem, Problems};
use crate::api::Kind;

/// The endings of the files that are read from a directory, as kubectl has them.
const ENDINGS: [&str; 3] = ["json", "yaml", "yml"];

/// Reads all the objects of one kind in files, directories and, for the path `-`, the standard input.
///
/// A directory's files are read in the order of their names, its subdirectories are not. Objects of our
/// other kinds are passed over. No object at all is an error: acting on nothing by accident could remove
/// everything that was made before.
pub fn load<K: Kind>(
    paths: &[PathBuf],
    standard_input: &mut dyn Read,
) -> Result<Vec<Located<K>>, Problems> {
    let objects = load_any(paths, standard_input)?;
    if objects.is_empty() {
        let names: Vec<String> = paths.iter().map(|path| name(path)).collect();
        return Err(Problems(vec![Problem::of_file(
            &names.join(", "),
            format!("no {} found; give a file that has one", K::kind(&())),
        )]));
    }
    Ok(objects)
}

/// Reads as [`load`] does, where no object at all is no error.
pub fn load_any<K: Kind>(
    paths: &[PathBuf],
    standard_input: &mut dyn Read,
) -> Result<Vec<Located<K>>, Problems> {
    let (mut objects, mut problems) = (Vec::new(), Vec::new());
    for path in paths {
        for file in files(path).unwrap_or_else(|problem| {
            problems.push(problem);
            Vec::new()
        }) {
            match text(&file, standard_input) {
                Err(problem) => problems.push(problem),
                Ok(text) => {
                    let (more, refused) = parse_alone(&name(&file), &text);
                    objects.extend(more);
                    problems.extend(refused);
                }
            }
        }
    }
    problems.extend(duplicates(&objects));
    if problems.is_empty() {
        Ok(objects)
    } else {
        Err(Problems(problems))
    }
}

/// The file itself, or a directory's files.
fn files(path: &Path) -> Result<Vec<PathBuf>, Problem> {
    if is_standard_input(path) || !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = fs::read_dir(path).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let entries = entries.map_err(|error| unreadable(path, &error))?;
    let mut files: Vec<PathBuf> = entries
        .into_iter()
        .map(|entry| entry.path())
        .filter(|file| has_known_ending(file) && !file.is_dir())
        .collect();
    files.sort();
    if files.is_empty() {
        let message =
            "the directory has no .json, .yaml or .yml file; subdirectories are not searched";
        return Err(Problem::of_file(&name(path), message));
    }
    Ok(files)
}

/// The text of a file or of the standard input.
fn text(path: &Path, standard_input: &mut dyn Read) -> Result<String, Problem> {
    // One byte more than allowed tells a file that is too large from one that just fits.
    let limit = MAX_BYTES as u64 + 1;
    let mut bytes = Vec::new();
    let read = if is_standard_input(path) {
        standard_input.take(limit).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes))
    };
    read.map_err(|error| unreadable(path, &error))?;
    if bytes.len() > MAX_BYTES {
        return Err(too_large(&name(path)));
    }
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.split(|byte| *byte == b'\n').count();
        Problem::of_file(
            &name(path),
            format!("line {line} is not UTF-8; save the file as UTF-8"),
        )
    })
}

fn unreadable(path: &Path, error: &io::Error) -> Problem {
    Problem::of_file(&name(path), format!("can't be read: {error}"))
}

fn has_known_ending(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known))
}

fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn name(path: &Path) -> String {
    path.display().to_string()
}
