//! What an object's managed fields say of who wrote its content.
//!
//! The format is that of `metadata.managedFields` with `fieldsType: FieldsV1`
//! (<https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management>).

#![expect(
    clippy::zero_sized_map_values,
    reason = "of the maps only the keys matter, and serde reads maps into maps"
)]

use std::collections::BTreeMap;

use serde::{Deserialize, de::IgnoredAny};

use super::{FIELD_MANAGER, OwnedFields, Provenance};

/// One entry of `metadata.managedFields`, reduced to the fields that carry content.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ManagedFieldsEntry {
    #[serde(default)]
    manager: String,
    #[serde(default)]
    operation: String,
    #[serde(default)]
    subresource: String,
    #[serde(default)]
    fields_v1: FieldsV1,
}

#[derive(Default, Deserialize)]
struct FieldsV1 {
    #[serde(default, rename = "f:data")]
    data: Option<BTreeMap<String, IgnoredAny>>,
    #[serde(default, rename = "f:binaryData")]
    binary_data: Option<BTreeMap<String, IgnoredAny>>,
    #[serde(default, rename = "f:stringData")]
    string_data: Option<IgnoredAny>,
    #[serde(default, rename = "f:type")]
    r#type: Option<IgnoredAny>,
    #[serde(default, rename = "f:immutable")]
    immutable: Option<IgnoredAny>,
}

impl ManagedFieldsEntry {
    fn is_ours(&self) -> bool {
        self.manager == FIELD_MANAGER && self.operation == "Update" && self.subresource.is_empty()
    }

    fn owns_content(&self) -> bool {
        let fields = &self.fields_v1;
        fields.data.is_some()
            || fields.binary_data.is_some()
            || fields.string_data.is_some()
            || fields.r#type.is_some()
            || fields.immutable.is_some()
    }
}

/// Who wrote the content, as far as the entries tell.
pub fn provenance(entries: &[ManagedFieldsEntry]) -> Provenance {
    let mut ours = entries.iter().filter(|entry| entry.is_ours());
    let foreign = entries
        .iter()
        .any(|entry| !entry.is_ours() && entry.owns_content());
    match (ours.next(), ours.next()) {
        (Some(entry), None) if !foreign && plain(&entry.fields_v1) => {
            Provenance::OursAlone(owned_fields(&entry.fields_v1))
        }
        _ => Provenance::Doubtful,
    }
}

/// We never write `stringData` or `immutable`: owning them means that another program borrowed our name.
fn plain(fields: &FieldsV1) -> bool {
    fields.string_data.is_none() && fields.immutable.is_none()
}

fn owned_fields(fields: &FieldsV1) -> OwnedFields {
    OwnedFields::new(
        fields.r#type.is_some(),
        keys(fields.data.as_ref()),
        keys(fields.binary_data.as_ref()),
    )
}

/// Members are written `f:<key>`; `.` stands for the map itself.
fn keys(fields: Option<&BTreeMap<String, IgnoredAny>>) -> impl Iterator<Item = &str> {
    fields
        .into_iter()
        .flat_map(BTreeMap::keys)
        .filter_map(|field| field.strip_prefix("f:"))
}

/// The field managers that own content, or all of them when none does; sorted, each once.
pub fn managers(entries: &[ManagedFieldsEntry]) -> Vec<String> {
    let owning = entries.iter().filter(|entry| entry.owns_content());
    let mut managers: Vec<String> = owning.map(|entry| entry.manager.clone()).collect();
    if managers.is_empty() {
        managers = entries.iter().map(|entry| entry.manager.clone()).collect();
    }
    managers.sort_unstable();
    managers.dedup();
    managers
}
