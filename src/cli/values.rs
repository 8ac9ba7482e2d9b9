//! How the values of flags are read, with kubectl's words where it has some.

use std::time::Duration;

use secrecy::SecretString;

use crate::output::{ColourChoice, DryRun, Format};

/// A duration in kubectl's syntax: a number of seconds, or numbers with units (`1h30m`, `500ms`).
pub fn duration(text: &str) -> Result<Duration, String> {
    if let Ok(seconds) = text.parse() {
        return Ok(Duration::from_secs(seconds));
    }
    parse_units(text).ok_or_else(|| {
        "give a number of seconds, or numbers with the units ms, s, m and h, such as 90s or 1m30s".to_owned()
    })
}

fn parse_units(text: &str) -> Option<Duration> {
    let mut rest = text;
    let mut total = Duration::ZERO;
    while !rest.is_empty() {
        let digits =
            rest.find(|character: char| !character.is_ascii_digit() && character != '.')?;
        let number: f64 = rest[..digits].parse().ok()?;
        let (unit, after) = unit(&rest[digits..])?;
        total = total.checked_add(Duration::try_from_secs_f64(number * unit).ok()?)?;
        rest = after;
    }
    (!text.is_empty()).then_some(total)
}

/// The seconds of the unit that a text begins with, and what follows it.
fn unit(text: &str) -> Option<(f64, &str)> {
    [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)]
        .into_iter()
        .find_map(|(unit, seconds)| Some((seconds, text.strip_prefix(unit)?)))
}

/// `KEY=VALUE`.
pub fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err("write KEY=VALUE".to_owned()),
    }
}

/// Something that is never printed.
#[expect(
    clippy::unnecessary_wraps,
    reason = "clap wants a Result of a value's parser"
)]
pub fn secret(text: &str) -> Result<SecretString, String> {
    Ok(SecretString::from(text))
}

/// The result formats of `sync`.
pub fn format(text: &str) -> Result<Format, String> {
    let formats = [
        ("json", Format::Json),
        ("name", Format::Name),
        ("wide", Format::Wide),
        ("yaml", Format::Yaml),
    ];
    one_of(text, &formats)
}

/// The formats of a plan.
pub fn plan_format(text: &str) -> Result<Format, String> {
    one_of(text, &[("json", Format::Json), ("yaml", Format::Yaml)])
}

fn one_of(text: &str, formats: &[(&str, Format)]) -> Result<Format, String> {
    let found = formats
        .iter()
        .find(|(name, _)| *name == text)
        .map(|(_, format)| *format);
    found.ok_or_else(|| {
        let allowed: Vec<&str> = formats.iter().map(|(name, _)| *name).collect();
        format!(
            "unable to match a printer suitable for the output format \"{text}\", allowed formats are: {}",
            allowed.join(",")
        )
    })
}

/// The values of `--dry-run`.
pub fn dry_run(text: &str) -> Result<DryRun, String> {
    match text {
        "none" => Ok(DryRun::None),
        "client" => Ok(DryRun::Client),
        "server" => Ok(DryRun::Server),
        _ => Err("must be \"none\", \"server\", or \"client\"".to_owned()),
    }
}

/// The values of `--color`.
pub fn colour(text: &str) -> Result<ColourChoice, String> {
    match text {
        "auto" => Ok(ColourChoice::Auto),
        "always" => Ok(ColourChoice::Always),
        "never" => Ok(ColourChoice::Never),
        _ => Err("must be \"auto\", \"always\", or \"never\"".to_owned()),
    }
}

/// A number of requests at once.
pub fn parallelism(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 1..=256) => Ok(number),
        _ => Err("must be a number from 1 to 256".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_kubectl_reads_them() {
        for (text, milliseconds) in [
            ("0", 0),
            ("5", 5_000),
            ("1s", 1_000),
            ("2m", 120_000),
            ("1h30m", 5_400_000),
            ("1.5s", 1_500),
            ("250ms", 250),
        ] {
            assert_eq!(
                duration(text),
                Ok(Duration::from_millis(milliseconds)),
                "{text}"
            );
        }
        for text in [
            "",
            "s",
            "5x",
            "-1s",
            "1s2",
            "1e400s",
            "99999999999999999999h",
        ] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_unknown_format_is_refused_in_kubectls_words() {
        insta::assert_snapshot!(format("xml").unwrap_err(), @r#"unable to match a printer suitable for the output format "xml", allowed formats are: json,name,wide,yaml"#);
    }
}
