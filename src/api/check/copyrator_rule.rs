//! The check of a `CopyratorRule`.

use std::sync::LazyLock;

use serde_json::Value;

use super::{
    globs,
    kind::{Kind, Words},
    places::Places,
    schema::Schema,
};
use crate::api::{CopyratorRule, Refusal};

/// The schema of rules; generated, and kept fresh by a test.
pub(super) const JSON: &str = include_str!("copyratorrule.json");

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| Schema::new::<CopyratorRule>(JSON));

impl Kind for CopyratorRule {
    const WORDS: Words = Words {
        noun: "rule",
        example: "pull-secrets",
        predecessors: &["flant.com", "test.com"],
        rewriting: "has other fields (ruleType, selector, namespace); rewrite it with apiVersion: \
                    copyrator.dev/v1alpha1, and spec.resource, spec.source and spec.target",
    };

    const IS_NAMESPACED: bool = false;

    fn schema() -> &'static Schema {
        &SCHEMA
    }

    fn beyond_the_schema(object: &Value, places: &Places) -> Vec<Refusal> {
        globs::check(object, places)
    }
}
