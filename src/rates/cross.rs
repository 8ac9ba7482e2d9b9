//! Crosses: the rate of any pair of currencies, from two rates against the same third one.

use super::{Rate, division};

/// A pair's two rates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cross {
    /// How many units of the quote are worth one unit of the base.
    pub rate: Rate,
    /// How many units of the base are worth one unit of the quote.
    pub inverse: Rate,
}

/// One side of a pair, as a provider values it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leg {
    /// The currency that the provider's rates are for one unit of.
    Base,
    /// Another one, with the provider's rate for it.
    Quoted(Rate),
}

impl Cross {
    /// The cross of two legs of the same provider.
    ///
    /// A rate that the provider gives for the pair stays as it is. All others are quotients of the
    /// provider's own rates, rounded once: to ten significant digits, half to even. So the inverse
    /// of a pair always is the rate of the pair the other way round.
    pub fn of(base: Leg, quote: Leg) -> Self {
        Self {
            rate: price(base, quote),
            inverse: price(quote, base),
        }
    }
}

/// How many units of `quote` one unit of `base` costs.
fn price(base: Leg, quote: Leg) -> Rate {
    match (base, quote) {
        (Leg::Base, Leg::Base) => Rate::ONE,
        (Leg::Base, Leg::Quoted(given)) => given,
        (Leg::Quoted(base), Leg::Base) => quotient(Rate::ONE, base),
        (Leg::Quoted(base), Leg::Quoted(quote)) => quotient(quote, base),
    }
}

fn quotient(numerator: Rate, denominator: Rate) -> Rate {
    let quotient = division::quotient(numerator.decimal(), denominator.decimal());
    // From 10^-18 to 10^18, which with ten digits needs a scale of 27.
    Rate::derived(quotient.expect("rates have bounded magnitudes"))
}

#[cfg(test)]
#[path = "cross_tests.rs"]
mod tests;
