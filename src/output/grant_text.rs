//! A grant as a person copies it from the screen, and as a program takes it from a report.

use serde::Serialize;

use super::{
    grant::{Grant, Manifest, grants},
    machine::to_yaml,
    missing::Missing,
};

/// In how many namespaces a grant is written out on the screen.
const PLACES: usize = 10;

/// A list of manifests, as `kubectl apply` takes it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ManifestList {
    api_version: &'static str,
    kind: &'static str,
    items: Vec<Manifest>,
}

/// All the manifests that grant what is missing; none when nothing is.
pub fn manifest_list(missing: &Missing) -> Option<ManifestList> {
    let grants = grants(missing);
    let items: Vec<_> = grants
        .iter()
        .flat_map(|grant| grant.manifests(usize::MAX))
        .collect();
    (!items.is_empty()).then_some(ManifestList {
        api_version: "v1",
        kind: "List",
        items,
    })
}

/// What an administrator can do about it, with an empty line on either side of the YAML; none when
/// nothing is missing.
pub fn grant_text(missing: &Missing, verbose: bool) -> Option<String> {
    let grants = grants(missing);
    if grants.is_empty() {
        return None;
    }
    let mut text =
        "hint: an administrator can allow it by applying this (kubectl apply -f):\n\n".to_owned();
    let mut room = if verbose { usize::MAX } else { PLACES };
    let mut left_out = 0;
    for grant in &grants {
        let shown = grant.places().min(room);
        room -= shown;
        left_out += grant.places() - shown;
        if shown > 0 {
            push_manifests(&mut text, grant, shown);
        }
    }
    text.push_str(&remark(missing, left_out));
    Some(text)
}

fn push_manifests(text: &mut String, grant: &Grant, shown: usize) {
    for manifest in grant.manifests(shown) {
        let yaml = to_yaml(&manifest).expect("roles and bindings can be written as YAML");
        text.push_str("---\n");
        text.push_str(&yaml);
    }
}

/// What the YAML can't say, as comments in it.
fn remark(missing: &Missing, left_out: usize) -> String {
    let unknown = missing.user().is_none();
    let unknown = unknown.then(|| {
        "# The API server doesn't tell the user's name: bind the roles to it.\n".to_owned()
    });
    let more = match left_out {
        0 => None,
        1 => Some(
            "# It is missing in one more namespace: -v shows the binding there too.\n".to_owned(),
        ),
        _ => Some(format!(
            "# It is missing in {left_out} more namespaces: -v shows the bindings for all of them.\n"
        )),
    };
    unknown.into_iter().chain(more).collect()
}
