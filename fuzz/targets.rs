//! What is fuzzed: each function takes any bytes, and panics only for a fault of ours.

use std::collections::BTreeMap;

use kubectl_copyrator::{
    api::ConfigMapTemplate,
    rates::{
        Published, Quotations, Rate, data,
        provider::{Address, ProviderType, UrlPrefix},
    },
};

/// The longest that an error may be, however long what it is about.
const LONGEST_ERROR: usize = 1000;

/// A target: its name, and what it does with bytes.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const ALL: [Target; 9] = [
    ("ecb", ecb),
    ("frankfurter", frankfurter),
    ("frankfurter_v1", frankfurter_v1),
    ("open_er_api", open_er_api),
    ("open_exchange_rates", open_exchange_rates),
    ("exchangerate_host", exchangerate_host),
    ("url", url),
    ("address", address),
    ("published", published),
];

/// The European Central Bank's XML.
pub fn ecb(data: &[u8]) {
    read(ProviderType::Ecb, data);
}

/// Frankfurter's rows.
pub fn frankfurter(data: &[u8]) {
    read(ProviderType::Frankfurter, data);
}

/// The first Frankfurter's JSON.
pub fn frankfurter_v1(data: &[u8]) {
    read(ProviderType::FrankfurterV1, data);
}

/// Exchangerate-api.com's JSON.
pub fn open_er_api(data: &[u8]) {
    read(ProviderType::OpenErApi, data);
}

/// Openexchangerates.org's JSON.
pub fn open_exchange_rates(data: &[u8]) {
    read(ProviderType::OpenExchangeRates, data);
}

/// Exchangerate.host's JSON.
pub fn exchangerate_host(data: &[u8]) {
    read(ProviderType::ExchangeRateHost, data);
}

/// Our own JSON and CSV.
pub fn url(data: &[u8]) {
    read(ProviderType::Url, data);
}

/// An address that is allowed stays below what allows it, and neither shows what it shouldn't.
pub fn address(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let (prefix, address) = text.split_once(' ').unwrap_or((text, text));
    match (prefix.parse::<UrlPrefix>(), address.parse::<Address>()) {
        (Ok(prefix), Ok(address)) if prefix.matches(address.url()) => {
            let whole = format!("{}/", prefix.to_string().trim_end_matches('/'));
            let shown = format!("{}/", address.to_string().trim_end_matches('/'));
            assert!(shown.starts_with(&whole), "{prefix} allows {address}");
            let mut segments = address.url().path().split('/');
            let is_up = segments.any(|segment| segment == "..");
            assert!(!is_up, "{prefix} allows {address}");
        }
        (prefix, address) => {
            prefix.err().inspect(is_presentable);
            address.err().inspect(is_presentable);
        }
    }
}

/// What a ConfigMap of rates holds, under each key that is read back: what is read is published as it was.
pub fn published(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    for key in ["rates.json", "rates.csv", "rates.env", "history.csv"] {
        let held = BTreeMap::from([(key.to_owned(), text.to_owned())]);
        let read = Published::read(&held);
        for damaged in &read.damaged {
            is_presentable(damaged);
        }
        let Some(sheet) = read.sheet else {
            continue;
        };
        if let Ok(again) = data(&sheet, &ConfigMapTemplate::default()) {
            let again = Published::read(&again);
            assert!(again.damaged.is_empty(), "{:?}", again.damaged);
            assert_eq!(again.sheet.as_ref(), Some(&sheet), "{key}");
        }
    }
}

fn read(kind: ProviderType, data: &[u8]) {
    let provider = kind.provider();
    match provider.read(data) {
        Ok(quotations) => is_sound(&quotations),
        Err(error) => is_presentable(&error),
    }
    provider.refusal(data).as_ref().inspect(is_presentable);
}

/// What the rest of the program relies on.
fn is_sound(quotations: &Quotations) {
    assert!(!quotations.days.is_empty(), "no days");
    for (day, rates) in &quotations.days {
        assert!(!rates.is_empty(), "no rates on {day}");
        assert!(!rates.contains_key(&quotations.base), "the base is quoted");
        for rate in rates.values() {
            assert_eq!(rate.to_string().parse::<Rate>().as_ref(), Ok(rate));
        }
    }
}

/// A message fits on a line of a terminal, and the terminal only shows it.
fn is_presentable(error: &impl std::fmt::Display) {
    let text = error.to_string();
    assert!(text.len() <= LONGEST_ERROR, "{} bytes of error", text.len());
    assert!(
        !text.chars().any(char::is_control),
        "a control character: {text:?}"
    );
}
