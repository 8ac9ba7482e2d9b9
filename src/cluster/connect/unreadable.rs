//! Says what is wrong with a kubeconfig without quoting it: it holds tokens and keys.

use kube::config::KubeconfigError;

/// Why a kubeconfig can't be read or merged, and on which line.
pub fn reason(error: &KubeconfigError) -> String {
    match error {
        KubeconfigError::ReadConfig(error, _) => error.to_string(),
        KubeconfigError::Parse(error) => {
            let error = error.without_snippet();
            let what = complaint(&error.to_string());
            match error.location() {
                Some(place) => format!("line {}: {what}", place.line()),
                None => what,
            }
        }
        error => error.to_string(),
    }
}

/// Keeps the part of the parser's message that can't come from the file.
fn complaint(message: &str) -> String {
    if let Some((_, expected)) = message.split_once(", expected ") {
        let expected = expected.split(" at line").next().unwrap_or(expected);
        return format!("expected {expected}");
    }
    if let Some((_, rest)) = message.split_once("missing field `")
        && let Some((field, _)) = rest.split_once('`')
    {
        return format!("the field {field:?} is missing");
    }
    if message.contains("duplicate") {
        return "a key is there twice".to_owned();
    }
    "it is not valid YAML, or not what a kubeconfig holds there".to_owned()
}
