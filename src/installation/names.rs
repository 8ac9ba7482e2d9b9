//! The names of what an installation consists of, checked as the API server does.

/// A text that can't be a name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} can't be the name of {noun}: {problem}")]
pub struct NameError {
    text: String,
    noun: &'static str,
    problem: String,
}

/// RFC 1123 label: the longest.
const LONGEST_LABEL: usize = 63;
/// RFC 1123 subdomain: the longest.
const LONGEST_SUBDOMAIN: usize = 253;
/// A CronJob's name, to which its Jobs add eleven characters, without the longest of our suffixes.
/// Source: <https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/>
const LONGEST_NAME: usize = 52 - super::cron_job::RATES_SUFFIX.len();

/// Checks the name of an installation.
pub fn name(text: &str) -> Result<(), NameError> {
    check(text, "an installation", LONGEST_NAME, is_label)
}

/// Checks a name that is an RFC 1123 label, such as a namespace's.
pub fn label(noun: &'static str, text: &str) -> Result<(), NameError> {
    check(text, noun, LONGEST_LABEL, is_label)
}

/// Checks a name that is an RFC 1123 subdomain, such as a Secret's.
pub fn subdomain(noun: &'static str, text: &str) -> Result<(), NameError> {
    let is_subdomain = |text: &str| text.split('.').all(is_label);
    check(text, noun, LONGEST_SUBDOMAIN, is_subdomain)
}

fn check(
    text: &str,
    noun: &'static str,
    longest: usize,
    is_well_formed: impl Fn(&str) -> bool,
) -> Result<(), NameError> {
    let problem = if text.len() > longest {
        format!("it has more than {longest} characters")
    } else if !is_well_formed(text) {
        "it has only lowercase letters, digits and \"-\", and starts and ends with a letter or digit"
            .to_owned()
    } else {
        return Ok(());
    };
    Err(NameError {
        text: text.to_owned(),
        noun,
        problem,
    })
}

fn is_label(text: &str) -> bool {
    let is_end = |byte: Option<&u8>| {
        byte.is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    let bytes = text.as_bytes();
    let is_inner = |byte: &u8| is_end(Some(byte)) || *byte == b'-';
    is_end(bytes.first()) && is_end(bytes.last()) && bytes.iter().all(is_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_the_api_server_takes_them() {
        for good in ["a", "copyrator-system", "0-9"] {
            assert_eq!(label("a namespace", good), Ok(()));
            assert_eq!(name(good), Ok(()));
        }
        for bad in ["", "A", "-a", "a-", "a_b", "a.b", "ä", &"a".repeat(64)] {
            assert!(label("a namespace", bad).is_err(), "{bad}");
            assert!(name(bad).is_err(), "{bad}");
        }
        assert_eq!(subdomain("a Secret", "a.b"), Ok(()));
        assert!(subdomain("a Secret", "a..b").is_err());
    }

    #[test]
    fn a_name_leaves_room_for_what_is_added_to_it() {
        assert_eq!(name(&"a".repeat(46)), Ok(()));
        let error = name(&"a".repeat(47)).unwrap_err().to_string();
        assert!(error.ends_with("it has more than 46 characters"), "{error}");
    }
}
