//! The end of the leading replica: sudden, and in order.

use std::time::Duration;

use k8s_openapi::api::core::v1::Pod;
use kube::api::DeleteParams;
use tokio::time::Instant;

use super::{
    super::pods::{wait_for, wait_since},
    installation::Installation,
};
use crate::sandbox::planted;

/// After this time without a sign of life the Lease is anybody's, who looks at it every two seconds.
const LEASE: Duration = Duration::from_secs(15);

#[tokio::test]
async fn a_replica_that_is_killed_is_followed_by_another_one() {
    let Some((installation, replicas)) = Installation::copying("node-killed").await else {
        return;
    };
    let sandbox = installation.sandbox();
    let before = sandbox.regcred("team-a").await;
    let (leader, mut replicas) = installation.leader(replicas).await;
    let lease = installation.lease().await;
    let former = installation.holder().await;
    let killed = Instant::now();
    leader.kill();
    // The kubelet starts it anew at once. In the election it is then somebody else, who may win, too.
    let has_ended = |pod: &Pod| !exit_codes(pod).is_empty();
    let pod = wait_for(&installation.pods(), &leader.name(), has_ended).await;
    assert_eq!(exit_codes(&pod), [137], "{pod:#?}");
    replicas.push(leader);
    let (next, _) = installation.leader_after(&former, replicas).await;
    // The kubelet takes its time to see it, and two cores have other tests to run.
    let took = killed.elapsed();
    assert!(took < LEASE + Duration::from_secs(15), "{took:?}");
    sandbox.namespaces(&["team-b"]).await;
    sandbox
        .eventually_password("team-b", Some(&planted("first")))
        .await;
    assert_eq!(sandbox.regcred("team-a").await, before);
    assert!(next.leads().await);
    let holders = installation.holders_since(&lease).await;
    assert_eq!(holders.len(), 2, "nobody gave it up: {holders:?}");
    let replicas = installation.ready(2).await;
    for replica in &replicas {
        assert_eq!(replica.leads().await, replica.name() == next.name());
    }
}

#[tokio::test]
async fn a_replica_that_is_deleted_hands_over_at_once() {
    let Some((installation, replicas)) = Installation::copying("node-handed-over").await else {
        return;
    };
    let sandbox = installation.sandbox();
    let before = sandbox.regcred("team-a").await;
    let (leader, others) = installation.leader(replicas).await;
    let lease = installation.lease().await;
    let pods = installation.pods();
    let deleted = pods.delete(&leader.name(), &DeleteParams::default()).await;
    deleted.expect("the pod is deleted");
    installation.leader(others).await;
    let holders = installation.holders_since(&lease).await;
    assert_eq!(holders.len(), 3, "{holders:?}");
    assert_eq!(holders[1], "", "{holders:?}");
    let (name, version) = (leader.name(), leader.version());
    let has_ended = |pod: &Pod| !exit_codes(pod).is_empty();
    let pod = wait_since(&pods, &name, &version, has_ended).await;
    assert_eq!(exit_codes(&pod), [0], "{pod:#?}");
    sandbox.namespaces(&["team-b"]).await;
    sandbox
        .eventually_password("team-b", Some(&planted("first")))
        .await;
    assert_eq!(sandbox.regcred("team-a").await, before);
}

/// The exit codes of a pod's container that has ended, whether or not it was started anew.
fn exit_codes(pod: &Pod) -> Vec<i32> {
    let statuses = pod
        .status
        .as_ref()
        .and_then(|status| status.container_statuses.as_ref());
    let statuses = statuses.into_iter().flatten();
    let states = statuses.flat_map(|status| [&status.last_state, &status.state]);
    let ended = states
        .flatten()
        .filter_map(|state| state.terminated.as_ref());
    ended.map(|ended| ended.exit_code).collect()
}
