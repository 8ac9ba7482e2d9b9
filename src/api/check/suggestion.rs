//! Guesses which field was meant by a misspelt one.

/// How alike two words must be, from 0 to 1, to be taken for a slip of the same one.
const ALIKE: f64 = 0.8;

/// The candidate that a word was probably meant to be.
pub(in crate::api) fn nearest<'names>(
    word: &str,
    candidates: &[&'names str],
) -> Option<&'names str> {
    let word = word.to_lowercase();
    candidates
        .iter()
        .map(|name| (strsim::jaro_winkler(&word, &name.to_lowercase()), *name))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, name)| name)
}

/// `; did you mean "…"?` when a candidate is near enough, or else what is allowed.
pub(super) fn instead_of(word: &str, candidates: &[&str]) -> String {
    match nearest(word, candidates) {
        Some(name) => format!("; did you mean {name:?}?"),
        None => format!("; allowed are {}", candidates.join(", ")),
    }
}
