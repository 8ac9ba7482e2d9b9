//! When a CronJob runs.

use std::str::FromStr;

use crate::api::{Schedule, ScheduleError};

/// When a CronJob runs: a cron expression and, if it was given, a time zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timetable {
    /// Five fields or a short form, as Kubernetes takes them.
    pub schedule: Box<str>,
    /// A time zone of the IANA database; that of the control plane when none.
    pub time_zone: Option<Box<str>>,
}

/// A text that tells no times that Kubernetes understands.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimetableError {
    /// It is no schedule.
    #[error("{0}")]
    Schedule(#[from] ScheduleError),
    /// A sign that other crons know.
    #[error(
        "Kubernetes knows no {0:?} in a cron expression; write numbers, names such as MON, \"*\", \",\", \"-\" and \"/\""
    )]
    Sign(String),
}

impl FromStr for Timetable {
    type Err = TimetableError;

    fn from_str(text: &str) -> Result<Self, TimetableError> {
        text.parse::<Schedule>()?;
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let fields = if text.trim_start().starts_with('@') {
            1
        } else {
            5
        };
        let (schedule, zone) = words.split_at(fields.min(words.len()));
        if let Some(sign) = schedule.iter().find_map(|field| foreign_sign(field)) {
            return Err(TimetableError::Sign(sign));
        }
        Ok(Self {
            schedule: schedule.join(" ").into(),
            time_zone: zone.first().map(|zone| (*zone).into()),
        })
    }
}

/// What our own schedules may have and those of Kubernetes may not: `L`, `W` and `#`.
fn foreign_sign(field: &str) -> Option<String> {
    if field.starts_with('@') {
        return None;
    }
    let mut words = field.split(|letter: char| !letter.is_ascii_alphabetic());
    let letters = words.find(|word| !word.is_empty() && word.len() != 3);
    let sign = field
        .chars()
        .find(|letter| !letter.is_ascii_alphanumeric() && !"*,-/".contains(*letter));
    letters
        .map(str::to_owned)
        .or_else(|| sign.map(|sign| sign.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Result<(String, Option<String>), String> {
        let timetable = text.parse::<Timetable>();
        let timetable = timetable.map_err(|error| error.to_string())?;
        let zone = timetable.time_zone.map(String::from);
        Ok((timetable.schedule.into(), zone))
    }

    #[test]
    fn the_time_zone_is_a_field_of_its_own() {
        let plain = |schedule: &str| Ok((schedule.to_owned(), None));
        assert_eq!(told("*/15 * * * *"), plain("*/15 * * * *"));
        assert_eq!(told("@hourly"), plain("@hourly"));
        let zoned = (
            "0 17 * * MON-FRI".to_owned(),
            Some("Europe/Berlin".to_owned()),
        );
        assert_eq!(told(" 0 17 * * MON-FRI  Europe/Berlin"), Ok(zoned));
    }

    #[test]
    fn what_kubernetes_would_not_take_is_refused() {
        for (bad, reason) in [
            ("every minute", "not a cron expression"),
            ("0 0 30 2 *", "never comes"),
            ("0 0 L * *", "Kubernetes knows no \"L\""),
            ("0 0 * * MON#1", "Kubernetes knows no \"#\""),
        ] {
            let error = told(bad).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
    }
}
