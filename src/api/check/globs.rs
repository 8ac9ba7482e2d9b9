//! Checks what the schema can't say of a glob: that it can be compiled, `[z-a]` for instance can't.

use globset::Glob;

use super::structure::Places;
use crate::api::{CopyratorRuleSpec, FieldPath, Refusal};

/// The globs of a rule that don't compile.
pub(super) fn check(spec: &CopyratorRuleSpec, places: &Places) -> Vec<Refusal> {
    let lists = [
        ("source", "names", &spec.source.names),
        ("target", "namespaces", &spec.target.namespaces),
        ("target", "exclude", &spec.target.exclude),
    ];
    let mut refusals = Vec::new();
    for (side, list, globs) in lists {
        for (index, glob) in globs.iter().enumerate() {
            let Err(error) = Glob::new(glob) else {
                continue;
            };
            let field = FieldPath::root()
                .key("spec")
                .key(side)
                .key(list)
                .index(index);
            let position = places
                .find(&field.to_string())
                .map(|(_, position)| position);
            let message = format!("{}; correct the glob", error.kind());
            refusals.push(Refusal {
                position,
                field,
                message,
            });
        }
    }
    refusals
}
