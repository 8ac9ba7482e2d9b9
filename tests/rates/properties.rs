//! What holds of every answer, whatever is in it.

use kubectl_copyrator::rates::{Currency, provider::ProviderType};
use proptest::prelude::*;

/// Answers of each provider with `NUMBER` in place of a rate of JPY.
const FORMS: [(ProviderType, &str); 9] = [
    (
        ProviderType::Ecb,
        "<Envelope><Cube><Cube time='2026-11-20'><Cube currency='JPY' rate='NUMBER'/></Cube></Cube></Envelope>",
    ),
    (
        ProviderType::Frankfurter,
        r#"[{"date":"2026-11-20","base":"EUR","quote":"JPY","rate":NUMBER}]"#,
    ),
    (
        ProviderType::FrankfurterV1,
        r#"{"amount":1.0,"base":"EUR","date":"2026-11-20","rates":{"JPY":NUMBER}}"#,
    ),
    (
        ProviderType::FrankfurterV1,
        r#"{"base":"EUR","start_date":"2026-11-20","rates":{"2026-11-20":{"JPY":NUMBER}}}"#,
    ),
    (
        ProviderType::OpenErApi,
        r#"{"result":"success","time_last_update_unix":1795132951,"base_code":"EUR","rates":{"JPY":NUMBER}}"#,
    ),
    (
        ProviderType::OpenExchangeRates,
        r#"{"timestamp":1795132951,"base":"USD","rates":{"JPY":NUMBER}}"#,
    ),
    (
        ProviderType::ExchangeRateHost,
        r#"{"success":true,"timestamp":1795132951,"source":"USD","quotes":{"USDJPY":NUMBER}}"#,
    ),
    (
        ProviderType::Url,
        r#"{"base":"EUR","date":"2026-11-20","rates":{"JPY":"NUMBER"}}"#,
    ),
    (
        ProviderType::Url,
        "date,base,quote,rate\n2026-11-20,EUR,JPY,NUMBER\n",
    ),
];

/// The rate that a provider's reader takes from such an answer.
fn taken(kind: ProviderType, form: &str, number: &str) -> Result<String, String> {
    let body = form.replace("NUMBER", number);
    let read = kind.provider().read(body.as_bytes());
    let quotations = read.map_err(|error| error.to_string())?;
    let jpy: Currency = "JPY".parse().expect("a currency");
    let (day, rates) = quotations.days.first_key_value().expect("never empty");
    assert_eq!(day.to_string(), "2026-11-20");
    Ok(rates[&jpy].to_string())
}

/// A decimal without what says nothing: zeros at the end of a fraction.
fn plain(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

/// Positive decimals as providers write them, up to the most digits that are kept.
fn decimals() -> impl Strategy<Value = String> {
    let whole = "0|[1-9][0-9]{0,8}";
    (whole, proptest::option::of("[0-9]{1,19}"))
        .prop_map(|(whole, fraction)| match fraction {
            Some(fraction) => format!("{whole}.{fraction}"),
            None => whole,
        })
        // Smaller ones aren't rates.
        .prop_filter("too small", |text| {
            !text.starts_with("0.00000000") && plain(text) != "0"
        })
}

proptest! {
    #[test]
    fn every_digit_survives(number in decimals()) {
        for (kind, form) in FORMS {
            prop_assert_eq!(taken(kind, form, &number), Ok(plain(&number).to_owned()));
        }
    }

    #[test]
    fn an_exponent_only_moves_the_point(digits in "[1-9][0-9]{0,7}", exponent in 0_usize..8) {
        let (whole, fraction) = digits.split_at(digits.len() - exponent.min(digits.len()));
        let zeros = "0".repeat(exponent.saturating_sub(digits.len()));
        let whole = if whole.is_empty() { "0" } else { whole };
        let moved = format!("{whole}.{zeros}{fraction}");
        for (kind, form) in FORMS {
            let number = format!("{digits}e-{exponent}");
            prop_assert_eq!(taken(kind, form, &number), Ok(plain(&moved).to_owned()));
        }
    }

    #[test]
    fn what_is_no_positive_number_refuses_the_answer(number in "-[0-9]{1,5}|0(\\.0{1,5})?|[0-9]{30,40}|[a-z]{1,5}") {
        for (kind, form) in FORMS {
            prop_assert!(taken(kind, form, &number).is_err(), "{kind}: {number}");
        }
    }

    #[test]
    fn any_bytes_are_refused_or_read(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        for kind in ProviderType::ALL {
            if let Err(error) = kind.provider().read(&bytes) {
                prop_assert!(error.to_string().len() < 1000);
            }
            let _ = kind.provider().refusal(&bytes);
        }
    }
}
