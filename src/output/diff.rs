//! Unified diffs of objects, as `kubectl diff` prints them.

use std::io::{self, Write};

use similar::{ChangeTag, TextDiff};

use super::{Change, Palette, Secrecy, Style, escape_line};

/// Writes the diff of one object; returns whether there is a difference.
pub fn write_diff(
    out: &mut dyn Write,
    change: &Change<'_>,
    secrecy: Secrecy,
    palette: Palette,
) -> io::Result<bool> {
    let rendered = change.render(secrecy);
    if rendered.before == rendered.after {
        return Ok(false);
    }
    write_header(out, change, palette)?;
    let diff = TextDiff::from_lines(&rendered.before, &rendered.after);
    for hunk in diff.unified_diff().iter_hunks() {
        writeln!(
            out,
            "{}",
            palette.paint(Style::Cyan, &hunk.header().to_string())
        )?;
        for line in hunk.iter_changes() {
            write_line(out, line.tag(), line.value(), palette)?;
        }
    }
    Ok(true)
}

fn write_header(out: &mut dyn Write, change: &Change<'_>, palette: Palette) -> io::Result<()> {
    let name = change.file_name();
    let name = escape_line(&name);
    let lines = [
        format!("diff -u -N LIVE/{name} MERGED/{name}"),
        format!("--- LIVE/{name}"),
        format!("+++ MERGED/{name}"),
    ];
    lines
        .iter()
        .try_for_each(|line| writeln!(out, "{}", palette.paint(Style::Bold, line)))
}

fn write_line(out: &mut dyn Write, tag: ChangeTag, text: &str, palette: Palette) -> io::Result<()> {
    let line = format!(
        "{tag}{}",
        escape_line(text.strip_suffix('\n').unwrap_or(text))
    );
    match tag {
        ChangeTag::Equal => writeln!(out, "{line}"),
        ChangeTag::Delete => writeln!(out, "{}", palette.paint(Style::Red, &line)),
        ChangeTag::Insert => writeln!(out, "{}", palette.paint(Style::Green, &line)),
    }
}

#[cfg(test)]
#[path = "diff_tests.rs"]
mod tests;
