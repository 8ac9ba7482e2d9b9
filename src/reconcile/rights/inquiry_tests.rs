//! Which questions are asked, and what follows from the answers.

use std::{cell::RefCell, sync::Arc};

use tokio_util::sync::CancellationToken;

use super::*;
use crate::reconcile::{
    CONFIG_MAPS, Depth, Desired, Name, Namespace, Observed, Page, Query, RawObject, ResourceType,
    SECRETS, StatusUpdate, UnexpectedShape, Writes,
};

/// A cluster that only answers reviews.
struct Reviewer<A> {
    answer: A,
    asked: RefCell<Vec<String>>,
}

impl<A: Fn(&Access) -> Result<Answer, ApiError>> Cluster for Reviewer<A> {
    async fn may(&self, access: &Access) -> Result<Answer, ApiError> {
        self.asked.borrow_mut().push(in_words(access));
        (self.answer)(access)
    }

    async fn user(&self) -> Result<Arc<str>, ApiError> {
        unreachable!("an inquiry doesn't ask who asks")
    }

    async fn list_page<T>(
        &self,
        _query: &Query,
        _continue_token: Option<&str>,
        _reduce: impl FnMut(RawObject<'_>) -> Result<Option<T>, UnexpectedShape>,
    ) -> Result<Page<T>, ApiError> {
        unreachable!("an inquiry reads nothing")
    }

    async fn get<T>(
        &self,
        _key: &ObjectKey,
        _depth: Depth,
        _reduce: impl FnOnce(RawObject<'_>) -> Result<T, UnexpectedShape>,
    ) -> Result<Option<T>, ApiError> {
        unreachable!("an inquiry reads nothing")
    }

    fn writes(&self) -> Writes {
        unreachable!("whoever asks for rights writes nothing")
    }

    async fn try_create(&self, _: &Desired) -> Result<(), ApiError> {
        unreachable!("whoever asks for rights writes nothing")
    }

    async fn orphan(&self, _: &Observed) -> Result<(), ApiError> {
        unreachable!("whoever asks for rights writes nothing")
    }

    async fn release(&self, _: &Observed) -> Result<(), ApiError> {
        unreachable!("whoever asks for rights writes nothing")
    }

    async fn write_status(&self, _: &StatusUpdate) -> Result<(), ApiError> {
        unreachable!("whoever asks for rights writes nothing")
    }

    async fn create(&self, _desired: &Desired) -> Result<(), ApiError> {
        unreachable!("an inquiry writes nothing")
    }

    async fn update(&self, _desired: &Desired, _observed: &Observed) -> Result<(), ApiError> {
        unreachable!("an inquiry writes nothing")
    }

    async fn delete(&self, _observed: &Observed) -> Result<(), ApiError> {
        unreachable!("an inquiry writes nothing")
    }
}

fn in_words(access: &Access) -> String {
    let place = access.namespace.as_ref().map_or("*", Namespace::as_str);
    let name = access.name.as_ref().map_or("*", Name::as_str);
    format!("{} {} {place}/{name}", access.verb, access.resource.plural)
}

fn key(resource: &'static ResourceType, path: &str) -> ObjectKey {
    let (namespace, name) = path.split_once('/').unwrap();
    ObjectKey::namespaced(resource, namespace.into(), name.into())
}

fn allowed_if(allowed: bool) -> Answer {
    if allowed {
        Answer::Allowed
    } else {
        Answer::Denied(String::new())
    }
}

/// What isn't allowed, and what was asked.
async fn inquire_about(
    needs: &[(Verb, &'static ResourceType, &str)],
    answer: impl Fn(&Access) -> Result<Answer, ApiError>,
) -> (Vec<(String, Reason)>, Vec<String>) {
    let reviewer = Reviewer {
        answer,
        asked: RefCell::default(),
    };
    let needs: Vec<_> = needs
        .iter()
        .map(|(verb, resource, path)| (*verb, key(resource, path)))
        .collect();
    let needs = needs.iter().map(|(verb, key)| Need { verb: *verb, key });
    let pace = Pace::new(CancellationToken::new());
    let denied = inquire(&reviewer, &pace, 1, needs).await;
    let denied = denied.into_iter();
    let denied = denied.map(|(need, reason)| (need.key.path(), reason));
    (denied.collect(), reviewer.asked.into_inner())
}

#[tokio::test]
async fn nothing_needed_is_nothing_asked() {
    let (denied, asked) = inquire_about(&[], |_| unreachable!()).await;
    assert!(denied.is_empty() && asked.is_empty());
}

#[tokio::test]
async fn one_answer_for_the_cluster_is_enough() {
    let needs = [
        (Verb::Create, &SECRETS, "a/tls"),
        (Verb::Create, &SECRETS, "b/tls"),
        (Verb::Create, &CONFIG_MAPS, "b/ca"),
        (Verb::Patch, &SECRETS, "c/tls"),
    ];
    let (denied, asked) = inquire_about(&needs, |_| Ok(allowed_if(true))).await;
    assert!(denied.is_empty());
    assert_eq!(
        asked,
        [
            "create configmaps */*",
            "create secrets */*",
            "patch secrets */*"
        ]
    );
}

#[tokio::test]
async fn creations_are_asked_for_by_namespace() {
    let needs = [
        (Verb::Create, &SECRETS, "a/tls"),
        (Verb::Create, &SECRETS, "a/ca"),
        (Verb::Create, &SECRETS, "b/tls"),
    ];
    let (denied, asked) = inquire_about(&needs, |access| {
        Ok(allowed_if(access.namespace == Some("b".into())))
    })
    .await;
    let denied: Vec<_> = denied.iter().map(|(path, _)| path).collect();
    assert_eq!(denied, ["a/ca", "a/tls"]);
    assert_eq!(
        asked,
        [
            "create secrets */*",
            "create secrets a/*",
            "create secrets b/*"
        ]
    );
}

#[tokio::test]
async fn a_name_may_be_allowed_everywhere_or_in_its_place() {
    let needs = [
        (Verb::Patch, &SECRETS, "a/tls"),
        (Verb::Patch, &SECRETS, "b/tls"),
        (Verb::Patch, &SECRETS, "b/ca"),
        (Verb::Patch, &SECRETS, "c/ca"),
        (Verb::Patch, &SECRETS, "c/other"),
    ];
    let (denied, asked) = inquire_about(&needs, |access| {
        let name = access.name.as_ref().map(Name::as_str);
        let namespace = access.namespace.as_ref().map(Namespace::as_str);
        let is_allowed = name == Some("tls") || (namespace, name) == (Some("c"), Some("ca"));
        Ok(allowed_if(is_allowed))
    })
    .await;
    let denied: Vec<_> = denied.iter().map(|(path, _)| path).collect();
    assert_eq!(denied, ["b/ca", "c/other"]);
    assert_eq!(
        asked,
        [
            "patch secrets */*",
            "patch secrets */ca",
            "patch secrets */tls",
            "patch secrets c/*",
            "patch secrets b/ca",
            "patch secrets c/ca",
            "patch secrets c/other",
        ],
        "no question that settles no more than a later one"
    );
}

#[tokio::test]
async fn what_cannot_be_asked_is_not_asked_more_closely() {
    let needs = [
        (Verb::Create, &SECRETS, "a/tls"),
        (Verb::Delete, &SECRETS, "b/tls"),
    ];
    let error = ApiError {
        verb: Verb::Create,
        subject: "selfsubjectaccessreviews".to_owned(),
        failure: Failure::TimedOut(std::time::Duration::from_secs(1)),
    };
    let (denied, asked) = inquire_about(&needs, |_| Err(error.clone())).await;
    assert_eq!(asked, ["create secrets */*", "delete secrets */*"]);
    assert_eq!(denied, [], "nothing is denied, so all is attempted");
}

#[tokio::test]
async fn the_reason_is_that_of_the_closest_question() {
    let needs = [(Verb::Create, &SECRETS, "a/tls")];
    let (denied, _) = inquire_about(&needs, |access| Ok(Answer::Denied(in_words(access)))).await;
    let reason = "create secrets a/*".to_owned();
    assert_eq!(denied, [("a/tls".to_owned(), reason)]);
}
