//! What a provider says, whichever it is.

use std::collections::BTreeMap;

use jiff::{Timestamp, civil::Date};

use super::{Currency, Rate};

/// What a provider says: on each day, how many units of each currency are worth one unit of the base.
///
/// A currency may be missing on a day. The base itself is never among the quotes: it is always worth one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quotations {
    /// What all rates are for one unit of.
    pub base: Currency,
    /// The rates by the day that the provider gives them for, never empty, and no day without rates.
    pub days: BTreeMap<Date, BTreeMap<Currency, Rate>>,
    /// When the provider says that it will have something new.
    pub next_update: Option<Timestamp>,
}
