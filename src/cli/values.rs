//! How values are spelled: as in kubectl, where it has the same flag.

use std::{path::PathBuf, time::Duration};

use clap::builder::{OsStringValueParser, TypedValueParser};
use secrecy::SecretString;

use super::Complaint;
use crate::output::{ColourChoice, DryRun, Format};

/// `--request-timeout` and `--timeout`: seconds, or a number with a unit; none when it is zero.
pub(super) fn timeout(text: &str) -> Result<Duration, Complaint> {
    let parsed = match text.parse::<u64>() {
        Ok(seconds) => Some(Duration::from_secs(seconds)),
        Err(_) => go_duration(text),
    };
    parsed.ok_or_else(|| {
        Complaint(format!(
            "invalid timeout {text:?}: it must be a single integer in seconds, or an integer \
             followed by a corresponding time unit (e.g. 1s | 2m | 3h)"
        ))
    })
}

/// A duration that isn't zero: how often something is done, or for how long.
pub(super) fn period(text: &str) -> Result<Duration, Complaint> {
    let parsed = go_duration(text).filter(|duration| !duration.is_zero());
    parsed.ok_or_else(|| {
        Complaint(format!(
            "invalid duration {text:?}: it must be more than zero, with a time unit (e.g. 30s | 10m | 1h)"
        ))
    })
}

/// A duration as Go's `time.ParseDuration` reads it: `1h30m`, `1.5s`, `300ms`.
fn go_duration(text: &str) -> Option<Duration> {
    let mut rest = text.strip_prefix('+').unwrap_or(text);
    let mut total = Duration::ZERO;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, tail) = rest.split_at(digits);
        let length = tail
            .find(|c: char| c.is_ascii_digit() || c == '.')
            .unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(length);
        let seconds = number.parse::<f64>().ok()? * unit_seconds(unit)?;
        total = total.checked_add(Duration::try_from_secs_f64(seconds).ok()?)?;
        rest = tail;
    }
    Some(total)
}

fn unit_seconds(unit: &str) -> Option<f64> {
    Some(match unit {
        "ns" => 1e-9,
        "us" | "µs" | "μs" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return None,
    })
}

/// `--as-user-extra key=value`.
pub(super) fn key_value(text: &str) -> Result<(String, String), Complaint> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err(Complaint(format!(
            "invalid user extra {text:?}: it must be key=value, such as --as-user-extra=team=blue"
        ))),
    }
}

/// A path, which may be empty: kubectl takes that for none.
pub(super) fn any_path() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(PathBuf::from)
}

/// A value that is never shown.
#[expect(
    clippy::unnecessary_wraps,
    reason = "clap's value parsers give a Result"
)]
pub(super) fn secret(text: &str) -> Result<SecretString, Complaint> {
    Ok(SecretString::from(text))
}

/// A truth value as Go's flags spell it.
pub(super) fn boolean(text: &str) -> Result<bool, String> {
    match text {
        "1" | "t" | "T" | "true" | "True" | "TRUE" => Ok(true),
        "0" | "f" | "F" | "false" | "False" | "FALSE" => Ok(false),
        _ => Err("it must be true or false".to_owned()),
    }
}

/// `--dry-run`.
pub(super) fn dry_run(text: &str) -> Result<DryRun, Complaint> {
    match text {
        "none" => Ok(DryRun::None),
        "client" => Ok(DryRun::Client),
        "server" => Ok(DryRun::Server),
        _ => Err(Complaint(format!(
            r#"Invalid dry-run value ({text}). Must be "none", "server", or "client"."#
        ))),
    }
}

/// `--output` of commands that print result lines.
pub(super) fn any_format(text: &str) -> Result<Format, Complaint> {
    match text {
        "name" => Ok(Format::Name),
        "wide" => Ok(Format::Wide),
        _ => machine_format(text).map_err(|_| unknown_format(text, "json,name,wide,yaml")),
    }
}

/// `--output` of commands that print a table.
pub(super) fn table_format(text: &str) -> Result<Format, Complaint> {
    match text {
        "wide" => Ok(Format::Wide),
        _ => machine_format(text).map_err(|_| unknown_format(text, "json,wide,yaml")),
    }
}

