//! The bounds and syntax of the strings, lists and maps in our schemas, and what must hold between
//! fields.
//!
//! A bad string is refused by a CEL rule and not by a `pattern`, because the API server answers a
//! `pattern` with the regular expression, and a CEL rule with our message. Every string and list is
//! bounded: the API server estimates a rule's worst cost from the bounds, and refuses a
//! CustomResourceDefinition above its budget.

mod contradictions;
mod data_keys;
mod globs;
mod labels;
mod names;
mod status;
mod text;

pub(super) use self::{
    contradictions::{
        keys_that_types_need, no_key_left, no_namespace_left, only_onto_itself,
        renamed_but_not_copied, renamed_onto_another, root_certificate_as_copy,
        root_certificate_as_source, types_of_config_maps,
    },
    data_keys::renames,
    globs::{globs, key_globs, metadata_globs},
    labels::{label_key, label_values, labels, match_labels},
    names::{name_template, secret_types, source_namespaces},
    status::{conditions, count, drop_defaults, failing_namespaces, failing_reason},
};
