//! How a collection is followed: against a cluster that does what a script says, and a clock of its own.

use super::{
    super::scripted::{Happening, Scripted},
    *,
};
use crate::reconcile::{Depth, SECRETS};

const SECOND: Duration = Duration::from_secs(1);

fn message(watched: Watched<String>, version: &str) -> Message<String> {
    Message {
        watched,
        resource_version: version.into(),
    }
}

fn applied(name: &str, version: &str) -> Happening {
    (
        SECOND,
        Ok(message(Watched::Applied(name.to_owned()), version)),
    )
}

fn bookmark(version: &str) -> Happening {
    (SECOND, Ok(message(Watched::Nothing, version)))
}

fn fails(failure: fn() -> Failure) -> Vec<Happening> {
    vec![(Duration::ZERO, Err(failure()))]
}

fn expired() -> Failure {
    Failure::Expired("too old resource version".to_owned())
}

fn lost() -> Failure {
    Failure::ConnectionLost("cut".to_owned())
}

fn refused() -> Failure {
    Failure::NotConnected("connection refused".to_owned())
}

fn broken() -> Failure {
    Failure::Server {
        status: 500,
        message: "etcd".to_owned(),
        retry_after: None,
    }
}

fn forbidden() -> Failure {
    Failure::Forbidden("no".to_owned())
}

/// Follows for so long; what was told, in words.
async fn follow_for(cluster: &Scripted, time: Duration) -> Vec<String> {
    let reduce = |object: RawObject<'_>| {
        let name: String = object.parse()?;
        Ok(Some(name).filter(|name| name != "unneeded"))
    };
    let changes = follow(cluster, Query::all(&SECRETS, Depth::Metadata), reduce);
    let changes = changes.take_until(sleep(time)).map(|change| match change {
        Change::Listed(names) => format!("listed {}", names.join(" ")),
        Change::Applied(name) => format!("applied {name}"),
        Change::Deleted(name) => format!("deleted {name}"),
        Change::Failed { error, .. } => error.to_string(),
    });
    changes.collect().await
}

