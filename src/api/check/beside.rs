//! Checks objects from the cluster against their schema beside other work: an older definition of the
//! resource may have let in what is refused today.
//!
//! To compile a schema's rules takes longer than a small cluster needs to answer, so it is done while more
//! is read. Reading does no harm; nothing is decided before the check is done.

use std::{
    collections::HashMap,
    thread::{self, JoinHandle},
};

use serde_json::{Value, json};

use super::{kind::Kind, object::validate};

/// A check that is under way, of objects that are known by an `Id`.
pub struct Checking<Id>(JoinHandle<Vec<(Id, String)>>);

impl<Id: Send + 'static> Checking<Id> {
    /// Begins to check these objects.
    pub fn begin<K: Kind + Send + 'static>(objects: Vec<(Id, K)>) -> Self {
        Self(thread::spawn(move || {
            let mut known = HashMap::new();
            let problems = objects.into_iter().filter_map(|(id, object)| {
                let entry = known.entry(likeness(&object));
                let found = entry.or_insert_with(|| problem(&object));
                Some((id, found.clone()?))
            });
            problems.collect()
        }))
    }

    /// Waits for the end; which objects can't be used, and why.
    ///
    /// # Panics
    ///
    /// Never: a check doesn't panic.
    pub fn end(self) -> Vec<(Id, String)> {
        self.0.join().expect("a check doesn't panic")
    }
}

/// What is the same of objects that fare the same. Those of many teams are often alike, and each evaluation of
/// a rule compiles its regular expressions anew. Of the metadata a schema sees nothing but the name, and of
/// that our rules ask how long it is.
fn likeness<K: Kind>(object: &K) -> String {
    let mut json = serde_json::to_value(object).unwrap_or_default();
    let name = json["metadata"]["name"].as_str().map_or(0, str::len);
    json["metadata"] = json!(name);
    json["status"] = Value::Null;
    json.to_string()
}

fn problem<K: Kind>(object: &K) -> Option<String> {
    let refusals = validate(object);
    let refusals: Vec<String> = refusals.iter().map(ToString::to_string).collect();
    (!refusals.is_empty()).then(|| refusals.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{ExchangeRate, ExchangeRateSpec};

    #[test]
    fn objects_that_are_alike_fare_alike_and_others_do_not() {
        let rate = |name: &str, quote: &str| {
            let mut rate =
                ExchangeRate::new(name, ExchangeRateSpec::of_quotes(vec![quote.to_owned()]));
            rate.metadata.namespace = Some("shop".to_owned());
            rate
        };
        let long = "a".repeat(64);
        let rates = vec![
            (1, rate("a", "USD")),
            (2, rate("b", "USD")),
            (3, rate("c", "EUR")),
            (4, rate("d", "EUR")),
            (5, rate(&long, "USD")),
        ];
        let problems = Checking::begin(rates).end();
        let ids: Vec<i32> = problems.iter().map(|(id, _)| *id).collect();
        assert_eq!(ids, [3, 4, 5]);
        assert_eq!(problems[0].1, problems[1].1);
        assert!(problems[2].1.contains("metadata.name"), "{}", problems[2].1);
    }
}
