//! What lies before each `ExchangeRate` after a run: when it is due again, and how it is.

use jiff::Timestamp;

use super::{
    due::next_of_status,
    exchange_rates::ExchangeRates,
    loaded::LoadedRate,
    monitor::{Answered, RateState},
    outlook::{Outlook, Rates},
    search::{Reason, Search},
    status::next_refresh,
    wish::Wish,
};
use crate::{
    rates::provider::{Failure, Feeds, FetchError},
    reconcile::{Due, Owner, Prospect, Turnout},
};

impl<F: Feeds> ExchangeRates<F> {
    /// What lies before each that the run acted for, and those that need nothing yet and of which that wasn't
    /// known.
    pub(super) fn all_prospects(&self, now: Timestamp) -> Vec<Prospect> {
        let outlooks = self.outlooks().iter();
        let acted_for = outlooks.filter_map(|(owner, outlook)| {
            let rate = self.rates.get(owner)?;
            Some(self.prospect(rate, outlook, now))
        });
        let known = match &self.setting.due {
            Due::Unless(known) => Some(known),
            Due::Everyone | Due::Only(_) => None,
        };
        let resting = self.resting.iter();
        let resting = resting.filter(|owner| !known.is_some_and(|known| known.contains(*owner)));
        let resting = resting.filter_map(|owner| {
            let standing = self.rates.get(owner)?.standing.as_ref()?;
            Some(Prospect {
                owner: owner.clone(),
                turnout: Turnout::Good,
                next: next_of_status(standing).filter(|_| !standing.is_leaving),
                desired: None,
            })
        });
        acted_for.chain(resting).collect()
    }

    fn prospect(&self, rate: &LoadedRate, outlook: &Outlook, now: Timestamp) -> Prospect {
        let search = self.searches.get(&rate.owner);
        let wish = rate.wish.as_ref().ok();
        let (turnout, next) = match (outlook, wish) {
            (Outlook::Invalid(_) | Outlook::Suspended, _) | (_, None) => (Turnout::Good, None),
            (Outlook::Unpublishable(_), Some(wish)) => {
                (Turnout::Good, next_refresh(wish, None, None, now))
            }
            (Outlook::NoRates, Some(wish)) => {
                (without_news(search), next_refresh(wish, None, None, now))
            }
            (Outlook::Rates(rates), Some(wish)) => {
                let turnout = match rates.is_new {
                    false => without_news(search),
                    true if is_late(wish, rates, now) => Turnout::Late,
                    true => Turnout::Good,
                };
                let next = next_refresh(wish, rates.next_update, rates.kind, now);
                (turnout, next)
            }
        };
        Prospect {
            owner: rate.owner.clone(),
            turnout,
            next,
            desired: self.wanted(rate),
        }
    }

    /// What came of asking providers.
    pub(super) fn answered(&self, now: Timestamp) -> impl Iterator<Item = Answered> {
        self.answers.iter().map(move |(feed, answer)| Answered {
            provider: feed.source.kind(),
            at: now,
            failure: answer.as_ref().err().map(FetchError::word),
        })
    }

    /// How each is that the run was about.
    pub(super) fn states(&self) -> impl Iterator<Item = (&Owner, RateState)> {
        let outlooks = self.outlooks().iter();
        let acted_for = outlooks.filter_map(|(owner, outlook)| {
            let rate = self.rates.get(owner)?;
            let is_ready = !self.troubles.contains_key(owner);
            Some((owner, state(rate, outlook.rates(), is_ready)))
        });
        let resting = self.resting.iter().filter_map(|owner| {
            let rate = self.rates.get(owner)?;
            Some((owner, resting(rate)))
        });
        acted_for.chain(resting)
    }
}

/// What the run found, or else what its status says.
fn state(rate: &LoadedRate, rates: Option<&Rates>, is_ready: bool) -> RateState {
    let known = resting(rate);
    match rates {
        Some(rates) => RateState {
            as_of: Some(rates.sheet.as_of()),
            provider: rates.kind.or(known.provider),
            is_ready: rates.is_new && is_ready,
            ..known
        },
        None => RateState {
            is_ready: false,
            ..known
        },
    }
}

