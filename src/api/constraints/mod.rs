//! The bounds and syntax of the strings, lists and maps in our schemas, and what must hold between
//! fields.
//!
//! A bad string is refused by a CEL rule and not by a `pattern`, because the API server answers a
//! `pattern` with the regular expression, and a CEL rule with our message. Every string and list is
//! bounded: the API server estimates a rule's worst cost from the bounds, and refuses a
//! CustomResourceDefinition above its budget.

mod contradictions;
mod currencies;
mod data_keys;
mod exchange_rates;
mod globs;
mod labels;
mod names;
mod numbers;
mod providers;
mod publication;
mod schedules;
mod status;
mod text;

pub(super) use self::{
    contradictions::{
        keys_that_types_need, no_key_left, no_namespace_left, only_onto_itself,
        renamed_but_not_copied, renamed_onto_another, root_certificate_as_copy,
        root_certificate_as_source, types_of_config_maps,
    },
    currencies::{currency, quotes},
    data_keys::{renames, secret_key},
    exchange_rates::{
        base_among_quotes, base_as_currency, history_without_days, only_keys_of_one_quote,
        quotes_or_currency,
    },
    globs::{globs, key_globs, metadata_globs},
    labels::{label_key, label_values, labels, match_labels},
    names::{config_map_name, name_template, secret_name, secret_types, source_namespaces},
    numbers::{history, max_age, max_change},
    providers::{file_of_no_service, key_for_nobody, provider_url, providers, url_of_its_own},
    publication::{published_annotations, published_keys, published_labels},
    schedules::schedule,
    status::{
        conditions, count, drop_defaults, failing_namespaces, failing_reason, published_rates,
    },
};
