//! Durations as kubectl's flags take them.

use std::time::Duration;

use jiff::SignedDuration;

/// Reads a duration such as `30s`, `2m` or `1h30m`; only a zero goes without its unit.
pub fn parse(text: &str) -> Result<Duration, String> {
    let explain = || format!("{text:?} is no duration; write it as 30s, 2m or 1h30m");
    if text == "0" {
        return Ok(Duration::ZERO);
    }
    let duration: SignedDuration = text.parse().map_err(|_| explain())?;
    Duration::try_from(duration).map_err(|_| explain())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kubectl_durations_are_read() {
        for (text, milliseconds) in [
            ("0", 0),
            ("0s", 0),
            ("250ms", 250),
            ("1.5s", 1_500),
            ("60s", 60_000),
            ("2m", 120_000),
            ("1h30m", 5_400_000),
        ] {
            assert_eq!(
                parse(text),
                Ok(Duration::from_millis(milliseconds)),
                "{text}"
            );
        }
    }

    #[test]
    fn anything_else_is_refused_with_an_example() {
        for text in ["", "60", "1d", "-1s", "soon", "1s2"] {
            let refusal = parse(text).unwrap_err();
            assert!(refusal.contains("write it as 30s"), "{text}: {refusal}");
        }
    }
}
