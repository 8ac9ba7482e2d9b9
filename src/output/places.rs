//! Where things happened: a list of objects, cut to a few examples that a person can take in.

use std::collections::BTreeSet;

use crate::reconcile::ObjectKey;

/// Names the namespaces of some objects, or the objects where they share one; at most `limit` of them.
pub fn places(keys: &[ObjectKey], limit: usize) -> String {
    let namespaces: BTreeSet<_> = keys.iter().map(|key| key.namespace.as_ref()).collect();
    let names = || {
        keys.iter()
            .map(|key| key.name.to_string())
            .collect::<BTreeSet<_>>()
    };
    let mut namespaces = namespaces.into_iter();
    match (namespaces.next().flatten(), namespaces.next()) {
        (None, None) => few(&names(), limit),
        (Some(only), None) => format!("in namespace {only}: {}", few(&names(), limit)),
        _ => {
            let names = keys
                .iter()
                .filter_map(|key| Some(key.namespace.as_ref()?.to_string()));
            format!("in namespaces {}", few(&names.collect(), limit))
        }
    }
}

fn few(names: &BTreeSet<String>, limit: usize) -> String {
    let shown: Vec<_> = names.iter().take(limit).map(String::as_str).collect();
    match names.len().saturating_sub(limit) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::fixtures::secret;

    #[test]
    fn namespaces_are_named_or_the_objects_in_one() {
        let keys: Vec<_> = ["c", "a", "b", "d"]
            .map(|namespace| secret(namespace, "regcred"))
            .into();
        assert_eq!(places(&keys, 3), "in namespaces a, b, c and 1 more");
        assert_eq!(places(&keys, usize::MAX), "in namespaces a, b, c, d");
        let keys = [secret("a", "tls"), secret("a", "regcred")];
        assert_eq!(places(&keys, 3), "in namespace a: regcred, tls");
    }
}
