//! One leader after the other, and never two at once.

use std::time::Duration;

use super::contender::{LEASE_DURATION, RENEW_DEADLINE, RETRY_PERIOD, contest};

/// What a busy machine adds to each of these times.
const SLACK: Duration = Duration::from_secs(6);

#[tokio::test]
async fn of_three_that_come_at_once_one_leads() {
    contest("election-three", async |contest| {
        let contenders = [1, 2, 3].map(|number| contest.enter(number));
        let (after, leader) = contest.successor(None).await;
        assert!(
            after < RETRY_PERIOD + SLACK,
            "a Lease that nobody holds is taken at once: {after:?}"
        );
        let leaders = contest.leaders(LEASE_DURATION * 2).await;
        assert_eq!(leaders, [Some(leader)]);
        for (number, contender) in (1..).zip(&contenders) {
            assert_eq!(contender.told("Leading"), number == leader);
            assert_eq!(contender.told("StandingBy"), number != leader);
        }
    })
    .await;
}

#[tokio::test]
async fn a_leader_that_dies_is_replaced_when_its_lease_is_up() {
    contest("election-killed", async |contest| {
        let first = contest.enter(1);
        contest.successor(None).await;
        let _second = contest.enter(2);
        contest.leaders(LEASE_DURATION).await;
        first.kill();
        let (after, leader) = contest.successor(Some(1)).await;
        assert_eq!(leader, 2);
        assert!(
            after > LEASE_DURATION.checked_sub(RETRY_PERIOD * 2).unwrap(),
            "{after:?}"
        );
        assert!(after < LEASE_DURATION + RETRY_PERIOD + SLACK, "{after:?}");
        let lease = contest.leases().get("election").await.expect("it is there");
        assert_eq!(lease.spec.and_then(|spec| spec.lease_transitions), Some(2));
    })
    .await;
}

#[tokio::test]
async fn a_leader_that_is_stopped_hands_over_at_once() {
    contest("election-stopped", async |contest| {
        let first = contest.enter(1);
        contest.successor(None).await;
        let second = contest.enter(2);
        contest.leaders(LEASE_DURATION).await;
        first.end().await;
        let (after, leader) = contest.successor(Some(1)).await;
        assert_eq!(leader, 2);
        assert!(after < RETRY_PERIOD + SLACK, "{after:?}");
        second.end().await;
        assert_eq!(
            contest.holder().await,
            None,
            "nobody holds what nobody is there for"
        );
    })
    .await;
}

#[tokio::test]
async fn whoever_finds_no_lease_makes_one_and_waits_for_a_leader_that_may_be_there() {
    contest("election-first", async |contest| {
        let gone = contest
            .leases()
            .delete("election", &kube::api::DeleteParams::default())
            .await;
        gone.expect("the Lease is deleted");
        let contenders = [1, 2].map(|number| contest.enter(number));
        let (after, leader) = contest.successor(None).await;
        assert!(after >= RENEW_DEADLINE, "{after:?}");
        assert!(after < RENEW_DEADLINE + RETRY_PERIOD + SLACK, "{after:?}");
        assert!(contenders[leader - 1].told("Waiting"));
    })
    .await;
}
