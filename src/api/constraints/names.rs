//! The syntax of the names in a rule: of the sources' namespaces, of types of Secrets, and of copies.

use schemars::{Schema, SchemaGenerator};
use serde_json::json;

use super::text::{FEW, LABEL_LENGTH, MANY, SUBDOMAIN_LENGTH, set, text, text_field};

const NAMESPACE_MESSAGE: &str = r#"a namespace's name has only lowercase letters, digits and "-", and starts and ends with a letter or digit; sources are named exactly, only target.namespaces has globs"#;

/// RFC 1123 label, which a namespace's name is.
const NAMESPACE_RULE: &str = "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')";

const SECRET_TYPE_MESSAGE: &str =
    "a Secret's type is not empty and has no spaces; write it as kubernetes.io/tls or Opaque";

const NEVER_COPIED_MESSAGE: &str = "Secrets of this type are never copied, because they are bound to their cluster or namespace; remove the type";

const PLACEHOLDER_MESSAGE: &str = "the placeholders of a copy's name are {name} and {namespace}, written so; remove every other brace, and close those that are open";

const COPY_NAME_MESSAGE: &str = r#"a copy's name has only lowercase letters, digits, "-", "." and the placeholders {name} and {namespace}, and starts and ends with a letter, digit or placeholder, as does each of its parts between dots; write for instance "{namespace}-{name}""#;

const CONFIG_MAP_NAME_MESSAGE: &str = r#"the name of a ConfigMap has only lowercase letters, digits, "-" and ".", and starts and ends with a letter or digit, as does each of its parts between dots; write for instance eur-rates"#;

const ROOT_CERTIFICATE_MESSAGE: &str = "the ConfigMap kube-root-ca.crt belongs to Kubernetes, which puts it into every namespace; choose another name";

const SECRET_NAME_MESSAGE: &str = r#"the name of a Secret has only lowercase letters, digits, "-" and ".", and starts and ends with a letter or digit, as does each of its parts between dots; write for instance rates-key"#;

/// Braces only as placeholders.
const PLACEHOLDER_RULE: &str = "self.matches('^([^{}]|[{](name|namespace)[}])*$')";

/// RFC 1123 subdomain, in which a placeholder stands for a text that starts and ends properly. A
/// text with other braces is let through, because the rule on placeholders refuses it already.
fn copy_name_rule() -> String {
    const END: &str = "([a-z0-9]|[{](name|namespace)[}])";
    let part = format!("{END}((-|{END})*{END})?");
    format!("!{PLACEHOLDER_RULE} || self.matches('^{part}([.]{part})*$')")
}

/// RFC 1123 subdomain, which the names of Secrets and ConfigMaps are.
const SUBDOMAIN_RULE: &str =
    "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')";

/// The name of the ConfigMap that publishes rates. The one that Kubernetes puts into every namespace is
/// not for taking.
pub(in crate::api) fn config_map_name(_: &mut SchemaGenerator) -> Schema {
    let rules = [
        (SUBDOMAIN_RULE, CONFIG_MAP_NAME_MESSAGE),
        ("self != 'kube-root-ca.crt'", ROOT_CERTIFICATE_MESSAGE),
    ];
    text_field(SUBDOMAIN_LENGTH, &rules)
}

/// The name of a Secret.
pub(in crate::api) fn secret_name(_: &mut SchemaGenerator) -> Schema {
    text_field(SUBDOMAIN_LENGTH, &[(SUBDOMAIN_RULE, SECRET_NAME_MESSAGE)])
}

/// The exact names of at least one namespace.
pub(in crate::api) fn source_namespaces(_: &mut SchemaGenerator) -> Schema {
    let names = text(LABEL_LENGTH, &[(NAMESPACE_RULE, NAMESPACE_MESSAGE)]);
    let mut schema = set(&names, MANY);
    schema.insert(
        "x-kubernetes-validations".to_owned(),
        json!([{
            "rule": "self.size() > 0",
            "message": "name at least one namespace that holds originals",
            "reason": "FieldValueRequired",
        }]),
    );
    schema
}

/// The template of a copy's name.
pub(in crate::api) fn name_template(_: &mut SchemaGenerator) -> Schema {
    let rules = [
        (PLACEHOLDER_RULE, PLACEHOLDER_MESSAGE),
        (&copy_name_rule(), COPY_NAME_MESSAGE),
    ];
    text_field(SUBDOMAIN_LENGTH, &rules)
}

/// Types of Secrets; the ones that are never copied are refused, so that nobody waits for them.
pub(in crate::api) fn secret_types(_: &mut SchemaGenerator) -> Schema {
    let never_copied = "!(self in ['kubernetes.io/service-account-token', \
                        'bootstrap.kubernetes.io/token']) && !self.startsWith('helm.sh/')";
    let rules = [
        (r"self.matches('^[^\\s]+$')", SECRET_TYPE_MESSAGE),
        (never_copied, NEVER_COPIED_MESSAGE),
    ];
    set(&text(SUBDOMAIN_LENGTH, &rules), FEW)
}
