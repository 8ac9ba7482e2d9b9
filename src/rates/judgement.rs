//! Whether new rates are believed.

use jiff::{ToSpan, civil::Date};
use rust_decimal::{Decimal, RoundingStrategy};

use super::{Currency, Percent, Rate, RateSheet, Row, division};

/// Why a new rate isn't believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is older than the last good one.
    #[error("{quote}: the rate is of {date}, older than the last good one of {last}")]
    DateGoesBack {
        /// The quote.
        quote: Currency,
        /// The day of the last good rate.
        last: Date,
        /// The day of the new rate.
        date: Date,
    },
    /// It is of a day to come. One day ahead is believed: somewhere it is tomorrow already.
    #[error("{quote}: the rate is of {date}, but today is {today}")]
    DateAhead {
        /// The quote.
        quote: Currency,
        /// The day of the new rate.
        date: Date,
        /// Today in UTC.
        today: Date,
    },
    /// It differs from the last good one by more than is believed.
    #[error(
        "{quote}: the rate is {rate}, and the last good one of {last_date} is {last}: a change of \
         {}%, more than {limit}", shown(*.last, *.rate, *.limit)
    )]
    Jump {
        /// The quote.
        quote: Currency,
        /// The last good rate.
        last: Rate,
        /// The day of the last good rate.
        last_date: Date,
        /// The new rate.
        rate: Rate,
        /// What is believed.
        limit: Percent,
    },
}

impl Refusal {
    /// The refusal in one word, as conditions have it.
    pub fn word(&self) -> &'static str {
        match self {
            Self::DateGoesBack { .. } => "DateGoesBack",
            Self::DateAhead { .. } => "DateAhead",
            Self::Jump { .. } => "JumpTooLarge",
        }
    }
}

/// Why new rates aren't believed; nothing if they are. Today is in UTC.
///
/// Each rate is compared with the last good one of its quote, if there is one of the same base. What
/// changes is the greater of the two, measured by the smaller: from 1 to 1.25 is 25%, and so is from 1.25 to
/// 1. So a pair's inverse changes by as much as the pair, and is no way past the limit.
pub fn judge(
    candidate: &RateSheet,
    last_good: Option<&RateSheet>,
    max_change: Percent,
    today: Date,
) -> Vec<Refusal> {
    let last_good = last_good.filter(|sheet| sheet.base() == candidate.base());
    let refusals = candidate.rows().iter().filter_map(|(quote, row)| {
        let last = last_good.and_then(|sheet| sheet.rows().get(quote));
        ahead(*quote, row, today).or_else(|| against(*quote, row, last?, max_change))
    });
    refusals.collect()
}

fn ahead(quote: Currency, row: &Row, today: Date) -> Option<Refusal> {
    let date = row.date;
    (date > today.saturating_add(1.day())).then_some(Refusal::DateAhead { quote, date, today })
}

fn against(quote: Currency, row: &Row, last: &Row, limit: Percent) -> Option<Refusal> {
    if row.date < last.date {
        return Some(Refusal::DateGoesBack {
            quote,
            last: last.date,
            date: row.date,
        });
    }
    let [smaller, greater] = ordered(last.rate, row.rate);
    division::quotient_exceeds(greater, smaller, limit.growth()).then_some(Refusal::Jump {
        quote,
        last: last.rate,
        last_date: last.date,
        rate: row.rate,
        limit,
    })
}

fn ordered(one: Rate, other: Rate) -> [Decimal; 2] {
    [one.min(other).decimal(), one.max(other).decimal()]
}

/// The change in per cent with one decimal more than the limit has, rounded up: so it never looks as if
/// it were within the limit.
fn shown(last: Rate, rate: Rate, limit: Percent) -> Decimal {
    let [smaller, greater] = ordered(last, rate);
    let times = greater.checked_div(smaller).unwrap_or(Decimal::MAX);
    let change = (times - Decimal::ONE).checked_mul(Decimal::ONE_HUNDRED);
    let decimals = limit.number().scale() + 1;
    let strategy = RoundingStrategy::AwayFromZero;
    change
        .unwrap_or(Decimal::MAX)
        .round_dp_with_strategy(decimals, strategy)
        .normalize()
}

#[cfg(test)]
#[path = "judgement_tests.rs"]
mod tests;
