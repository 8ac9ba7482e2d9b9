//! On which days a provider publishes.

use jiff::{
    Timestamp, ToSpan,
    civil::{Date, Weekday, time},
    tz::TimeZone,
};

/// The rule of Central European Time, as POSIX writes it: the last Sundays of March and October.
/// It needs no database of time zones, which the image of a static binary doesn't have.
/// Source: Directive 2000/84/EC of the European Union.
const CENTRAL_EUROPE: &str = "CET-1CEST,M3.5.0,M10.5.0/3";

/// The hour in Central Europe at which the ECB's reference rates are there. Source:
/// <https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/html/index.en.html>.
const HOUR: i8 = 16;

/// On which days a provider publishes: the age of rates is counted in these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calendar {
    /// The days on which TARGET is open: Monday to Friday but for six holidays.
    /// Source: <https://www.ecb.europa.eu/paym/target/html/holidays.en.html>.
    Target,
    /// Every day.
    Daily,
}

impl Calendar {
    /// Whether something is published on a day.
    pub fn is_business_day(self, day: Date) -> bool {
        match self {
            Self::Daily => true,
            Self::Target => !is_weekend(day) && !is_target_holiday(day),
        }
    }

    /// The age of what is as of a day, in business days: those after it up to today, which counts.
    /// What is as of today or later has no age.
    pub fn age(self, as_of: Date, today: Date) -> usize {
        self.business_days(as_of, today).count()
    }

    /// The business days after one day and up to another.
    pub fn business_days(self, after: Date, until: Date) -> impl Iterator<Item = Date> {
        following(after)
            .take_while(move |day| *day <= until)
            .filter(move |day| self.is_business_day(*day))
    }

    /// The first business day after a day.
    pub fn next_business_day(self, after: Date) -> Date {
        following(after)
            .find(|day| self.is_business_day(*day))
            // Only the last days of the year 9999 have none.
            .unwrap_or(Date::MAX)
    }

    /// When something new is to be expected, after a moment: at 16:00 in Central Europe on a day that
    /// TARGET is open, or when the next day begins in UTC.
    pub fn next_publication(self, after: Timestamp) -> Timestamp {
        let (zone, hour) = self.hour();
        let today = after.to_zoned(zone.clone()).date();
        let moment = |day: Date| zone.to_timestamp(day.to_datetime(time(hour, 0, 0, 0))).ok();
        std::iter::once(today)
            .chain(following(today))
            .filter(|day| self.is_business_day(*day))
            .map_while(moment)
            .find(|moment| *moment > after)
            // Only the last days of the year 9999 have none.
            .unwrap_or(Timestamp::MAX)
    }
}

impl Calendar {
    /// The day of the newest rates that are to be expected at a moment: the last one on which something was
    /// published by then.
    pub fn newest_day(self, now: Timestamp) -> Date {
        let (zone, hour) = self.hour();
        let now = now.to_zoned(zone);
        let is_out = now.time() >= time(hour, 0, 0, 0);
        let latest = if is_out {
            Some(now.date())
        } else {
            now.date().yesterday().ok()
        };
        std::iter::successors(latest, |day| day.yesterday().ok())
            .find(|day| self.is_business_day(*day))
            // Only the first days of the year -9999 have none.
            .unwrap_or(Date::MIN)
    }

    /// The time of day at which something is published.
    fn hour(self) -> (TimeZone, i8) {
        match self {
            Self::Target => (central_europe(), HOUR),
            Self::Daily => (TimeZone::UTC, 0),
        }
    }
}

fn following(day: Date) -> impl Iterator<Item = Date> {
    std::iter::successors(day.tomorrow().ok(), |day| day.tomorrow().ok())
}

fn central_europe() -> TimeZone {
    TimeZone::posix(CENTRAL_EUROPE).expect("the rule is well-formed")
}

fn is_weekend(day: Date) -> bool {
    matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday)
}

fn is_target_holiday(day: Date) -> bool {
    let fixed = [(1, 1), (5, 1), (12, 25), (12, 26)];
    let easter = easter(day.year());
    let good_friday = easter.saturating_sub(2.days());
    let easter_monday = easter.saturating_add(1.day());
    fixed.contains(&(day.month(), day.day())) || day == good_friday || day == easter_monday
}

