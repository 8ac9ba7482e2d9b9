//! What a person should know of exchange rates.

use std::collections::BTreeMap;

use super::{
    exchange_rates::ExchangeRates,
    outlook::{Outlook, Rates},
    search::{Reason, Search},
};
use crate::{
    rates::{Freshness, provider::Feeds},
    reconcile::{ApiError, Collection, Due, Finding, Owner, Pruning, Severity},
};

/// So many `ExchangeRate`s of the same trouble are named one by one; more of them are counted.
const NAMED_SINGLY: usize = 5;

/// What is said of one, and how grave it is.
type Remark = (Severity, String);

impl<F: Feeds> ExchangeRates<F> {
    /// What a person should know: of the lists, and of each `ExchangeRate` that the run acts for.
    pub(super) fn all_findings(&self) -> Vec<Finding> {
        let mut alike: BTreeMap<Remark, Vec<&Owner>> = BTreeMap::new();
        for (owner, outlook) in self.outlooks() {
            let search = self.searches.get(owner);
            for remark in remarks(outlook, search) {
                alike.entry(remark).or_default().push(owner);
            }
        }
        let unlisted = self.unlisted_as_a_whole();
        let unlisted = unlisted.filter_map(|(collection, error, is_lost)| {
            self.unlisted_finding(collection, error, is_lost)
        });
        unlisted
            .chain(self.emptiness())
            .chain(
                alike
                    .into_iter()
                    .flat_map(|(remark, owners)| told(remark, &owners)),
            )
            .collect()
    }

    /// ConfigMaps that can't be listed can't be pruned either.
    fn unlisted_finding(
        &self,
        collection: &Collection,
        error: &ApiError,
        is_lost: bool,
    ) -> Option<Finding> {
        let plural = collection.resource.plural;
        let is_pruning = self.setting.pruning != Pruning::Off;
        let (severity, consequence) = match (is_lost, is_pruning) {
            (true, true) => (
                Severity::Error,
                format!("so they are looked up one by one, and no {plural} are pruned"),
            ),
            (true, false) => (
                Severity::Warning,
                format!("so they are looked up one by one, and no {plural} are pruned"),
            ),
            (false, true) => (
                Severity::Warning,
                format!(
                    "so they are listed by the names that ExchangeRates give them, and no other {plural} are pruned"
                ),
            ),
            (false, false) => return None,
        };
        Some(Finding {
            severity,
            owner: None,
            message: format!("{error}; {consequence}"),
            cause: Some(error.clone()),
        })
    }

    /// Nothing to do is more often a slip than meant: a namespace that was left out, or all deleted.
    fn emptiness(&self) -> Option<Finding> {
        let is_whole = self.setting.due == Due::Everyone;
        (is_whole && self.outlooks().is_empty()).then(|| Finding {
            severity: Severity::Warning,
            owner: None,
            message: "there are no ExchangeRates here, so no rates are published; -n names another namespace, -A means all of them".to_owned(),
            cause: None,
        })
    }
}

fn remarks(outlook: &Outlook, search: Option<&Search>) -> Vec<Remark> {
    let reasons = search.map_or(&[][..], |search| &search.reasons);
    match outlook {
        Outlook::Invalid(problem) | Outlook::Unpublishable(problem) => {
            vec![(Severity::Error, problem.clone())]
        }
        Outlook::Suspended => {
            let text = "spec.suspend: it rests, so its ConfigMap stays as it is";
            vec![(Severity::Warning, text.to_owned())]
        }
        Outlook::NoRates => vec![(Severity::Error, without_rates(reasons))],
        Outlook::Rates(rates) => of_rates(rates, reasons),
    }
}

fn without_rates(reasons: &[Reason]) -> String {
    format!(
        "no provider has good rates, and there are none from before: {}",
        listed(reasons)
    )
}

/// Why rates aren't new, or not those of the first choice.
fn of_rates(rates: &Rates, reasons: &[Reason]) -> Vec<Remark> {
    let as_of = rates.sheet.as_of();
    if let Freshness::Stale { age } = rates.freshness {
        let text = format!(
            "its rates of {as_of} are stale, {age} business days old: {}",
            listed(reasons)
        );
        return vec![(Severity::Warning, text)];
    }
    if !rates.is_new {
        let text = format!("its rates of {as_of} are kept: {}", listed(reasons));
        return vec![(Severity::Warning, text)];
    }
    // A provider that doesn't know a currency, with a next one that does, is no news.
    let news = |reason: &&Reason| !matches!(reason, Reason::Incomplete { .. });
    let told = reasons.iter().filter(news);
    told.map(|reason| {
        (
            Severity::Warning,
            format!("{reason}; the next provider was asked"),
        )
    })
    .collect()
}

fn listed(reasons: &[Reason]) -> String {
    let reasons: Vec<String> = reasons.iter().map(ToString::to_string).collect();
    reasons.join("; ")
}

fn told((severity, message): Remark, owners: &[&Owner]) -> Vec<Finding> {
    let finding = |owner, message| Finding {
        severity,
        owner,
        message,
        cause: None,
    };
    if owners.len() <= NAMED_SINGLY {
        let each = owners.iter();
        return each
            .map(|owner| finding(Some((*owner).clone()), message.clone()))
            .collect();
    }
    let text = format!(
        "{} ExchangeRates, such as {}: {message}",
        owners.len(),
        owners[0].path()
    );
    vec![finding(None, text)]
}
