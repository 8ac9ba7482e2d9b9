//! Guesses which field, kind or value was meant by a misspelt one.

/// How alike two words must be, from 0 to 1, to be taken for a slip of the same one.
const ALIKE: f64 = 0.75;

/// `; did you mean "…"?` when a candidate is near enough, or else what is allowed.
pub(in crate::api) fn instead_of(word: &str, candidates: &[&str]) -> String {
    let likeness =
        |candidate: &str| strsim::jaro_winkler(&word.to_lowercase(), &candidate.to_lowercase());
    let best = candidates
        .iter()
        .map(|candidate| (likeness(candidate), candidate))
        .max_by(|(one, _), (other, _)| one.total_cmp(other));
    match best {
        Some((likeness, candidate)) if likeness >= ALIKE => {
            format!("; did you mean {candidate:?}?")
        }
        _ => format!("; allowed are {}", candidates.join(", ")),
    }
}