/// Easter Sunday of the Gregorian calendar, by the algorithm of Meeus, Jones and Butcher.
#[expect(
    clippy::many_single_char_names,
    reason = "the published algorithm names its steps so"
)]
fn easter(year: i16) -> Date {
    let year = i32::from(year);
    let a = year.rem_euclid(19);
    let (b, c) = (year.div_euclid(100), year.rem_euclid(100));
    let f = (b + 8).div_euclid(25);
    let g = (b - f + 1).div_euclid(3);
    let h = (19 * a + b - b.div_euclid(4) - g + 15).rem_euclid(30);
    let l = (32 + 2 * b.rem_euclid(4) + 2 * (c / 4) - h - c % 4).rem_euclid(7);
    let m = (a + 11 * h + 22 * l) / 451;
    let sum = h + l - 7 * m + 114;
    let narrow = |number: i32| i8::try_from(number).expect("Easter is in March or April");
    let (month, day) = (narrow(sum / 31), narrow(sum % 31 + 1));
    Date::new(i16::try_from(year).expect("it was one"), month, day).expect("Easter is a day")
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn easter_is_where_almanacs_have_it() {
        let sundays = [
            date(2024, 3, 31),
            date(2025, 4, 20),
            date(2026, 4, 5),
            date(2027, 3, 28),
            date(2028, 4, 16),
            date(2029, 4, 1),
            date(2030, 4, 21),
            date(2031, 4, 13),
            date(2032, 3, 28),
            date(2033, 4, 17),
            date(2034, 4, 9),
            date(2035, 3, 25),
        ];
        for sunday in sundays {
            assert_eq!(easter(sunday.year()), sunday);
        }
    }

    #[test]
    fn easter_is_a_sunday_in_every_year() {
        for year in [-9999, -1, 0].into_iter().chain(1583..=9999) {
            let easter = easter(year);
            assert_eq!(easter.weekday(), Weekday::Sunday, "{easter}");
            let earliest = date(year, 3, 22);
            assert!(
                (0..35).contains(&(easter - earliest).get_days()),
                "{easter}"
            );
        }
    }

    #[test]
    fn target_is_closed_on_weekends_and_six_holidays() {
        let year = date(2026, 1, 1).series(1.day()).take(365);
        let closed: Vec<Date> = year
            .filter(|day| !is_weekend(*day) && !Calendar::Target.is_business_day(*day))
            .collect();
        // 26 December is a Saturday.
        let holidays = [
            date(2026, 1, 1),
            date(2026, 4, 3),
            date(2026, 4, 6),
            date(2026, 5, 1),
            date(2026, 12, 25),
        ];
        assert_eq!(closed, holidays);
        assert!(!Calendar::Target.is_business_day(date(2026, 11, 21)));
        assert!(Calendar::Daily.is_business_day(date(2026, 12, 25)));
    }

    #[test]
    fn age_is_counted_in_business_days() {
        let friday = date(2026, 11, 20);
        let table = [
            (friday, date(2026, 11, 20), 0, 0),
            (friday, date(2026, 11, 22), 0, 2),
            (friday, date(2026, 11, 23), 1, 3),
            (friday, date(2026, 11, 27), 5, 7),
            (friday, date(2026, 11, 19), 0, 0),
            // Maundy Thursday to the Tuesday after Easter.
            (date(2026, 4, 2), date(2026, 4, 7), 1, 5),
        ];
        for (as_of, today, target, daily) in table {
            assert_eq!(
                Calendar::Target.age(as_of, today),
                target,
                "{as_of} {today}"
            );
            assert_eq!(Calendar::Daily.age(as_of, today), daily, "{as_of} {today}");
        }
    }

    #[test]
    fn the_next_business_day_is_after_weekends_and_holidays() {
        let next = |day| Calendar::Target.next_business_day(day);
        assert_eq!(next(date(2026, 11, 19)), date(2026, 11, 20));
        assert_eq!(next(date(2026, 11, 20)), date(2026, 11, 23));
        assert_eq!(next(date(2026, 4, 2)), date(2026, 4, 7));
        assert_eq!(next(date(2026, 12, 24)), date(2026, 12, 28));
        assert_eq!(
            Calendar::Daily.next_business_day(date(2026, 11, 20)),
            date(2026, 11, 21)
        );
        assert_eq!(next(Date::MAX), Date::MAX);
    }

    #[test]
    fn publication_is_in_the_afternoon_of_central_europe() {
        let next = |calendar: Calendar, after: &str| {
            let after: Timestamp = after.parse().unwrap();
            calendar.next_publication(after).to_string()
        };
        let target = [
            ("2026-11-20T12:00:00Z", "2026-11-20T15:00:00Z"),
            // It has come: the next one is on Monday.
            ("2026-11-20T15:00:00Z", "2026-11-23T15:00:00Z"),
            ("2026-07-01T00:00:00Z", "2026-07-01T14:00:00Z"),
            // Before and after the clocks change on Sunday, 25 October.
            ("2026-10-23T13:59:59Z", "2026-10-23T14:00:00Z"),
            ("2026-10-23T14:00:00Z", "2026-10-26T15:00:00Z"),
            ("2026-03-27T15:00:00Z", "2026-03-30T14:00:00Z"),
            // It is the next day in Frankfurt already.
            ("2026-11-18T23:30:00Z", "2026-11-19T15:00:00Z"),
        ];
        for (after, expected) in target {
            assert_eq!(next(Calendar::Target, after), expected, "{after}");
        }
        assert_eq!(
            next(Calendar::Daily, "2026-11-20T12:00:00Z"),
            "2026-11-21T00:00:00Z"
        );
    }

    #[test]
    fn the_newest_rates_are_of_the_last_afternoon() {
        let newest = |calendar: Calendar, now: &str| calendar.newest_day(now.parse().unwrap());
        let target = |now| newest(Calendar::Target, now);
        assert_eq!(target("2026-11-20T14:59:59Z"), date(2026, 11, 19));
        assert_eq!(target("2026-11-20T15:00:00Z"), date(2026, 11, 20));
        assert_eq!(target("2026-11-23T14:59:59Z"), date(2026, 11, 20));
        assert_eq!(target("2026-07-01T14:00:00Z"), date(2026, 7, 1));
        let daily = |now| newest(Calendar::Daily, now);
        assert_eq!(daily("2026-11-21T23:59:59Z"), date(2026, 11, 21));
        assert_eq!(daily("2026-11-22T00:00:00Z"), date(2026, 11, 22));
    }

    #[test]
    fn nothing_breaks_at_the_end_of_time() {
        for calendar in [Calendar::Target, Calendar::Daily] {
            calendar.newest_day(Timestamp::MAX);
            calendar.newest_day(Timestamp::MIN);
            calendar.next_publication(Timestamp::MAX);
            calendar.next_publication(Timestamp::MIN);
        }
    }
}
