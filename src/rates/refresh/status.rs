//! What the status of an `ExchangeRate` says, after a run.

use jiff::Timestamp;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;

use super::{
    exchange_rates::ExchangeRates,
    loaded::{LoadedRate, Standing},
    outlook::{Outlook, Rates},
    source::EXCHANGE_RATES,
    wish::Wish,
};
use crate::{
    api::{ExchangeRateStatus, PublishedRate, Verdict, whole_seconds},
    rates::{
        Currency,
        provider::{Feeds, ProviderType},
    },
    reconcile::{Name, ObjectKey, StatusUpdate},
};

/// So many quotes are named in the column; more of them are counted.
const QUOTES_NAMED: usize = 3;

impl<F: Feeds> ExchangeRates<F> {
    /// The statuses that should say something else than they do.
    pub(super) fn changed_statuses(&self, now: Timestamp) -> Vec<StatusUpdate> {
        let rates = self.rates.values();
        rates
            .filter_map(|rate| self.status_update(rate, rate.standing.as_ref()?, now))
            .collect()
    }

    fn status_update(
        &self,
        rate: &LoadedRate,
        standing: &Standing,
        now: Timestamp,
    ) -> Option<StatusUpdate> {
        let outlook = self.outlooks().get(&rate.owner)?;
        let status = self.status(rate, standing, outlook, now);
        (status != standing.status).then(|| StatusUpdate {
            owner: rate.owner.clone(),
            key: ObjectKey {
                namespace: rate.owner.namespace.clone(),
                resource: &EXCHANGE_RATES,
                name: Name::from(&*rate.owner.name),
            },
            resource_version: standing.resource_version.clone(),
            status: serde_json::to_value(status).expect("a status has a JSON form"),
        })
    }

    fn status(
        &self,
        rate: &LoadedRate,
        standing: &Standing,
        outlook: &Outlook,
        now: Timestamp,
    ) -> ExchangeRateStatus {
        let search = self.searches.get(&rate.owner);
        let trouble = self.troubles.get(&rate.owner);
        let ready = Verdict::ready(outlook, search, trouble);
        let (before, generation) = (&standing.status.conditions, standing.generation);
        let mut conditions = vec![ready.into_condition("Ready", before, generation, now)];
        match Verdict::fresh(outlook, search) {
            Some(fresh) => conditions.push(fresh.into_condition("Fresh", before, generation, now)),
            None => conditions.extend(former(standing, "Fresh").cloned()),
        }
        let mut status = ExchangeRateStatus {
            observed_generation: standing.generation,
            conditions,
            ..standing.status.clone()
        };
        if let (Ok(wish), Outlook::Rates(rates)) = (&rate.wish, outlook)
            && trouble.is_none()
        {
            tell_rates(&mut status, wish, rates, now);
        }
        status
    }
}

fn tell_rates(status: &mut ExchangeRateStatus, wish: &Wish, rates: &Rates, now: Timestamp) {
    let sheet = &rates.sheet;
    status.base = Some(sheet.base().to_string());
    status.quotes = Some(in_short(sheet.rows().keys().copied()));
    status.as_of = Some(sheet.as_of().to_string());
    status.provider = rates.kind.or(status.provider);
    let rows = sheet.rows().iter();
    status.rates = rows
        .map(|(quote, row)| PublishedRate {
            quote: quote.to_string(),
            rate: row.rate.to_string(),
            inverse: row.inverse.to_string(),
            date: row.date.to_string(),
        })
        .collect();
    status.next_refresh = next_refresh(wish, rates.next_update, rates.kind, now)
        .map(|time| whole_seconds(time).to_string());
}

/// When the schedule says so; without one when the provider will have something new.
pub fn next_refresh(
    wish: &Wish,
    announced: Option<Timestamp>,
    kind: Option<ProviderType>,
    now: Timestamp,
) -> Option<Timestamp> {
    if let Some(schedule) = &wish.schedule {
        return schedule.next_after(now);
    }
    let announced = announced.filter(|time| *time > now);
    let kind = kind.unwrap_or_else(|| wish.first_choice());
    Some(announced.unwrap_or_else(|| kind.provider().calendar().next_publication(now)))
}

/// `USD,JPY`, or `AUD,CAD,CHF and 27 more`.
fn in_short(quotes: impl ExactSizeIterator<Item = Currency>) -> String {
    let more = quotes.len().saturating_sub(QUOTES_NAMED);
    // One more takes no more room than its count.
    let named = if more > 1 { QUOTES_NAMED } else { quotes.len() };
    let codes: Vec<&str> = quotes.take(named).map(Currency::code).collect();
    match more {
        0 | 1 => codes.join(","),
        more => format!("{} and {more} more", codes.join(",")),
    }
}

fn former<'a>(standing: &'a Standing, name: &str) -> Option<&'a Condition> {
    let mut conditions = standing.status.conditions.iter();
    conditions.find(|condition| condition.type_ == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(codes: &str) -> String {
        let quotes: Vec<Currency> = codes.split(' ').map(|code| code.parse().unwrap()).collect();
        in_short(quotes.into_iter())
    }

    #[test]
    fn a_few_quotes_are_named_and_many_are_counted() {
        assert_eq!(column("USD"), "USD");
        assert_eq!(column("CHF JPY USD"), "CHF,JPY,USD");
        assert_eq!(column("CHF GBP JPY USD"), "CHF,GBP,JPY,USD");
        assert_eq!(column("CHF GBP JPY SEK USD"), "CHF,GBP,JPY and 2 more");
    }
}
