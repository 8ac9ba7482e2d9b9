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

/// The failure as it may be told.
pub fn discreet(resource: &ResourceType, failure: Failure) -> Failure {
    if *resource == SECRETS {
        failure.map_message(without_others_words)
    } else {
        failure
    }
}

fn without_others_words(message: &str) -> String {
    match others_words(message) {
        Some(begin) => format!(
            "{}; what it says is not shown, because it may quote the Secret",
            message[..begin].trim_end_matches([':', ' '])
        ),
        None => message.to_owned(),
    }
}

/// Where the words begin that are not the API server's own.
fn others_words(message: &str) -> Option<usize> {
    if message.starts_with(NO_STATUS) {
        return message.find(": ");
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reconcile::CONFIG_MAPS;

    fn told(message: &str) -> String {
        let failure = Failure::Forbidden(message.to_owned());
        discreet(&SECRETS, failure).to_string()
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
        assert_eq!(discreet(&CONFIG_MAPS, failure.clone()), failure);
    }
}
