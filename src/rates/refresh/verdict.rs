//! What the conditions of an `ExchangeRate` say, in a word and a sentence.

use super::{
    outlook::{Outlook, Rates},
    search::{Reason, Search},
};
use crate::{api::Verdict, rates::Freshness, reconcile::Event};

impl Verdict {
    /// Whether the last refresh did all that was asked for.
    pub fn ready(outlook: &Outlook, search: Option<&Search>, trouble: Option<&Event>) -> Self {
        let rates = match outlook {
            Outlook::Invalid(problem) => return Self::new("False", "Invalid", problem),
            Outlook::Suspended => return Self::new("False", "Suspended", "spec.suspend: it rests"),
            Outlook::Unpublishable(problem) => return Self::new("False", "TooLarge", problem),
            Outlook::NoRates => {
                let text = format!("no provider has good rates: {}", listed(search));
                return Self::new("False", "NoRates", &text);
            }
            Outlook::Rates(rates) => rates,
        };
        if let Some(trouble) = trouble {
            return Self::of_trouble(trouble);
        }
        if rates.is_new {
            return Self::new("True", "Published", "the latest rates are published");
        }
        let text = format!("the last good rates are kept: {}", listed(search));
        Self::new("False", first_word(search), &text)
    }

    fn of_trouble(trouble: &Event) -> Self {
        let reason = trouble.reason().unwrap_or("Failed");
        let text = match trouble {
            Event::Conflict(_) => "the ConfigMap's place is taken by an object that isn't its own",
            Event::Skipped(_) => "what has the ConfigMap's place is being deleted",
            _ => "the ConfigMap couldn't be written",
        };
        Self::new("False", reason, text)
    }

    /// Whether the rates that are published are new enough.
    pub fn fresh(outlook: &Outlook, search: Option<&Search>) -> Option<Self> {
        match outlook {
            // Of one that can't be understood, or rests, nothing new is known.
            Outlook::Invalid(_) | Outlook::Suspended => None,
            Outlook::NoRates | Outlook::Unpublishable(_) => Some(Self::new(
                "Unknown",
                "NoRates",
                "no rates are published yet",
            )),
            Outlook::Rates(rates) => Some(Self::of_rates(rates, search)),
        }
    }

    fn of_rates(rates: &Rates, search: Option<&Search>) -> Self {
        let as_of = rates.sheet.as_of();
        match rates.freshness {
            Freshness::Fresh { .. } => {
                Self::new("True", "UpToDate", &format!("the rates are of {as_of}"))
            }
            Freshness::Stale { .. } => {
                let text = format!("the rates of {as_of} are too old: {}", listed(search));
                Self::new("False", first_word(search), &text)
            }
        }
    }
}

fn reasons(search: Option<&Search>) -> &[Reason] {
    search.map_or(&[], |search| &search.reasons)
}

fn first_word(search: Option<&Search>) -> &'static str {
    reasons(search).first().map_or("NothingNewer", Reason::word)
}

fn listed(search: Option<&Search>) -> String {
    let reasons = reasons(search).iter().map(ToString::to_string);
    reasons.collect::<Vec<_>>().join("; ")
}
