//! Acting as somebody else.

use std::collections::HashMap;

use super::super::ConnectOptions;
use super::fixtures::{Place, TWO, options, some};

#[test]
fn all_of_it_is_sent() {
    let user = Place::with(TWO).config(&options(|it| {
        it.impersonate.user = some("jane");
        it.impersonate.uid = some("42");
        it.impersonate.groups = vec!["a".to_owned(), "b".to_owned()];
        it.impersonate.extra = [("k", "1"), ("l", "2"), ("k", "3")]
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .to_vec();
    }));
    let user = user.auth_info;
    assert_eq!(user.impersonate.as_deref(), Some("jane"));
    assert_eq!(user.impersonate_uid.as_deref(), Some("42"));
    assert_eq!(
        user.impersonate_groups,
        Some(vec!["a".to_owned(), "b".to_owned()])
    );
    let extra = HashMap::from([
        ("k".to_owned(), vec!["1".to_owned(), "3".to_owned()]),
        ("l".to_owned(), vec!["2".to_owned()]),
    ]);
    assert_eq!(user.impersonate_user_extra, Some(extra));
}

#[test]
fn it_needs_a_user() {
    let refused = |change: fn(&mut ConnectOptions)| {
        let error = Place::with(TWO).error(&options(change));
        assert_eq!(
            error,
            "requesting uid, groups or user-extra without impersonating a user; pass --as as well"
        );
    };
    refused(|it| it.impersonate.uid = some("42"));
    refused(|it| it.impersonate.groups = vec!["a".to_owned()]);
    refused(|it| it.impersonate.extra = vec![("k".to_owned(), "v".to_owned())]);
}

#[test]
fn the_kubeconfigs_user_may_do_it_too() {
    let place = Place::with(&TWO.replace("{token: dev-token}", "{token: t, as: jane}"));
    let groups = options(|it| it.impersonate.groups = vec!["a".to_owned()]);
    let user = place.config(&groups).auth_info;
    assert_eq!(user.impersonate.as_deref(), Some("jane"));
    assert_eq!(user.impersonate_groups, Some(vec!["a".to_owned()]));
}
