//! What may be told of a failure that is about Secrets. The API server's own words never quote a value;
//! those of policies, webhooks and proxies may, and of values that we never saw.

use crate::reconcile::{Failure, ResourceType, SECRETS};

use super::failure::NO_STATUS;

/// Words of the API server's after which somebody else's follow.
const OTHERS_SPEAK: [&str; 3] = [
    " denied request: ",
    " denied the request: ",
    "failed calling webhook \"",
];

/// How the API server's words go on where a webhook couldn't be reached at all.
const UNREACHED: &str = "failed to call webhook: Post \"";

/// What a request told the one who failed to answer it properly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// Nothing but names.
    Names,
    /// A body, which an answer may repeat.
    Body,
}

/// The failure as it may be told.
pub fn discreet(resource: &ResourceType, sent: Sent, failure: Failure) -> Failure {
    if *resource == SECRETS {
        failure.map_message(|message| without_others_words(message, sent))
    } else {
        failure
    }
}

fn without_others_words(message: &str, sent: Sent) -> String {
    match others_words(message, sent) {
        Some(begin) => format!(
            "{}; what it says is not shown, because it may quote the Secret",
            message[..begin].trim_end_matches([':', ' '])
        ),
        None => message.to_owned(),
    }
}

/// Where the words begin that are not the API server's own.
fn others_words(message: &str, sent: Sent) -> Option<usize> {
    if message.starts_with(NO_STATUS) {
        return unknown_words(message, sent);
    }
    let marks = OTHERS_SPEAK.iter();
    let ends = marks.filter_map(|mark| Some(message.find(mark)? + mark.len()));
    let end = ends.min()?;
    if !message[..end].ends_with('"') {
        return Some(end);
    }
    let after_name = end + message[end..].find('"')? + 1;
    let reason = message[after_name..].trim_start_matches([':', ' ']);
    (!reason.starts_with(UNREACHED)).then_some(after_name)
}

/// Where the words begin of something that isn't an API server, unless they can't be about a Secret: a
/// login page, or a proxy that has lost its way, is worth knowing.
fn unknown_words(message: &str, sent: Sent) -> Option<usize> {
    let begin = message.find(": ")?;
    let is_data = message[begin + 2..].starts_with(['{', '[']);
    (sent == Sent::Body || is_data).then_some(begin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reconcile::CONFIG_MAPS;

    fn told(message: &str) -> String {
        let failure = Failure::Forbidden(message.to_owned());
        discreet(&SECRETS, Sent::Body, failure).to_string()
    }

    #[test]
    fn policies_and_webhooks_are_named_and_not_quoted() {
        for named in [
            "secrets \"a\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request",
            "admission webhook \"w.example\" denied the request",
            "Internal error occurred: failed calling webhook \"w.example\"",
        ] {
            assert_eq!(
                told(&format!("{named}: hunter2: denied request: hunter2")),
                format!("{named}; what it says is not shown, because it may quote the Secret")
            );
        }
    }

    #[test]
    fn why_a_webhook_was_not_reached_is_told() {
        let message = "Internal error occurred: failed calling webhook \"w.example\": failed to call \
             webhook: Post \"https://w.default.svc:443/?timeout=10s\": context deadline exceeded";
        assert_eq!(told(message), message);
    }

    #[test]
    fn answers_of_something_else_are_not_quoted() {
        let message = format!("{NO_STATUS}502 Bad Gateway: <html> hunter2");
        assert_eq!(
            told(&message),
            "the server answered 502 Bad Gateway; what it says is not shown, because it may quote the Secret"
        );
        assert_eq!(
            told("the server answered 502 Bad Gateway"),
            "the server answered 502 Bad Gateway"
        );
    }

    #[test]
    fn pages_that_answer_to_reading_are_quoted_unless_they_are_data() {
        let told = |quote: &str| {
            let failure = Failure::Malformed(format!("{NO_STATUS}404 Not Found: {quote}"));
            discreet(&SECRETS, Sent::Names, failure).to_string()
        };
        assert!(told("cluster not found").ends_with(": cluster not found"));
        assert!(!told(r#"{"items":["hunter2"#).contains("hunter2"));
    }

    #[test]
    fn the_api_servers_own_words_are_told() {
        for message in [
            "secrets \"a\" is forbidden: exceeded quota: full, requested: secrets=1",
            "secrets is forbidden: User \"jane\" cannot list resource \"secrets\" in API group \"\"",
            "admission webhook \"w.example\" denied the request without explanation",
        ] {
            assert_eq!(told(message), message);
        }
    }

    #[test]
    fn what_is_no_secret_may_be_quoted() {
        let failure =
            Failure::Forbidden("admission webhook \"w\" denied the request: too big".into());
        assert_eq!(discreet(&CONFIG_MAPS, Sent::Body, failure.clone()), failure);
    }
}
