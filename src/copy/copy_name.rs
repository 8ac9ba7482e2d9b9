//! What a copy is called: a template over its original's name and namespace.

use crate::reconcile::{Name, ObjectKey};

/// The template of a copy's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameTemplate(Box<str>);

/// A template that makes no name of an original.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("spec.target.name: {name:?} can't be a copy's name: {reason}")]
pub struct BadName {
    name: String,
    reason: &'static str,
}

/// The longest RFC 1123 subdomain, which the names of Secrets and ConfigMaps are.
const LONGEST: usize = 253;

impl NameTemplate {
    /// Takes the text of a template.
    pub fn new(text: &str) -> Self {
        Self(text.into())
    }

    /// Whether originals of different names have copies of different names.
    pub fn depends_on_name(&self) -> bool {
        self.0.contains("{name}")
    }

    /// The name of a copy of this original.
    pub fn render(&self, original: &ObjectKey) -> Result<Name, BadName> {
        if &*self.0 == "{name}" {
            return Ok(original.name.clone());
        }
        let namespace = original.namespace.as_ref().map_or("", |name| name.as_str());
        // A namespace's name has no braces, so what it brings in is never replaced again.
        let name = self
            .0
            .replace("{namespace}", namespace)
            .replace("{name}", original.name.as_str());
        match defect(&name) {
            Some(reason) => Err(BadName { name, reason }),
            None => Ok(Name::from(name.as_str())),
        }
    }
}

/// Why a text is no RFC 1123 subdomain.
fn defect(name: &str) -> Option<&'static str> {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let is_label = |label: &str| {
        let bytes = label.as_bytes();
        let ends = [bytes.first(), bytes.last()];
        ends.iter()
            .all(|end| end.is_some_and(|byte| is_letter(*byte)))
            && bytes.iter().all(|byte| is_letter(*byte) || *byte == b'-')
    };
    if name.len() > LONGEST {
        return Some("it has more than 253 characters");
    }
    (!name.split('.').all(is_label)).then_some(
        r#"it has only lowercase letters, digits, "-" and ".", and each part between dots starts and ends with a letter or digit"#,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reconcile::{Namespace, SECRETS};

    fn render(template: &str, namespace: &str, name: &str) -> Result<String, String> {
        let key = ObjectKey::namespaced(&SECRETS, Namespace::from(namespace), Name::from(name));
        let name = NameTemplate::new(template).render(&key);
        name.map(|name| name.to_string())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn placeholders_stand_for_the_original() {
        assert_eq!(render("{name}", "ci", "regcred").unwrap(), "regcred");
        assert_eq!(render("{namespace}-{name}", "ci", "a.b").unwrap(), "ci-a.b");
        assert_eq!(
            render("pull-secret", "ci", "regcred").unwrap(),
            "pull-secret"
        );
        assert_eq!(render("{name}{name}", "ci", "x").unwrap(), "xx");
    }

    #[test]
    fn what_is_no_name_is_refused() {
        let long = "a".repeat(252);
        for (template, name) in [
            ("x-{name}", long.as_str()),
            ("{name}.", "a"),
            ("-{name}", "a"),
        ] {
            let error = render(template, "ci", name).unwrap_err();
            assert!(error.starts_with("spec.target.name: "), "{error}");
        }
    }
}
