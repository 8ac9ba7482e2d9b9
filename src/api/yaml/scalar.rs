//! What kubectl makes of an unquoted YAML scalar: YAML 1.1, as `sigs.k8s.io/yaml` reads it.
//!
//! Reading `on` or `0777` otherwise than kubectl would make a rule mean one thing to `kubectl apply`
//! and another to us.

use serde_json::{Number, Value};

/// The value of an unquoted scalar.
pub(super) fn resolve(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" | "y" | "Y" => {
            Value::Bool(true)
        }
        "false" | "False" | "FALSE" | "no" | "No" | "NO" | "off" | "Off" | "OFF" | "n" | "N" => {
            Value::Bool(false)
        }
        text => number(text).map_or_else(|| text.into(), Value::Number),
    }
}

/// The number that a scalar stands for, if it is one; infinite ones have no form in JSON and count
/// as 0, because no field of ours is a floating-point number.
fn number(text: &str) -> Option<Number> {
    let digits = text.replace('_', "");
    let unsigned = digits.strip_prefix(['-', '+']).unwrap_or(&digits);
    if matches!(
        unsigned,
        ".inf" | ".Inf" | ".INF" | ".nan" | ".NaN" | ".NAN"
    ) {
        return Some(0.into());
    }
    if !unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return None;
    }
    integer(&digits, unsigned)
        .map(Number::from)
        .or_else(|| float(&digits))
}

/// A whole number; one with a leading 0 is octal.
fn integer(digits: &str, unsigned: &str) -> Option<i64> {
    let (radix, magnitude) = match unsigned.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &unsigned[2..]),
        [b'0', b'b' | b'B', ..] => (2, &unsigned[2..]),
        [b'0', b'o' | b'O', ..] => (8, &unsigned[2..]),
        [b'0', _, ..] => (8, &unsigned[1..]),
        _ => (10, unsigned),
    };
    if !magnitude.starts_with(|first: char| first.is_ascii_hexdigit()) {
        return None;
    }
    let magnitude = i64::from_str_radix(magnitude, radix).ok()?;
    Some(if digits.starts_with('-') {
        -magnitude
    } else {
        magnitude
    })
}

/// A decimal fraction, or a whole number too large or badly written for an integer, such as `089`.
fn float(digits: &str) -> Option<Number> {
    let decimal = digits
        .chars()
        .all(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-'));
    let value = decimal.then(|| digits.parse::<f64>().ok())??;
    Some(Number::from_f64(value).unwrap_or_else(|| 0.into()))
}
