//! Tests of crosses.

use num_bigint::BigInt;
use proptest::prelude::*;
use rust_decimal::Decimal;

use super::*;
use crate::rates::fixtures::any_decimal;

fn quoted(text: &str) -> Leg {
    Leg::Quoted(text.parse().unwrap())
}

fn shown(base: Leg, quote: Leg) -> (String, String) {
    let Cross { rate, inverse } = Cross::of(base, quote);
    (rate.to_string(), inverse.to_string())
}

fn pair(rate: &str, inverse: &str) -> (String, String) {
    (rate.to_owned(), inverse.to_owned())
}

#[test]
fn a_given_rate_stays_as_it_is_and_its_inverse_is_derived() {
    let usd = quoted("1.0812");
    assert_eq!(shown(Leg::Base, usd), pair("1.0812", "0.9248982612"));
    assert_eq!(shown(usd, Leg::Base), pair("0.9248982612", "1.0812"));
    let long = quoted("1.234567890123456789");
    assert_eq!(
        shown(Leg::Base, long),
        pair("1.234567890123456789", "0.8100000073")
    );
}

#[test]
fn crosses_come_from_both_legs() {
    let (usd, jpy) = (quoted("1.0812"), quoted("157.43"));
    assert_eq!(shown(usd, jpy), pair("145.6067333", "0.006867814267"));
    assert_eq!(shown(jpy, usd), pair("0.006867814267", "145.6067333"));
}

#[test]
fn a_currency_costs_one_of_itself() {
    for leg in [Leg::Base, quoted("1.0812"), quoted("0.000000001")] {
        assert_eq!(shown(leg, leg), pair("1", "1"));
    }
}

#[test]
fn no_magnitude_needs_an_exponent() {
    let (least, most) = (quoted("0.000000001"), quoted("1000000000"));
    let (small, large) = ("0.000000000000000001", "1000000000000000000");
    assert_eq!(shown(least, most), pair(large, small));
    assert_eq!(shown(most, least), pair(small, large));
}

fn any_rate() -> impl Strategy<Value = Rate> {
    any_decimal().prop_filter_map("out of range", |number| number.to_string().parse().ok())
}

fn any_leg() -> impl Strategy<Value = Leg> {
    prop_oneof![1 => Just(Leg::Base), 4 => any_rate().prop_map(Leg::Quoted)]
}

/// A decimal as an integer of units of 10^-56, which products of two decimals have too.
fn units(number: Decimal) -> BigInt {
    BigInt::from(number.mantissa()) * BigInt::from(10).pow(56 - number.scale())
}

fn product(left: Decimal, right: Decimal) -> BigInt {
    let mantissa = BigInt::from(left.mantissa()) * BigInt::from(right.mantissa());
    mantissa * BigInt::from(10).pow(56 - left.scale() - right.scale())
}

/// That two numbers differ by at most so many parts in 10^10 of the second.
fn close(left: &BigInt, right: &BigInt, parts: u32) -> bool {
    let difference = left - right;
    difference.magnitude() * BigInt::from(10).pow(10).magnitude()
        <= (right * parts).magnitude().clone()
}

proptest! {
    #[test]
    fn a_pair_and_its_reverse_agree(base in any_leg(), quote in any_leg()) {
        let (there, back) = (Cross::of(base, quote), Cross::of(quote, base));
        prop_assert_eq!(there.rate, back.inverse);
        prop_assert_eq!(there.inverse, back.rate);
    }

    #[test]
    fn the_inverse_is_close_to_one_by_the_rate(base in any_leg(), quote in any_leg()) {
        let Cross { rate, inverse } = Cross::of(base, quote);
        let product = product(rate.decimal(), inverse.decimal());
        // Each factor is rounded by at most half of its tenth digit: five parts in 10^10.
        prop_assert!(close(&product, &units(Decimal::ONE), 11));
    }

    #[test]
    fn going_by_a_third_currency_costs_the_same(a in any_leg(), b in any_leg(), c in any_leg()) {
        let direct = Cross::of(a, c).rate.decimal();
        let (first, second) = (Cross::of(a, b).rate, Cross::of(b, c).rate);
        let by_way = product(first.decimal(), second.decimal());
        prop_assert!(close(&by_way, &units(direct), 16));
    }

    #[test]
    fn rates_read_back_as_they_were(base in any_leg(), quote in any_leg()) {
        let Cross { rate, inverse } = Cross::of(base, quote);
        for rate in [rate, inverse] {
            let text = rate.to_string();
            prop_assert!(!text.contains(['e', 'E']));
            prop_assert_eq!(Rate::from_published(&text), Ok(rate));
        }
    }
}
