//! Decimals for tests.

use proptest::prelude::*;
use rust_decimal::Decimal;

/// A decimal from 10^-9 to 10^9 with up to 28 digits.
pub fn any_decimal() -> impl Strategy<Value = Decimal> {
    let digits = (1_u32..=28).prop_flat_map(|count| {
        let least = 10_i128.pow(count - 1);
        (least..least * 10, Just(count))
    });
    (digits, -8_i32..=9).prop_filter_map("out of range", |((digits, count), magnitude)| {
        let scale = count.cast_signed() - magnitude;
        match u32::try_from(scale) {
            Ok(scale) => Decimal::try_from_i128_with_scale(digits, scale).ok(),
            Err(_) => {
                let factor = 10_i128.pow(scale.unsigned_abs());
                Decimal::try_from_i128_with_scale(digits * factor, 0).ok()
            }
        }
    })
}
