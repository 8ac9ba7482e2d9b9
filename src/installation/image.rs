//! The reference of a container image.

use std::{fmt, str::FromStr};

/// The reference of a container image, such as `registry.example.com/team/program:1.2.3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image(Box<str>);

/// A text that is no reference of an image.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no image: {problem}")]
pub struct ImageError {
    text: String,
    problem: &'static str,
}

/// The longest repository that registries take.
/// Source: <https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#pulling-manifests>
const LONGEST_REPOSITORY: usize = 255;
const LONGEST_TAG: usize = 128;

impl fmt::Display for Image {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.0)
    }
}

impl FromStr for Image {
    type Err = ImageError;

    fn from_str(text: &str) -> Result<Self, ImageError> {
        match defect(text) {
            None => Ok(Self(text.into())),
            Some(problem) => Err(ImageError {
                text: text.to_owned(),
                problem,
            }),
        }
    }
}

/// What is wrong with a reference: `[host[:port]/]path[:tag][@algorithm:hexadecimal]`.
/// Source: <https://github.com/distribution/reference/blob/v0.6.0/reference.go>
fn defect(text: &str) -> Option<&'static str> {
    if text.is_empty() {
        return Some("it is empty");
    }
    if text.contains("://") {
        return Some("an image is named without a scheme: registry.example.com/path:tag");
    }
    let (text, digest) = split(text, text.find('@'));
    // A colon before the last slash belongs to the port of the host.
    let colon = text.rfind(':').filter(|at| !text[*at..].contains('/'));
    let (repository, tag) = split(text, colon);
    let (host, path) = host_and_path(repository);
    if !host.is_none_or(is_host) {
        return Some(
            "the name of the registry has only letters, digits, \"-\" and \".\", and a port",
        );
    }
    if repository.len() > LONGEST_REPOSITORY {
        return Some("it has more than 255 characters");
    }
    if !path.split('/').all(is_component) {
        return Some(
            "its path has only lowercase letters, digits, and single separators (\".\", \"-\", \"_\") between them",
        );
    }
    if !tag.is_none_or(is_tag) {
        return Some("a tag has at most 128 letters, digits, \"_\", \".\" and \"-\"");
    }
    (!digest.is_none_or(is_digest)).then_some("a digest is sha256: and 64 hexadecimal digits")
}

fn split(text: &str, at: Option<usize>) -> (&str, Option<&str>) {
    at.map_or((text, None), |at| (&text[..at], Some(&text[at + 1..])))
}

/// What comes before the first slash is a host only if it looks like one.
fn host_and_path(repository: &str) -> (Option<&str>, &str) {
    match repository.split_once('/') {
        Some((host, path)) if host.contains(['.', ':']) || host == "localhost" => {
            (Some(host), path)
        }
        _ => (None, repository),
    }
}

fn is_host(text: &str) -> bool {
    let (name, port) = text
        .split_once(':')
        .map_or((text, None), |(name, port)| (name, Some(port)));
    let is_label = |label: &str| {
        let inner = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(inner)
    };
    name.split('.').all(is_label)
        && port.is_none_or(|port| port.parse::<u16>().is_ok_and(|port| port > 0))
}

/// Letters and digits, with one dot, up to two underscores or any number of dashes between them.
fn is_component(text: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let words = text.split(|letter: char| !u8::try_from(letter).is_ok_and(is_word));
    let separators = text.split(|letter: char| u8::try_from(letter).is_ok_and(is_word));
    let mut separators = separators.filter(|separator| !separator.is_empty());
    let is_separator =
        |text: &str| matches!(text, "." | "_" | "__") || text.bytes().all(|byte| byte == b'-');
    let mut words = words.peekable();
    let begins = words.peek().is_some_and(|word| !word.is_empty());
    begins && words.last().is_some_and(|word| !word.is_empty()) && separators.all(is_separator)
}

fn is_tag(text: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let is_inner = |byte: u8| is_word(byte) || b".-".contains(&byte);
    text.len() <= LONGEST_TAG
        && text.bytes().next().is_some_and(is_word)
        && text.bytes().all(is_inner)
}

fn is_digest(text: &str) -> bool {
    text.strip_prefix("sha256:").is_some_and(|digits| {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        digits.len() == 64 && digits.bytes().all(is_digit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_of_every_form_are_taken() {
        let digest = "a".repeat(64);
        for good in [
            "kubectl-copyrator",
            "kubectl-copyrator:0.1.0",
            "ghcr.io/team/kubectl-copyrator:v1",
            "localhost/x",
            "localhost:5000/x:latest",
            "registry.example.com:5000/a/b__c/d-e--f",
            &format!("a/b@sha256:{digest}"),
            &format!("a/b:1@sha256:{digest}"),
        ] {
            assert_eq!(
                good.parse::<Image>().map(|image| image.to_string()),
                Ok(good.to_owned())
            );
        }
    }

    #[test]
    fn what_is_no_reference_is_refused_with_the_reason() {
        let long = "a".repeat(129);
        for (bad, reason) in [
            ("", "empty"),
            ("https://ghcr.io/x", "scheme"),
            ("Team/x", "path"),
            ("a b", "path"),
            ("a//b", "path"),
            ("a/", "path"),
            ("a..b", "path"),
            ("a___b", "path"),
            ("ä", "path"),
            ("x:", "tag"),
            ("x:-a", "tag"),
            ("x:a/b", "port"),
            (&format!("x:{long}"), "tag"),
            ("x@sha256:abc", "digest"),
            ("x@md5:abc", "digest"),
            ("-a.b/x", "registry"),
            ("a.b:0/x", "port"),
            ("a.b:x/y", "port"),
            (&"a".repeat(256), "255"),
        ] {
            let error = bad.parse::<Image>().unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
