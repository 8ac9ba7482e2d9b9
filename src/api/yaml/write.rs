//! Writes objects as kubectl does: keys sorted, lists not indented, `---` between documents.

use serde::Serialize;

/// Why a value has no YAML form.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The value is no JSON value, such as a map with keys that are not texts.
    #[error("the value has no JSON form: {0}")]
    NotJson(#[from] serde_json::Error),
    /// The YAML could not be written.
    #[error("the value has no YAML form: {0}")]
    NotYaml(#[from] serde_saphyr::SerializeError),
}

/// One value as one YAML document, ending with a line break.
pub fn to_yaml<T: Serialize>(value: &T) -> Result<String, WriteError> {
    // A JSON value has its keys sorted; the detour gives every type kubectl's order.
    let value = serde_json::to_value(value)?;
    let options = serde_saphyr::ser_options! { prefer_block_scalars: false };
    Ok(serde_saphyr::to_string_with_options(&value, options)?)
}

/// Several values as a stream of YAML documents, which `kubectl apply -f -` reads.
pub fn to_yaml_documents<T: Serialize>(values: &[T]) -> Result<String, WriteError> {
    let documents: Result<Vec<String>, WriteError> = values.iter().map(to_yaml).collect();
    Ok(documents?.join("---\n"))
}