/// `--output` of commands that make one object.
pub(super) fn object_format(text: &str) -> Result<Format, Complaint> {
    match text {
        "name" => Ok(Format::Name),
        _ => machine_format(text).map_err(|_| unknown_format(text, "json,name,yaml")),
    }
}

/// `--output` of commands that print documents only.
pub(super) fn machine_format(text: &str) -> Result<Format, Complaint> {
    match text {
        "json" => Ok(Format::Json),
        "yaml" => Ok(Format::Yaml),
        _ => Err(unknown_format(text, "json,yaml")),
    }
}

fn unknown_format(text: &str, allowed: &str) -> Complaint {
    Complaint(format!(
        "unable to match a printer suitable for the output format {text:?}, \
         allowed formats are: {allowed}"
    ))
}

/// `--set`: the copies bear it as a label.
pub(super) fn set_name(text: &str) -> Result<String, Complaint> {
    if text == "cluster" {
        return Err(Complaint(
            "the set cluster is that of the rules in the cluster; choose another name for rules from files"
                .to_owned(),
        ));
    }
    let is_letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = text.as_bytes();
    let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    if bytes.len() <= 63
        && is_letter(bytes.first())
        && is_letter(bytes.last())
        && bytes.iter().all(is_inner)
    {
        return Ok(text.to_owned());
    }
    Err(Complaint(format!(
        "invalid set {text:?}: the copies bear it as a label, so it has at most 63 letters, digits, \
         \"-\", \"_\" or \".\", and starts and ends with a letter or digit"
    )))
}

/// `--color`.
pub(super) fn colour(text: &str) -> Result<ColourChoice, Complaint> {
    match text {
        "auto" => Ok(ColourChoice::Auto),
        "always" => Ok(ColourChoice::Always),
        "never" => Ok(ColourChoice::Never),
        _ => Err(Complaint(format!(
            r#"Invalid color value ({text}). Must be "auto", "always", or "never"."#
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts_are_spelled_as_in_kubectl() {
        let table = [
            ("0", 0),
            ("5", 5_000),
            ("1s", 1_000),
            ("2m", 120_000),
            ("3h", 10_800_000),
            ("1h30m", 5_400_000),
            ("1.5s", 1_500),
            ("300ms", 300),
            ("0s", 0),
        ];
        for (text, milliseconds) in table {
            assert_eq!(
                timeout(text),
                Ok(Duration::from_millis(milliseconds)),
                "{text}"
            );
        }
        for text in [
            "", "x", "1x", "-1", "-1s", "s", "1s2", "1d", "1.2.3s", "1 s",
        ] {
            let complaint = timeout(text).unwrap_err().to_string();
            assert!(complaint.contains("(e.g. 1s | 2m | 3h)"), "{complaint}");
        }
    }

    #[test]
    fn a_set_is_a_label_of_its_own() {
        for good in ["files", "team-a", "A.b_c", "x"] {
            assert_eq!(set_name(good).unwrap(), good);
        }
        for bad in ["", "cluster", "-a", "a-", "a b", "a/b", &"a".repeat(64)] {
            assert!(set_name(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn extras_are_keys_with_values() {
        let pair = |key: &str, value: &str| Ok((key.to_owned(), value.to_owned()));
        assert_eq!(key_value("team=blue"), pair("team", "blue"));
        assert_eq!(key_value("a/b=c=d"), pair("a/b", "c=d"));
        assert_eq!(key_value("empty="), pair("empty", ""));
        assert!(key_value("=x").is_err());
        assert!(key_value("x").is_err());
    }

    #[test]
    fn an_unknown_format_is_refused_in_kubectls_words() {
        assert_eq!(
            any_format("x").unwrap_err().to_string(),
            r#"unable to match a printer suitable for the output format "x", allowed formats are: json,name,wide,yaml"#
        );
        assert_eq!(
            machine_format("wide").unwrap_err().to_string(),
            r#"unable to match a printer suitable for the output format "wide", allowed formats are: json,yaml"#
        );
    }
}