fn resting(rate: &LoadedRate) -> RateState {
    let status = rate.former_status();
    let wish = rate.wish.as_ref().ok();
    let as_of = status.and_then(|status| status.as_of.as_deref()?.parse().ok());
    let provider = status.and_then(|status| status.provider);
    RateState {
        as_of,
        provider: provider.or_else(|| Some(wish?.first_choice())),
        max_age: wish.map_or(0, |wish| wish.max_age),
        is_ready: true,
    }
}

/// Whether something newer was to be had. Who has a schedule of their own doesn't wait for that.
fn is_late(wish: &Wish, rates: &Rates, now: Timestamp) -> bool {
    if wish.schedule.is_some() {
        return false;
    }
    if let Some(announced) = rates.next_update {
        return announced <= now;
    }
    let kind = rates.kind.unwrap_or_else(|| wish.first_choice());
    rates.sheet.as_of() < kind.provider().calendar().newest_day(now)
}

/// How soon somebody may be asked again who had nothing.
fn without_news(search: Option<&Search>) -> Turnout {
    let reasons = search.map_or(&[][..], |search| &search.reasons);
    let passing = reasons.iter().filter(|reason| is_passing(reason));
    let until = passing.clone().map(until);
    if passing.count() == 0 {
        return Turnout::Refused;
    }
    // One that can be asked at once needs no other to be waited for.
    Turnout::Failed(until.min().flatten())
}

fn until(reason: &Reason) -> Option<Timestamp> {
    match reason {
        Reason::Fetch(error) => error.until(),
        _ => None,
    }
}

/// Whether it may be over in a moment, and costs a provider nothing to find out.
fn is_passing(reason: &Reason) -> bool {
    match reason {
        Reason::Key { .. } => true,
        Reason::Fetch(error) => match &error.failure {
            Failure::Unreachable(_)
            | Failure::TimedOut
            | Failure::TlsFailed(_)
            | Failure::RateLimited { .. }
            | Failure::KeyMissing(_)
            | Failure::Unreadable(_) => true,
            Failure::HttpStatus { status, .. } => status.is_server_error(),
            Failure::Redirect(_)
            | Failure::Answer(_)
            | Failure::TooLarge(_)
            | Failure::NotPermitted(_)
            | Failure::BadKey => false,
        },
        Reason::Incomplete { .. } | Reason::Refused { .. } | Reason::Stale { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rates::provider::ProviderType;

    fn fetch(failure: Failure) -> Reason {
        Reason::Fetch(FetchError {
            kind: ProviderType::Ecb,
            place: "ecb.example".to_owned(),
            failure,
        })
    }

    fn limited(until: Option<&str>) -> Reason {
        fetch(Failure::RateLimited {
            until: until.map(|until| until.parse().unwrap()),
            said: None,
        })
    }

    fn turnout(reasons: Vec<Reason>) -> Turnout {
        let mut search = Search::default();
        search.reasons = reasons;
        without_news(Some(&search))
    }

    #[test]
    fn what_may_pass_is_tried_again_soon_and_what_is_refused_later() {
        let status = |code: u16| {
            fetch(Failure::HttpStatus {
                status: code.try_into().unwrap(),
                said: None,
            })
        };
        let key = Reason::Key {
            kind: ProviderType::Ecb,
            problem: "there is no secret/oxr".to_owned(),
        };
        for passing in [fetch(Failure::TimedOut), status(503), key] {
            assert_eq!(turnout(vec![passing]), Turnout::Failed(None));
        }
        for lasting in [status(401), status(404), fetch(Failure::BadKey)] {
            assert_eq!(turnout(vec![lasting]), Turnout::Refused);
        }
        assert_eq!(turnout(vec![]), Turnout::Refused);
    }

    #[test]
    fn the_provider_that_may_be_asked_first_decides() {
        let (noon, later) = ("2026-11-20T12:00:00Z", "2026-11-20T13:00:00Z");
        let at = |moment: &str| Turnout::Failed(Some(moment.parse().unwrap()));
        let both = vec![limited(Some(later)), limited(Some(noon))];
        assert_eq!(turnout(both), at(noon));
        let refused = vec![limited(Some(later)), fetch(Failure::BadKey)];
        assert_eq!(turnout(refused), at(later));
        let free = vec![limited(Some(later)), fetch(Failure::TimedOut)];
        assert_eq!(turnout(free), Turnout::Failed(None));
    }
}
