//! Short pieces of what somebody else wrote, fit to be shown.

use std::fmt::{self, Write as _};

/// The most characters that are shown of a text that isn't ours.
const MOST: usize = 60;
/// The most characters of a reason that a library gives, which may quote.
const MOST_OF_OURS: usize = 160;

/// A short piece of a text, on one line, with nothing that a terminal would obey.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt(String);

impl Excerpt {
    /// The beginning of a text, in quotes.
    pub fn of(text: &str) -> Self {
        Self(format!("\"{}\"", cut(text, MOST)))
    }

    /// The beginning of a text that says what is wrong, as it is.
    pub fn of_ours(text: &str) -> Self {
        Self(cut(text, MOST_OF_OURS))
    }
}

/// Counts what is shown, as one character may take several.
fn cut(text: &str, most: usize) -> String {
    let mut shown = String::new();
    for character in text.trim().chars() {
        let before = shown.len();
        match character {
            '"' | '\'' => shown.push(character),
            other => {
                let _ = write!(shown, "{}", other.escape_debug());
            }
        }
        if shown.chars().count() > most {
            shown.truncate(before);
            shown.push('…');
            break;
        }
    }
    shown
}

impl fmt::Display for Excerpt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_short_and_on_one_line() {
        assert_eq!(
            Excerpt::of(" a \"b\"\n\u{1b}[1m ").to_string(),
            r#""a "b"\n\u{1b}[1m""#
        );
        let long = Excerpt::of(&"é".repeat(1000)).to_string();
        assert_eq!(long, format!("\"{}…\"", "é".repeat(60)));
    }
}
