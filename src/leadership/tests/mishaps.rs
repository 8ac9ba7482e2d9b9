//! Elections in which requests fail, and somebody meddles.

use std::time::Duration;

use super::{
    hall::{Candidate, Hall, in_hall, seconds},
    store::{Path, Way},
};

/// A leader and a follower, who have been so for a while.
async fn settled(hall: &Hall) -> (Candidate, Candidate) {
    hall.store.edit(|_| ());
    let one = hall.enter("one");
    hall.successor(None).await;
    let four = hall.enter("four");
    seconds(30.0).await;
    (one, four)
}

#[tokio::test(start_paused = true)]
async fn a_leader_that_cannot_renew_stops_before_another_one_begins() {
    for way in [Way::Closed, Way::Silent, Way::Forbidden] {
        in_hall(async |hall| {
            let (one, _four) = settled(&hall).await;
            one.path.way.set(way);
            let leaders = hall.observe(Duration::from_secs(30)).await;
            let [(_, Some("one")), (stopped, None), (taken, Some("four"))] = leaders[..] else {
                panic!("{way:?}: {leaders:?}");
            };
            assert!(stopped > Duration::from_secs(7), "{stopped:?}");
            assert!(stopped <= Duration::from_millis(10_040), "{stopped:?}");
            assert!(taken > stopped + Duration::from_secs(4), "{leaders:?}");
            assert!(one.told("lost: the lease couldn't be renewed in time"));
            one.path.way.set(Way::Open);
            seconds(10.0).await;
            assert!(
                one.told("standing by for four"),
                "it is a candidate again: {:?}",
                one.told
            );
            assert_eq!(hall.leader(), Some("four"));
        })
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_short_outage_costs_nothing() {
    in_hall(async |hall| {
        let (one, four) = settled(&hall).await;
        for candidate in [&one, &four] {
            candidate.path.way.set(Way::Closed);
        }
        seconds(6.0).await;
        for candidate in [&one, &four] {
            candidate.path.way.set(Way::Open);
        }
        let leaders = hall.observe(Duration::from_mins(1)).await;
        assert_eq!(leaders.len(), 1, "{leaders:?}");
        assert!(
            one.told("trouble: cannot update lease.coordination.k8s.io/lease"),
            "{:?}",
            one.told
        );
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn after_a_long_outage_of_everything_somebody_leads_again() {
    in_hall(async |hall| {
        let (one, four) = settled(&hall).await;
        for candidate in [&one, &four] {
            candidate.path.way.set(Way::Silent);
        }
        seconds(120.0).await;
        assert_eq!(hall.leader(), None);
        for candidate in [&one, &four] {
            candidate.path.way.set(Way::Open);
        }
        let (after, _) = hall.successor(None).await;
        assert!(after < Duration::from_secs(8), "{after:?}");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn renewals_whose_answers_are_lost_do_not_count() {
    in_hall(async |hall| {
        let (one, _four) = settled(&hall).await;
        one.path.way.set(Way::AnswersLost);
        let leaders = hall.observe(Duration::from_secs(11)).await;
        assert_eq!(leaders.len(), 2, "{leaders:?}");
        assert_eq!(hall.leader(), None);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn one_lost_answer_is_got_over() {
    in_hall(async |hall| {
        let (one, _four) = settled(&hall).await;
        one.path.way.set(Way::AnswersLost);
        seconds(2.1).await;
        one.path.way.set(Way::Open);
        let leaders = hall.observe(Duration::from_mins(1)).await;
        assert_eq!(leaders.len(), 1, "{leaders:?}");
        assert!(!one.told("lost"), "{:?}", one.told);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_claim_whose_answer_was_lost_is_no_term() {
    in_hall(async |hall| {
        let hall = hall.with_lease();
        let path = Path::to(&hall.store);
        path.way.set(Way::AnswersLost);
        let one = hall.enter_by("one", path);
        seconds(3.0).await;
        // Its reads are lost too, so the Lease is taken by nobody.
        assert_eq!((hall.leader(), hall.store.holder()), (None, None));
        hall.store
            .edit(|record| record.holder = Some("one".to_owned()));
        seconds(3.0).await;
        assert_eq!(hall.leader(), None, "what the record says is no term");
        one.path.way.set(Way::Open);
        let (after, _) = hall.successor(None).await;
        assert!(after > Duration::from_secs(7), "{after:?}");
        assert!(after < Duration::from_millis(12_100), "{after:?}");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_leader_whose_lease_is_deleted_makes_it_again() {
    in_hall(async |hall| {
        let (one, four) = settled(&hall).await;
        four.path.watches.set(true);
        seconds(5.0).await;
        hall.store.delete();
        let leaders = hall.observe(Duration::from_mins(1)).await;
        assert_eq!(leaders.len(), 1, "{leaders:?}");
        assert_eq!(hall.store.holder().as_deref(), Some("one"));
        assert!(!one.told("lost"));
        assert!(!four.told("leading"));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_lease_that_is_deleted_behind_a_leader_that_is_cut_off_is_not_taken_early() {
    in_hall(async |hall| {
        let (one, _four) = settled(&hall).await;
        one.path.way.set(Way::Silent);
        hall.store.delete();
        // Somebody who knows nothing of the deleted Lease.
        let _third = hall.enter("third");
        let leaders = hall.observe(Duration::from_secs(20)).await;
        assert_eq!(leaders[1].1, None, "nobody between the two: {leaders:?}");
        assert!(leaders[2].1.is_some(), "{leaders:?}");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_leader_that_finds_somebody_else_in_the_lease_stops_at_its_next_renewal() {
    in_hall(async |hall| {
        let (one, four) = settled(&hall).await;
        hall.store
            .edit(|record| record.holder = Some("four".to_owned()));
        let leaders = hall.observe(Duration::from_secs(20)).await;
        let [(_, Some("one")), (stopped, None), (_, Some("four"))] = leaders[..] else {
            panic!("{leaders:?}");
        };
        assert!(stopped <= Duration::from_millis(2100), "{stopped:?}");
        assert!(
            one.told("lost: the lease is held by four"),
            "{:?}",
            one.told
        );
        assert!(four.told("leading"));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn edits_of_anything_else_change_nothing() {
    in_hall(async |hall| {
        let (one, _four) = settled(&hall).await;
        for round in 0..40 {
            hall.store.edit(|record| match round % 4 {
                0 => record.holder = None,
                1 => record.duration = Some(Duration::from_hours(1000)),
                2 => record.renewed = None,
                _ => *record = super::super::LeaseRecord::default(),
            });
            let leaders = hall.observe(Duration::from_secs(3)).await;
            assert_eq!(leaders, [(Duration::ZERO, Some("one"))], "round {round}");
        }
        assert!(!one.told("lost") && !one.told("trouble"), "{:?}", one.told);
        assert_eq!(
            hall.store.record().unwrap().duration,
            Some(Duration::from_secs(15))
        );
    })
    .await;
}
