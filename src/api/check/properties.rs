//! Properties of the checks, against what Kubernetes and the globs' compiler accept.

use globset::{ErrorKind, Glob};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::tests::{rule_of_name, rule_with};
use super::{check, validate};
use crate::api::{
    CopyratorRule, ExchangeRate, ExchangeRateSpec, ProviderType, RateProvider, Schedule, yaml::Node,
};

fn is_accepted(rule: &Value) -> bool {
    check::<CopyratorRule>(&Node::from_json(rule)).is_ok()
}

/// Kubernetes' `IsConfigMapKey`.
fn is_key(text: &str) -> bool {
    let known = |character: char| character.is_ascii_alphanumeric() || "-_.".contains(character);
    !text.is_empty() && text.chars().all(known) && text != "." && !text.starts_with("..")
}

/// Kubernetes' `IsDNS1123Subdomain`.
fn is_subdomain(text: &str) -> bool {
    let known = |character: char| matches!(character, 'a'..='z' | '0'..='9' | '-');
    text.split('.').all(|part| {
        !part.is_empty()
            && part.chars().all(known)
            && !part.starts_with('-')
            && !part.ends_with('-')
    })
}

proptest! {
    #[test]
    fn a_glob_that_the_schema_lets_through_compiles(glob in r"[a-c0.*?\[\]!^{},-]{1,12}") {
        let accepted = check::<CopyratorRule>(&Node::from_json(&rule_of_name(&glob)));
        match Glob::new(&glob).map_err(|error| error.kind().clone()) {
            Ok(_) => {}
            Err(ErrorKind::InvalidRange(..)) => prop_assert!(accepted.is_err()),
            Err(error) => prop_assert!(accepted.is_err(), "{glob}: {error}"),
        }
    }

    #[test]
    fn a_glob_over_keys_that_the_schema_lets_through_compiles(
        glob in r"[a-cA-C_0.*?\[\]!^{},/-]{1,12}",
    ) {
        for field in [["data", "include"], ["metadata", "labels"]] {
            let accepted = is_accepted(&rule_with(&field, &json!([glob])));
            prop_assert!(!accepted || Glob::new(&glob).is_ok(), "{field:?}: {glob}");
        }
    }

    #[test]
    fn a_literal_key_is_a_glob_over_keys(key in "[-._a-zA-Z0-9]{1,20}") {
        prop_assert!(is_accepted(&rule_with(&["data", "include"], &json!([key]))));
        let label = format!("example.com/{key}");
        prop_assert!(is_accepted(&rule_with(&["metadata", "labels"], &json!([label]))));
    }

    #[test]
    fn keys_are_renamed_exactly_as_kubernetes_allows(key in "[.]{0,2}[-._aZ0 /*]{0,4}") {
        let rename = |old: &str, new: &str| rule_with(&["data", "rename"], &json!({old: new}));
        prop_assert_eq!(is_accepted(&rename("other", &key)), is_key(&key), "{}", &key);
        prop_assert_eq!(is_accepted(&rename(&key, "other")), is_key(&key), "{}", &key);
    }

    #[test]
    fn a_template_is_accepted_exactly_if_it_makes_names(
        parts in prop::collection::vec(
            prop::sample::select(vec!["{name}", "{namespace}", "a", "0", "-", ".", "A", "_", "{", "}", "{n}"]),
            0..6,
        ),
    ) {
        let template = parts.concat();
        let name = template.replace("{name}", "a.b").replace("{namespace}", "c");
        let accepted = is_accepted(&rule_with(&["target", "name"], &json!(template)));
        prop_assert_eq!(accepted, is_subdomain(&name), "{}", template);
    }

    #[test]
    fn a_schedule_is_accepted_exactly_if_the_parser_takes_it(
        fields in prop::collection::vec(r"[0-9*,/LW#-]{1,4}|\*/[0-9]{1,2}|[*]|[1-7]|[0-9]{1,2}|[0-9]-[0-9]{1,2}", 4),
        day in "[0-9*,/LW#-]{1,3}|[*]|MON|tue-Fri|SUN,[1-6]L|[0-8]#[0-6]",
    ) {
        let schedule = format!("{} {day}", fields.join(" "));
        let mut spec = ExchangeRateSpec::of_quotes(vec!["USD".to_owned()]);
        spec.schedule = Some(schedule.clone());
        let accepted = validate(&ExchangeRate::new("eur", spec)).is_empty();
        prop_assert_eq!(accepted, schedule.parse::<Schedule>().is_ok(), "{}", schedule);
    }

    #[test]
    fn an_address_that_is_accepted_can_be_asked(
        host in r"[a-z0-9.\[\]:@_-]{1,12}",
        path in r"(:[0-9]{0,6})?([/?#][a-zA-Z0-9./?#%&=@ \[\]\\{}-]{0,12})?",
    ) {
        let url = format!("https://{host}{path}");
        let mut spec = ExchangeRateSpec::of_quotes(vec!["USD".to_owned()]);
        let mut provider = RateProvider::from(ProviderType::Url);
        provider.url = Some(url.clone());
        spec.providers = vec![provider];
        if validate(&ExchangeRate::new("eur", spec)).is_empty() {
            let parsed = reqwest::Url::parse(&url).unwrap();
            let has_secret = !parsed.username().is_empty() || parsed.password().is_some();
            prop_assert!(parsed.has_host() && !has_secret && parsed.fragment().is_none(), "{url}");
        }
    }

    #[test]
    fn no_rule_makes_the_checks_panic(name in ".{0,20}", text in "[a-z:{}\\[\\], \"]{0,40}") {
        let mut rule = rule_of_name(&name);
        rule["metadata"]["name"] = name.clone().into();
        rule["spec"]["target"] = serde_json::from_str(&text).unwrap_or(Value::Null);
        let _ = check::<CopyratorRule>(&Node::from_json(&rule));
    }
}
