//! When rates are refreshed: a cron expression with a time zone.

use std::str::FromStr;

use cronexpr::{Crontab, FallbackTimezoneOption, MakeTimestamp, ParseOptions, parse_crontab_with};
use jiff::{Timestamp, tz::TimeZone};

/// The short forms of crontab(5), with what each stands for.
const SHORT_FORMS: [(&str, &str); 7] = [
    ("@yearly", "0 0 1 1 *"),
    ("@annually", "0 0 1 1 *"),
    ("@monthly", "0 0 1 * *"),
    ("@weekly", "0 0 * * 0"),
    ("@daily", "0 0 * * *"),
    ("@midnight", "0 0 * * *"),
    ("@hourly", "0 * * * *"),
];

/// The fields of a cron expression, which a time zone may follow.
const FIELDS: usize = 5;

/// The begin of a leap year: within four years from here each date comes that there is.
const LEAP_YEAR: Timestamp = Timestamp::constant(1_704_067_200, 0);

/// When rates are refreshed.
#[derive(Clone, Debug)]
pub struct Schedule(Crontab);

/// Why a text is no schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    /// It isn't a cron expression.
    #[error("not a cron expression: {0}")]
    Unreadable(String),
    /// The time zone isn't in the database of this machine.
    #[error(
        "the time zone {0:?} isn't known here; write one of the IANA database, such as Europe/Berlin, or UTC"
    )]
    UnknownTimeZone(String),
    /// There is no such time, such as the 30th of February.
    #[error("this time never comes; check the day and the month")]
    Never,
}

impl Schedule {
    /// The first time after `time`; nothing if there is none within four years.
    pub fn next_after(&self, time: Timestamp) -> Option<Timestamp> {
        let next = self.0.find_next(MakeTimestamp(time)).ok()?;
        Some(next.timestamp())
    }
}

impl FromStr for Schedule {
    type Err = ScheduleError;

    /// Reads five fields or a short form, and an optional time zone: without one it is UTC.
    fn from_str(text: &str) -> Result<Self, ScheduleError> {
        let mut options = ParseOptions::default();
        options.fallback_timezone_option = FallbackTimezoneOption::UTC;
        let text = spelt_out(text);
        if let Some(zone) = text
            .split(' ')
            .nth(FIELDS)
            .filter(|zone| TimeZone::get(zone).is_err())
        {
            return Err(ScheduleError::UnknownTimeZone(zone.to_owned()));
        }
        let crontab = parse_crontab_with(&text, options)
            .map_err(|error| ScheduleError::Unreadable(reason(&error.to_string())))?;
        let schedule = Self(crontab);
        match schedule.next_after(LEAP_YEAR) {
            Some(_) => Ok(schedule),
            None => Err(ScheduleError::Never),
        }
    }
}

/// The text with five fields instead of a short form, and single spaces.
fn spelt_out(text: &str) -> String {
    let words = text.split_ascii_whitespace().map(|word| {
        let long = SHORT_FORMS.iter().find(|(short, _)| *short == word);
        long.map_or(word, |(_, fields)| fields)
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The reason, and the field that it is about: the parser's message draws the expression on a line of
/// its own, and below it an arrow to the place, followed by the reason.
fn reason(message: &str) -> String {
    let lines: Vec<&str> = message.lines().collect();
    let [.., expression, last] = lines.as_slice() else {
        return message.to_owned();
    };
    let Some((indent, reason)) = last.split_once("^ ") else {
        return message.to_owned();
    };
    let rest = expression
        .get(indent.len()..)
        .filter(|rest| !rest.is_empty());
    let word = rest.map(|rest| {
        let before = expression[..indent.len()]
            .rfind(' ')
            .map_or(0, |space| space + 1);
        let length = rest.find(' ').unwrap_or(rest.len());
        &expression[before..indent.len() + length]
    });
    match word {
        Some(word) => format!("{word:?}: {reason}"),
        None => reason.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(schedule: &str, after: &str) -> String {
        let schedule: Schedule = schedule.parse().unwrap();
        let next = schedule.next_after(after.parse().unwrap());
        next.unwrap().to_string()
    }

    fn refusal(schedule: &str) -> String {
        schedule.parse::<Schedule>().unwrap_err().to_string()
    }

    #[test]
    fn without_a_time_zone_it_is_utc() {
        let friday = "2026-11-20T17:00:00Z";
        assert_eq!(next("0 17 * * 1-5", friday), "2026-11-23T17:00:00Z");
        assert_eq!(
            next("0 17 * * MON-FRI America/New_York", friday),
            "2026-11-20T22:00:00Z"
        );
    }

    #[test]
    fn short_forms_are_known_with_and_without_a_time_zone() {
        let friday = "2026-11-20T17:00:00Z";
        for (schedule, expected) in [
            ("@hourly", "2026-11-20T18:00:00Z"),
            ("@daily", "2026-11-21T00:00:00Z"),
            ("@midnight Asia/Tokyo", "2026-11-21T15:00:00Z"),
            ("@weekly", "2026-11-22T00:00:00Z"),
            ("@monthly", "2026-12-01T00:00:00Z"),
            ("@yearly", "2027-01-01T00:00:00Z"),
            ("@annually  UTC", "2027-01-01T00:00:00Z"),
        ] {
            assert_eq!(next(schedule, friday), expected, "{schedule}");
        }
    }

    #[test]
    fn it_is_said_what_is_wrong() {
        insta::assert_snapshot!(refusal("0 17 * * 5-1"), @r#"not a cron expression: "5-1": range must be in ascending order; found 5-1"#);
        insta::assert_snapshot!(refusal("0 24 * * *"), @r#"not a cron expression: "24": value must be in range 0..=23; found 24"#);
        insta::assert_snapshot!(refusal("0 17 * *"), @"not a cron expression: missing days of week");
        insta::assert_snapshot!(refusal("0 17 * * * Europe/Atlantis"), @r#"the time zone "Europe/Atlantis" isn't known here; write one of the IANA database, such as Europe/Berlin, or UTC"#);
        insta::assert_snapshot!(refusal("0 0 30 2 *"), @"this time never comes; check the day and the month");
        insta::assert_snapshot!(refusal(""), @"not a cron expression: cannot be empty");
    }

    #[test]
    fn a_leap_day_comes() {
        assert_eq!(
            next("0 0 29 2 *", "2026-01-01T00:00:00Z"),
            "2028-02-29T00:00:00Z"
        );
    }
}
