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
use serde_json::value::RawValue;

use super::{FIELD_MANAGER, OwnedFields, Provenance, borrowed::Text};

/// One entry of `metadata.managedFields`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ManagedFieldsEntry<'a> {
    #[serde(borrow, default)]
    manager: Text<'a>,
    #[serde(borrow, default)]
    operation: Text<'a>,
    #[serde(borrow, default)]
    subresource: Text<'a>,
    #[serde(borrow)]
    fields_v1: Option<&'a RawValue>,
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

/// What the fields of one entry say.
#[derive(Clone, Copy)]
struct Fields {
    /// Whether there is content among them.
    content: bool,
    /// Whether they are none but those that we write: owning `stringData` or `immutable` under our name
    /// means that another program borrowed it.
    plain: bool,
    owned: OwnedFields,
}

impl From<FieldsV1> for Fields {
    fn from(fields: FieldsV1) -> Self {
        let plain = fields.string_data.is_none() && fields.immutable.is_none();
        let ours = fields.data.is_some() || fields.binary_data.is_some() || fields.r#type.is_some();
        Self {
            content: ours || !plain,
            plain,
            owned: OwnedFields::new(
                fields.r#type.is_some(),
                keys(fields.data.as_ref()),
                keys(fields.binary_data.as_ref()),
            ),
        }
    }
}

/// Members are written `f:<key>`; `.` stands for the map itself.
fn keys(fields: Option<&BTreeMap<String, IgnoredAny>>) -> impl Iterator<Item = &str> {
    fields
        .into_iter()
        .flat_map(BTreeMap::keys)
        .filter_map(|field| field.strip_prefix("f:"))
}

/// How many different sets of fields are remembered.
const REMEMBERED: usize = 16;

/// Reads managed fields. The copies of one original have the same ones, tens of thousands of times.
#[derive(Default)]
pub struct FieldsReader {
    seen: Vec<(Box<str>, Fields)>,
}

impl FieldsReader {
    /// Who wrote the content, as far as the entries tell.
    pub fn provenance(&mut self, entries: &[ManagedFieldsEntry<'_>]) -> Provenance {
        let mut ours = None;
        for entry in entries {
            let fields = self.read(entry);
            match (entry.is_ours(), fields.content) {
                (true, _) if ours.is_none() && fields.plain => ours = Some(fields.owned),
                (true, _) | (false, true) => return Provenance::Doubtful,
                (false, false) => (),
            }
        }
        ours.map_or(Provenance::Doubtful, Provenance::OursAlone)
    }

    /// The field managers that own content, or all of them when none does; sorted, each once.
    pub fn managers(&mut self, entries: &[ManagedFieldsEntry<'_>]) -> Vec<String> {
        let name = |entry: &ManagedFieldsEntry<'_>| entry.manager.as_str().to_owned();
        let owning = entries.iter().filter(|entry| self.read(entry).content);
        let mut managers: Vec<String> = owning.map(name).collect();
        if managers.is_empty() {
            managers = entries.iter().map(name).collect();
        }
        managers.sort_unstable();
        managers.dedup();
        managers
    }

    /// What can't be read may own anything.
    fn read(&mut self, entry: &ManagedFieldsEntry<'_>) -> Fields {
        let text = entry.fields_v1.map_or("{}", RawValue::get);
        if let Some((_, known)) = self.seen.iter().find(|(seen, _)| **seen == *text) {
            return *known;
        }
        let Ok(fields) = serde_json::from_str::<FieldsV1>(text) else {
            return Fields {
                content: true,
                plain: false,
                owned: OwnedFields::new(false, [].into_iter(), [].into_iter()),
            };
        };
        let fields = Fields::from(fields);
        if self.seen.len() < REMEMBERED {
            self.seen.push((text.into(), fields));
        }
        fields
    }
}

/// Whether all that is on the object was written by us.
pub fn are_ours_alone(entries: &[ManagedFieldsEntry<'_>]) -> bool {
    !entries.is_empty() && entries.iter().all(ManagedFieldsEntry::is_ours)
}

impl ManagedFieldsEntry<'_> {
    fn is_ours(&self) -> bool {
        self.manager.as_str() == FIELD_MANAGER
            && self.operation.as_str() == "Update"
            && self.subresource.as_str().is_empty()
    }
}