#[tokio::test(start_paused = true)]
async fn a_watch_begins_where_the_list_ended_and_is_resumed_where_the_last_one_did() {
    let deleted = (SECOND, Ok(message(Watched::Deleted("a".to_owned()), "12")));
    let watches = [
        vec![applied("b", "11"), deleted, applied("unneeded", "13")],
        vec![bookmark("20")],
    ];
    let cluster = Scripted::new(&[Ok((&["a", "unneeded"], "10"))], &watches);
    let told = follow_for(&cluster, 60 * SECOND).await;
    assert_eq!(told, ["listed a", "applied b", "deleted a"]);
    assert_eq!(
        cluster.asked(),
        ["list", "watch since 10", "watch since 13", "watch since 20"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_breaks_goes_on_where_it_was_and_is_told_of() {
    let watches = [
        vec![applied("b", "11"), (SECOND, Err(lost()))],
        vec![applied("c", "12")],
    ];
    let cluster = Scripted::new(&[Ok((&["a"], "10"))], &watches);
    let told = follow_for(&cluster, 60 * SECOND).await;
    let expected = [
        "listed a",
        "applied b",
        "cannot watch secrets: cut",
        "applied c",
    ];
    assert_eq!(told, expected);
    assert_eq!(
        cluster.asked(),
        ["list", "watch since 10", "watch since 11", "watch since 12"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_state_that_is_not_remembered_any_more_is_read_anew_at_once_and_without_a_word() {
    for watch in [
        fails(expired),
        vec![applied("b", "11"), (SECOND, Err(expired()))],
    ] {
        let lists = [Ok((&["a"][..], "10")), Ok((&["c"][..], "30"))];
        let cluster = Scripted::new(&lists, &[watch]);
        let told = follow_for(&cluster, 60 * SECOND).await;
        assert_eq!(told.last().unwrap(), "listed c");
        assert!(!told.iter().any(|told| told.contains("cannot")), "{told:?}");
        assert_eq!(cluster.asked()[2..], ["list", "watch since 30"]);
        assert_eq!(cluster.pauses()[1..], [cluster.pauses()[1], Duration::ZERO]);
        assert!(cluster.pauses()[1] <= 2 * SECOND);
    }
}

#[tokio::test(start_paused = true)]
async fn lists_that_are_too_old_themselves_are_not_read_all_the_time() {
    let (lists, watches) = (vec![Ok((&[][..], "10")); 1000], vec![fails(expired); 1000]);
    let cluster = Scripted::new(&lists, &watches);
    follow_for(&cluster, 600 * SECOND).await;
    let asked = cluster.asked().len();
    assert!(
        (20..100).contains(&asked),
        "{asked} requests in ten minutes"
    );
}

#[tokio::test(start_paused = true)]
async fn whoever_may_list_and_not_watch_does_not_list_all_the_time() {
    let (lists, watches) = (
        vec![Ok((&[][..], "10")); 1000],
        vec![fails(forbidden); 1000],
    );
    let cluster = Scripted::new(&lists, &watches);
    follow_for(&cluster, 600 * SECOND).await;
    let asked = cluster.asked();
    assert_eq!(
        asked[..4],
        ["list", "watch since 10", "list", "watch since 10"]
    );
    assert!((6..100).contains(&asked.len()), "{} requests", asked.len());
}

#[tokio::test(start_paused = true)]
async fn watches_that_end_at_once_are_begun_ever_more_seldom_and_the_list_is_read_anew() {
    let (lists, watches) = (vec![Ok((&[][..], "10")); 1000], vec![Vec::new(); 1000]);
    let cluster = Scripted::new(&lists, &watches);
    let told = follow_for(&cluster, 600 * SECOND).await;
    assert!(
        told.len() > 2 && told.iter().all(|told| told == "listed "),
        "{told:?}"
    );
    let asked = cluster.asked();
    assert!((20..100).contains(&asked.len()), "{} requests", asked.len());
    let doubtful = usize::try_from(DOUBTFUL).unwrap();
    assert!(
        !asked[1..=doubtful].contains(&"list".to_owned()),
        "{asked:?}"
    );
    assert_eq!(asked[doubtful + 1], "list");
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_tells_nothing_for_long_and_ends_is_resumed_at_once() {
    let quiet = |failure: Option<Failure>| match failure {
        // The script's only way to let time pass without a message.
        Some(failure) => vec![(240 * SECOND, Err(failure))],
        None => vec![(240 * SECOND, Ok(message(Watched::Nothing, "10")))],
    };
    for failure in [None, Some(lost()), Some(broken())] {
        let watches = vec![quiet(failure); 8];
        let cluster = Scripted::new(&[Ok((&[], "10"))], &watches);
        follow_for(&cluster, 1900 * SECOND).await;
        let (asked, pauses) = (cluster.asked(), cluster.pauses());
        assert!(asked.len() >= 8, "{asked:?}");
        assert!(
            asked[1..].iter().all(|one| one == "watch since 10"),
            "{asked:?}"
        );
        let pauses = &pauses[1..];
        assert!(
            pauses.iter().all(|pause| *pause <= 241 * SECOND),
            "{pauses:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn failures_are_followed_by_ever_longer_pauses_up_to_half_a_minute() {
    for failure in [lost, broken, refused] {
        let cluster = Scripted::new(&vec![Err(failure()); 30], &[]);
        let told = follow_for(&cluster, 600 * SECOND).await;
        assert!(told.len() > 20 && told.len() < 60, "{}", told.len());
        let pauses = cluster.pauses();
        assert!(pauses[0] <= BACKOFF.first, "{pauses:?}");
        assert!(
            pauses.iter().all(|pause| *pause <= BACKOFF.longest),
            "{pauses:?}"
        );
        assert!(
            pauses[12..]
                .iter()
                .all(|pause| *pause >= BACKOFF.longest / 2)
        );
    }
}

#[tokio::test(start_paused = true)]
async fn what_the_api_server_asks_for_is_heeded_within_reason() {
    for (asked, paused) in [(7, 7 * SECOND), (3600, BACKOFF.longest)] {
        let busy = Failure::Throttled {
            message: "later".to_owned(),
            retry_after: Some(asked * SECOND),
        };
        let cluster = Scripted::new(&[Err(busy), Ok((&[], "10"))], &[]);
        follow_for(&cluster, 60 * SECOND).await;
        assert_eq!(cluster.pauses(), [paused, Duration::ZERO]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_state_with_which_watches_keep_failing_is_doubted_unless_nobody_is_there_to_ask() {
    let fail = |failure: fn() -> Failure| vec![fails(failure); 12];
    for (failure, lists) in [(broken as fn() -> _, true), (lost, true), (refused, false)] {
        let cluster = Scripted::new(&vec![Ok((&[][..], "10")); 20], &fail(failure));
        follow_for(&cluster, 600 * SECOND).await;
        let asked = cluster.asked();
        let again = asked[1..].iter().any(|request| request == "list");
        assert_eq!(again, lists, "{:?}: {asked:?}", failure());
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_not_understood_or_not_allowed_is_asked_for_from_the_beginning() {
    let malformed = || Failure::Malformed("not JSON".to_owned());
    let unknown = || Failure::NotFound("no such resource".to_owned());
    for failure in [malformed as fn() -> Failure, unknown, forbidden] {
        let lists = [Ok((&["a"][..], "10")), Ok((&["b"][..], "20"))];
        let cluster = Scripted::new(&lists, &[fails(failure)]);
        let told = follow_for(&cluster, 60 * SECOND).await;
        assert_eq!(
            (told[0].as_str(), told[2].as_str()),
            ("listed a", "listed b")
        );
        assert_eq!(cluster.asked()[2..], ["list", "watch since 20"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_works_makes_up_for_all_failures_before() {
    let mut watches: Vec<_> = (0..3).map(|_| fails(broken)).collect();
    watches.push(vec![applied("a", "11"), (SECOND, Err(broken()))]);
    let cluster = Scripted::new(&[Ok((&[], "10"))], &watches);
    follow_for(&cluster, 60 * SECOND).await;
    assert_eq!(cluster.asked().last().unwrap(), "watch since 11");
    assert!(*cluster.pauses().last().unwrap() <= 2 * SECOND + BACKOFF.first);
}
