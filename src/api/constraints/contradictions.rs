//! What must hold between the fields of a rule: pairs that can't both be meant are refused, so that
//! nobody waits for copies that never come.

use kube::core::{Reason, Rule};

/// The globs of a list that are plain texts are all there is: none has a wildcard.
const INCLUDE_IS_PLAIN: &str = r"!self.include.exists(glob, glob.matches('[*?\\[{]'))";

/// The keys that the API server requires of a Secret, with the type that needs each.
const REQUIRED_KEYS: &str = "{'tls.crt': 'kubernetes.io/tls', 'tls.key': 'kubernetes.io/tls', \
    '.dockerconfigjson': 'kubernetes.io/dockerconfigjson', '.dockercfg': 'kubernetes.io/dockercfg', \
    'ssh-privatekey': 'kubernetes.io/ssh-auth'}";

/// Types with ConfigMaps.
pub(in crate::api) fn types_of_config_maps() -> Rule {
    Rule::new(
        "self.resource == 'Secret' || !has(self.source.types) || self.source.types.size() == 0",
    )
    .message("only Secrets have types; remove types, or write resource: Secret")
    .field_path(".source.types")
    .reason(Reason::FieldValueForbidden)
}

/// The ConfigMap of Kubernetes' own as an original.
pub(in crate::api) fn root_certificate_as_source() -> Rule {
    Rule::new("self.resource != 'ConfigMap' || !has(self.source.names) || !('kube-root-ca.crt' in self.source.names)")
        .message("the ConfigMap kube-root-ca.crt is never copied, because Kubernetes puts it into every namespace itself; remove it from names")
        .field_path(".source.names")
}

/// The ConfigMap of Kubernetes' own as a copy.
pub(in crate::api) fn root_certificate_as_copy() -> Rule {
    Rule::new("self.resource != 'ConfigMap' || !has(self.target.name) || self.target.name != 'kube-root-ca.crt'")
        .message("the ConfigMap kube-root-ca.crt is Kubernetes' own in every namespace; give the copy another name")
        .field_path(".target.name")
}

/// A rule whose only target is its only source, where each original has its name already.
pub(in crate::api) fn only_onto_itself() -> Rule {
    Rule::new("self.source.namespaces.size() != 1 || !has(self.target.namespaces) || self.target.namespaces != self.source.namespaces || (has(self.target.name) && self.target.name != '{name}')")
        .message("the only target is the namespace of the originals, which have their names there already; give another target, or set target.name, such as \"{name}-copy\"")
        .field_path(".target.namespaces")
}

/// Copies that the API server would refuse, because they lack a key that their type needs.
pub(in crate::api) fn keys_that_types_need() -> Rule {
    let renamed_to =
        "(has(self.data.rename) && self.data.rename.exists(old, self.data.rename[old] == key))";
    let renamed = "(has(self.data.rename) && key in self.data.rename)";
    let excluded = "(has(self.data.exclude) && key in self.data.exclude)";
    let included = r"(!has(self.data.include) || self.data.include.size() == 0 || key in self.data.include || self.data.include.exists(glob, glob.matches('[*?\\[{]')))";
    Rule::new(format!(
        "!has(self.data) || !has(self.source.types) || {REQUIRED_KEYS}.all(key, \
         !({REQUIRED_KEYS}[key] in self.source.types) || {renamed_to} || (!{renamed} && !{excluded} && {included}))"
    ))
    .message("a copy has its original's type, and the API server refuses it without the keys that the type needs: tls.crt and tls.key for kubernetes.io/tls, .dockerconfigjson, .dockercfg or ssh-privatekey for the type of each; let data keep them, or remove the type from source.types")
    .field_path(".data")
}

/// Namespaces of which none is left.
pub(in crate::api) fn no_namespace_left() -> Rule {
    Rule::new("!has(self.exclude) || !('*' in self.exclude || (has(self.namespaces) && self.namespaces.size() > 0 && self.namespaces.all(glob, glob in self.exclude)))")
        .message("exclude takes away every namespace that there could be; remove globs from it, or write suspend: true to let the rule rest")
        .field_path(".exclude")
}

/// Keys of which none is left.
pub(in crate::api) fn no_key_left() -> Rule {
    Rule::new("!has(self.exclude) || !('*' in self.exclude || (has(self.include) && self.include.size() > 0 && self.include.all(glob, glob in self.exclude)))")
        .message("exclude takes away every key that there could be; remove globs from it")
        .field_path(".exclude")
}

/// A new name for a key that isn't copied.
pub(in crate::api) fn renamed_but_not_copied() -> Rule {
    let excluded = "has(self.exclude) && key in self.exclude";
    let not_included = format!(
        "has(self.include) && self.include.size() > 0 && {INCLUDE_IS_PLAIN} && !(key in self.include)"
    );
    Rule::new(format!(
        "!has(self.rename) || self.rename.all(key, !({excluded}) && !({not_included}))"
    ))
    .message("a key that is renamed must be copied, under its old name; add it to include or remove it from exclude, or remove its new name")
    .field_path(".rename")
}

/// A new name that another key has already.
pub(in crate::api) fn renamed_onto_another() -> Rule {
    Rule::new("!has(self.rename) || !has(self.include) || self.rename.all(key, !(self.rename[key] in self.include) || self.rename[key] in self.rename || (has(self.exclude) && self.rename[key] in self.exclude))")
        .message("a key is renamed to one that include lists, too, and one of the two would be lost; give it another name, or remove the other from include")
        .field_path(".rename")
}
