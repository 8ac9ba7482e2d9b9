//! Makes text from the cluster harmless for a terminal: somebody else may have written it.

use std::{borrow::Cow, fmt::Write};

/// Escapes what could steer a terminal; newlines and tabs are kept as the structure they are.
pub fn escape(text: &str) -> Cow<'_, str> {
    escape_unless(text, |character| matches!(character, '\n' | '\t'))
}

/// Escapes what could steer a terminal, and newlines too: the text stays on its line.
pub fn escape_line(text: &str) -> Cow<'_, str> {
    escape_unless(text, |character| character == '\t')
}

fn escape_unless(text: &str, keep: impl Fn(char) -> bool) -> Cow<'_, str> {
    let harmful = |character: char| steers(character) && !keep(character);
    if !text.contains(harmful) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if harmful(character) {
            push_escaped(&mut escaped, character);
        } else {
            escaped.push(character);
        }
    }
    Cow::Owned(escaped)
}

/// Control characters of both ranges, and those that reorder the text around them.
fn steers(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The lower range is written as kubectl writes it, the rest as JSON would, which keeps JSON valid.
fn push_escaped(escaped: &mut String, character: char) {
    match character {
        '\r' => escaped.push_str("\\r"),
        '\n' => escaped.push_str("\\n"),
        '\0'..='\x1f' => {
            escaped.push('^');
            escaped.push(char::from(character as u8 + b'@'));
        }
        _ => write!(escaped, "\\u{:04x}", u32::from(character))
            .expect("writing to a string can't fail"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_instead_of_obeyed() {
        let text = "red \u{1b}[31m bell \u{7} back \r delete \u{7f} csi \u{9b} mirrored \u{202e}";
        assert_eq!(
            escape(text),
            "red ^[[31m bell ^G back \\r delete \\u007f csi \\u009b mirrored \\u202e"
        );
    }

    #[test]
    fn structure_is_kept_where_it_is_structure() {
        assert_eq!(escape("a\n\tb"), "a\n\tb");
        assert_eq!(escape_line("a\n\tb"), "a\\n\tb");
    }

    #[test]
    fn harmless_text_is_not_copied() {
        assert!(matches!(escape("Grüße, 世界"), Cow::Borrowed(_)));
    }
}
