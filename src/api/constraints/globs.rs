//! The syntax of globs: over names, over keys of data, and over keys of labels and annotations.

use schemars::{Schema, SchemaGenerator};

use super::text::{FEW, LABEL_KEY_LENGTH, MANY, SUBDOMAIN_LENGTH, set, text};

const GLOB_MESSAGE: &str = r#"a glob has only lowercase letters, digits, "-", "." and the wildcards *, ?, [a-z] and {a,b}; close every bracket, and leave no choice empty"#;

const KEY_GLOB_MESSAGE: &str = r#"a glob over keys has only letters, digits, "-", "_", "." and the wildcards *, ?, [a-z] and {a,b}; close every bracket, and leave no choice empty"#;

const METADATA_GLOB_MESSAGE: &str = r#"a glob over labels or annotations has only letters, digits, "-", "_", ".", "/" and the wildcards *, ?, [a-z] and {a,b}; close every bracket, and leave no choice empty"#;

const SLASHES_MESSAGE: &str = r#"the key of a label or annotation has at most one "/", so this glob matches none; write for instance example.com/*"#;

const OUR_MARK_MESSAGE: &str = "this key is never taken over, because on a copy it says whose the copy is and what was applied to it; remove it";

/// At most one slash, which separates a key's prefix from its name; choices may each have one.
const SLASHES_RULE: &str = "self.contains('{') || self.indexOf('/') == self.lastIndexOf('/')";

/// No mark of ours, nor the text that `kubectl apply` would take for the copy's own.
const OUR_MARK_RULE: &str = "!self.startsWith('copyrator.dev/') && !(self in ['app.kubernetes.io/managed-by', 'kubectl.kubernetes.io/last-applied-configuration'])";

/// What `globset` can compile, but for reversed ranges such as `[z-a]`, over the given characters
/// outside and inside of brackets, and `-`. Braces don't nest.
fn glob_rule(outside: &str, inside: &str) -> String {
    let one = format!(r"[{outside}*?-]|\\[[!^]?[{inside}-]+\\]");
    format!(r"self.matches('^({one}|\\{{({one})+(,({one})+)*\\}})+$')")
}

/// Globs over the names of objects or namespaces.
pub(in crate::api) fn globs(_: &mut SchemaGenerator) -> Schema {
    let characters = "a-z0-9.";
    let rule = glob_rule(characters, characters);
    set(&text(SUBDOMAIN_LENGTH, &[(&rule, GLOB_MESSAGE)]), MANY)
}

/// Globs over the keys of `data` and `binaryData`.
pub(in crate::api) fn key_globs(_: &mut SchemaGenerator) -> Schema {
    let characters = "A-Za-z0-9._";
    let rule = glob_rule(characters, characters);
    set(&text(SUBDOMAIN_LENGTH, &[(&rule, KEY_GLOB_MESSAGE)]), FEW)
}

/// Globs over the keys of labels or annotations. A class has no slash, so that slashes can be
/// counted.
pub(in crate::api) fn metadata_globs(_: &mut SchemaGenerator) -> Schema {
    let rules = [
        (
            &*glob_rule("A-Za-z0-9._/", "A-Za-z0-9._"),
            METADATA_GLOB_MESSAGE,
        ),
        (SLASHES_RULE, SLASHES_MESSAGE),
        (OUR_MARK_RULE, OUR_MARK_MESSAGE),
    ];
    set(&text(LABEL_KEY_LENGTH, &rules), FEW)
}
