//! Whether rates are recent enough.

use jiff::civil::Date;

use super::Calendar;

/// Whether rates are recent enough. Ages are in business days of the provider's calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// They are no older than allowed.
    Fresh {
        /// How old they are.
        age: usize,
    },
    /// They are older.
    Stale {
        /// How old they are.
        age: usize,
    },
}

impl Freshness {
    /// Judges rates of a day. Those of a holiday or weekend are as old as on the business day before.
    pub fn of(as_of: Date, today: Date, calendar: Calendar, max_age: u32) -> Self {
        let age = calendar.age(as_of, today);
        match u32::try_from(age) {
            Ok(days) if days <= max_age => Self::Fresh { age },
            _ => Self::Stale { age },
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn weekends_make_nothing_stale() {
        let friday = date(2026, 11, 20);
        let of =
            |day, max_age| Freshness::of(friday, date(2026, 11, day), Calendar::Target, max_age);
        assert_eq!(of(20, 1), Freshness::Fresh { age: 0 });
        assert_eq!(of(22, 0), Freshness::Fresh { age: 0 });
        assert_eq!(of(23, 1), Freshness::Fresh { age: 1 });
        assert_eq!(of(24, 1), Freshness::Stale { age: 2 });
        assert_eq!(of(25, 3), Freshness::Fresh { age: 3 });
        assert_eq!(of(26, 3), Freshness::Stale { age: 4 });
        let daily = Freshness::of(friday, date(2026, 11, 22), Calendar::Daily, 1);
        assert_eq!(daily, Freshness::Stale { age: 2 });
    }
}
