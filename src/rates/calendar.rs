//! On which days a provider publishes.

/// On which days a provider publishes: the age of rates is counted in these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calendar {
    /// The days on which TARGET is open: Monday to Friday but for six holidays.
    /// Source: <https://www.ecb.europa.eu/paym/target/html/holidays.en.html>.
    Target,
    /// Every day.
    Daily,
}
