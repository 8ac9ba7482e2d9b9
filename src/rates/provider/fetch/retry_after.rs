//! When a server says that it can be asked again (RFC 9110, section 10.2.3).

use http::{HeaderMap, header::RETRY_AFTER};
use jiff::{SignedDuration, Timestamp, fmt::rfc2822::DateTimeParser};

/// Nobody is believed who wants to be left alone for longer than rates are of use.
const LONGEST: SignedDuration = SignedDuration::from_hours(24);

/// The moment after which the server can be asked again, never before now.
pub fn moment(headers: &HeaderMap, now: Timestamp) -> Option<Timestamp> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let moment = match text.parse::<u64>() {
        Ok(seconds) => {
            let seconds = i64::try_from(seconds).unwrap_or(i64::MAX);
            later(now, SignedDuration::from_secs(seconds).min(LONGEST))
        }
        Err(_) => DateTimeParser::new().parse_timestamp(text).ok()?,
    };
    Some(moment.clamp(now, later(now, LONGEST)))
}

/// A while after a moment.
pub fn later(now: Timestamp, while_: SignedDuration) -> Timestamp {
    now.saturating_add(while_).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(value: &str) -> Option<i64> {
        let now: Timestamp = "2026-11-20T16:00:00Z".parse().unwrap();
        let headers = [(RETRY_AFTER, value.parse().unwrap())]
            .into_iter()
            .collect();
        let moment = moment(&headers, now)?;
        Some(moment.duration_since(now).as_secs())
    }

    #[test]
    fn seconds_and_dates_are_understood() {
        assert_eq!(after("120"), Some(120));
        assert_eq!(after("0"), Some(0));
        assert_eq!(after("Fri, 20 Nov 2026 16:02:00 GMT"), Some(120));
        assert_eq!(after("Fri, 20 Nov 2026 15:00:00 GMT"), Some(0));
    }

    #[test]
    fn nonsense_is_not_obeyed() {
        assert_eq!(after("soon"), None);
        assert_eq!(after("-1"), None);
        assert_eq!(after("18446744073709551615"), Some(86_400));
        assert_eq!(after("Fri, 20 Nov 2099 15:00:00 GMT"), Some(86_400));
    }
}
