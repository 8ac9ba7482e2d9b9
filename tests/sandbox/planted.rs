//! Secret values that nothing may print, and the search for them in what was printed.

use base64::{Engine as _, engine::general_purpose::STANDARD};

/// Is in every planted value, and in nothing else.
const MARKER: &str = "Zq7pVx2mWk9tRb4nHs6yJd3c";

/// Pieces of this length give a value away.
const PIECE: usize = 8;

/// A secret value, one for each version; whoever prints it, or a piece of it, fails the test.
pub fn planted(version: impl std::fmt::Display) -> String {
    format!("{MARKER}.{version}")
}

/// Asserts that neither a planted value nor a piece of one is in a text, plain or encoded.
#[track_caller]
pub fn assert_unseen(text: &str) {
    assert!(!is_seen(text), "a secret, or a piece of it, is in:\n{text}");
}

/// Whether a planted value or a piece of one is in a text, plain or encoded.
pub fn is_seen(text: &str) -> bool {
    forms().iter().any(|form| {
        let mut pieces = (0..=form.len() - PIECE).map(|start| &form[start..start + PIECE]);
        pieces.any(|piece| text.contains(piece))
    })
}

/// The marker as it is, in hexadecimal, and in base64 wherever it may begin there.
fn forms() -> Vec<String> {
    let hexadecimal: Vec<String> = MARKER.bytes().map(|byte| format!("{byte:02x}")).collect();
    let shifted = (0..3).map(|before| {
        let shifted = STANDARD.encode(format!("{}{MARKER}", &"???"[..before]));
        let clean = 4 * before.div_ceil(3)..shifted.trim_end_matches('=').len() / 4 * 4;
        shifted[clean].to_owned()
    });
    let twice = STANDARD.encode(STANDARD.encode(MARKER));
    shifted
        .chain([MARKER.to_owned(), hexadecimal.concat(), twice])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_planted_values_are_found() {
        let value = planted("x");
        assert!(is_seen(&value) && is_seen(&value[5..13]));
        for before in ["", "a", "ab", "abc"] {
            let encoded = STANDARD.encode(format!("{before}{value}"));
            assert!(is_seen(&encoded) && is_seen(&encoded[6..16]), "{before:?}");
        }
        assert!(is_seen(&STANDARD.encode(STANDARD.encode(&value))));
    }

    #[test]
    fn nothing_else_is() {
        assert!(!is_seen("secret/regcred created in namespace team-a"));
        assert!(!is_seen(&planted("x")[..7]));
    }
}
