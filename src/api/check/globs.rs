//! Checks what the schema can't say of a glob: that it can be compiled, `[z-a]` for instance can't.

use globset::{ErrorKind, Glob};
use serde_json::Value;

use super::places::Places;
use crate::api::Refusal;

/// The fields of a rule that are lists of globs.
const LISTS: [(&str, &str); 7] = [
    ("source", "names"),
    ("target", "namespaces"),
    ("target", "exclude"),
    ("data", "include"),
    ("data", "exclude"),
    ("metadata", "labels"),
    ("metadata", "annotations"),
];

/// The globs of a rule that don't compile.
pub(super) fn check(rule: &Value, places: &Places) -> Vec<Refusal> {
    let mut refusals = Vec::new();
    for (part, list) in LISTS {
        let globs = rule["spec"][part][list].as_array();
        for (index, glob) in globs.into_iter().flatten().enumerate() {
            let path = format!("spec.{part}.{list}[{index}]");
            let error = glob.as_str().and_then(|glob| Glob::new(glob).err());
            if let (Some(error), Some((field, position))) = (error, places.find(&path)) {
                let message = message(error.kind());
                refusals.push(Refusal {
                    position: Some(position),
                    field,
                    message,
                });
            }
        }
    }
    refusals
}

fn message(kind: &ErrorKind) -> String {
    match kind {
        ErrorKind::InvalidRange(from, to) => {
            format!("the range {from}-{to} runs backwards; write {to}-{from}")
        }
        kind => format!("not a glob: {kind}"),
    }
}
