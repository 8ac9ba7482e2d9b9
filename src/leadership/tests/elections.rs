//! Elections in which all goes well, and processes that come and go.

use std::time::Duration;

use super::hall::{in_hall, seconds};

#[tokio::test(start_paused = true)]
async fn one_leads_and_the_other_stands_by() {
    in_hall(async |hall| {
        let hall = hall.with_lease();
        let (one, other) = (hall.enter("one"), hall.enter("four"));
        let leaders = hall.observe(Duration::from_mins(10)).await;
        assert_eq!(
            leaders.len(),
            2,
            "nobody, and then one for good: {leaders:?}"
        );
        let leader = leaders[1].1.unwrap();
        assert!(
            leaders[1].0 < Duration::from_millis(100),
            "at once: {leaders:?}"
        );
        let follower = if leader == "one" { other } else { one };
        assert!(follower.told(&format!("standing by for {leader}")));
        assert_eq!(follower.told.borrow().len(), 1, "{:?}", follower.told);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn whoever_finds_no_lease_makes_one_once_nobody_can_hold_it_any_more() {
    in_hall(async |hall| {
        let one = hall.enter("one");
        let (after, leader) = hall.successor(None).await;
        assert_eq!(leader, "one");
        assert!(after >= Duration::from_secs(10), "{after:?}");
        assert!(after < Duration::from_millis(10_500), "{after:?}");
        assert!(
            one.told("waiting 10s") && one.told("leading after 0"),
            "{:?}",
            one.told
        );
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_leader_that_is_stopped_finishes_its_work_and_hands_over() {
    in_hall(async |hall| {
        let hall = hall.with_lease();
        let one = hall.enter("one");
        hall.successor(None).await;
        let four = hall.enter("four");
        seconds(60.0).await;
        assert_eq!(one.end().await, Some("one"), "the work ended by itself");
        assert_eq!(hall.store.holder(), None);
        let (after, leader) = hall.successor(Some("one")).await;
        assert_eq!(leader, "four");
        assert!(
            after <= Duration::from_millis(2100),
            "within a retry period: {after:?}"
        );
        assert!(four.told("leading after 2"), "{:?}", four.told);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn whoever_watches_takes_over_at_once() {
    in_hall(async |hall| {
        let hall = hall.with_lease();
        let one = hall.enter("one");
        hall.successor(None).await;
        let four = hall.enter("four");
        four.path.watches.set(true);
        seconds(60.0).await;
        one.end().await;
        let (after, leader) = hall.successor(Some("one")).await;
        assert_eq!(leader, "four");
        assert!(after <= Duration::from_millis(60), "{after:?}");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_leader_that_dies_is_replaced_once_its_lease_is_up() {
    in_hall(async |hall| {
        let hall = hall.with_lease();
        let one = hall.enter("one");
        hall.successor(None).await;
        let _four = hall.enter("four");
        seconds(61.0).await;
        one.kill();
        let (after, leader) = hall.successor(Some("one")).await;
        assert_eq!(leader, "four");
        // Its last renewal may be a retry period old, and the other one sees it as much later.
        assert!(after >= Duration::from_secs(13), "{after:?}");
        assert!(after <= Duration::from_secs(18), "{after:?}");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_candidate_that_is_stopped_ends_at_once_and_touches_nothing() {
    in_hall(async |hall| {
        let hall = hall.with_lease();
        let _one = hall.enter("one");
        hall.successor(None).await;
        let four = hall.enter("four");
        seconds(5.0).await;
        assert_eq!(four.end().await, None);
        assert_eq!(hall.leader(), Some("one"));
        assert_eq!(hall.store.holder().as_deref(), Some("one"));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn requests_are_few() {
    in_hall(async |hall| {
        let hall = hall.with_lease();
        let one = hall.enter("one");
        hall.successor(None).await;
        let four = hall.enter("four");
        seconds(600.0).await;
        // One for each retry period, of which the shortest is three quarters.
        for candidate in [one, four] {
            let requests = candidate.path.requests.get();
            assert!(
                (300..=402).contains(&requests),
                "{}: {requests}",
                candidate.name
            );
        }
    })
    .await;
}
