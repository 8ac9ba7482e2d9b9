//! Checks an object against the CEL rules of its schema.

use kube::core::cel::{ErrorKind, ValidationError, validate_compiled};
use serde_json::Value;

use super::places::Places;
use super::schema::Schema;
use crate::api::{FieldPath, Refusal};

/// The rules that an object breaks, but for those that only follow from what is refused already:
/// a misspelt `namespaces` also looks like a target without namespaces.
pub(super) fn check(
    schema: &Schema,
    object: &Value,
    places: &Places,
    refused: &[Refusal],
) -> Vec<Refusal> {
    let Err(errors) = validate_compiled(&schema.rules_for(object), object, None) else {
        return Vec::new();
    };
    errors
        .into_iter()
        // A rule that couldn't be evaluated tripped over what the structure's check refused.
        .filter(|error| refused.is_empty() || error.kind == ErrorKind::ValidationFailure)
        .map(|error| refusal(error, places))
        .filter(|refusal| {
            !refused
                .iter()
                .any(|earlier| earlier.field.touches(&refusal.field))
        })
        .collect()
}

fn refusal(error: ValidationError, places: &Places) -> Refusal {
    let path = error.field_path.trim_start_matches('.');
    let (field, position) = match places.find(path) {
        Some((field, position)) => (field, Some(position)),
        None => (
            FieldPath::root().key(path),
            places.find("").map(|(_, position)| position),
        ),
    };
    Refusal {
        position,
        field,
        message: error.message,
    }
}
