//! Somebody deletes or edits the Lease.

use kube::api::{DeleteParams, Patch, PatchParams};
use serde_json::{Value, json};

use super::contender::{Contest, LEASE, LEASE_DURATION, RETRY_PERIOD, contest};

impl Contest {
    async fn edit_lease(&self, patch: Value) {
        let patched = self
            .leases()
            .patch(LEASE, &PatchParams::default(), &Patch::Merge(patch))
            .await;
        patched.expect("the Lease is edited");
    }

    async fn delete_lease(&self) {
        let deleted = self.leases().delete(LEASE, &DeleteParams::default()).await;
        deleted.expect("the Lease is deleted");
    }
}

#[tokio::test]
async fn a_leader_whose_lease_is_deleted_again_and_again_goes_on() {
    contest("election-deleted", async |contest| {
        let first = contest.enter(1);
        contest.successor(None).await;
        let second = contest.enter(2);
        contest.leaders(RETRY_PERIOD * 2).await;
        for _ in 0..4 {
            contest.delete_lease().await;
            assert_eq!(contest.leaders(RETRY_PERIOD * 3).await, [Some(1)]);
            assert_eq!(contest.holder().await.as_deref(), Some("contender-1"));
        }
        assert!(!first.told("Lost") && !second.told("Leading"));
    })
    .await;
}

#[tokio::test]
async fn edits_are_got_over_and_what_is_others_is_kept() {
    contest("election-edited", async |contest| {
        let first = contest.enter(1);
        contest.successor(None).await;
        let _second = contest.enter(2);
        contest.leaders(RETRY_PERIOD * 2).await;
        for spec in [
            json!({"holderIdentity": ""}),
            json!({"renewTime": null, "acquireTime": null}),
            json!({"leaseDurationSeconds": 30_000, "leaseTransitions": 7}),
            json!({"holderIdentity": null, "leaseDurationSeconds": null}),
        ] {
            let labels = json!({"theirs": "stays"});
            contest
                .edit_lease(json!({"metadata": {"labels": labels}, "spec": spec}))
                .await;
            assert_eq!(contest.leaders(RETRY_PERIOD * 3).await, [Some(1)], "{spec}");
        }
        let lease = contest.leases().get(LEASE).await.expect("it is there");
        let labels = lease.metadata.labels.unwrap_or_default();
        assert_eq!(labels.get("theirs").map(String::as_str), Some("stays"));
        let spec = lease.spec.expect("it is held");
        assert_eq!(spec.holder_identity.as_deref(), Some("contender-1"));
        let seconds = spec.lease_duration_seconds.map(i64::from);
        assert_eq!(seconds, i64::try_from(LEASE_DURATION.as_secs()).ok());
        assert!(!first.told("Lost") && !first.told("Trouble"));
    })
    .await;
}

#[tokio::test]
async fn a_leader_that_is_deposed_stops_before_anybody_else_begins() {
    contest("election-deposed", async |contest| {
        let first = contest.enter(1);
        contest.successor(None).await;
        let _second = contest.enter(2);
        contest.leaders(RETRY_PERIOD * 2).await;
        let deposed = json!({"spec": {"holderIdentity": "somebody"}});
        contest.edit_lease(deposed).await;
        let leaders = contest.leaders(LEASE_DURATION * 2).await;
        assert_eq!(leaders[..2], [Some(1), None]);
        assert!(
            leaders[2].is_some(),
            "the stranger never renews: {leaders:?}"
        );
        assert!(first.told("Lost(TakenBy(\"somebody\"))"));
    })
    .await;
}
