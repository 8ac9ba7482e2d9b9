//! A controller of two replicas: what it does, tells and survives.

use k8s_openapi::api::{apps::v1::Deployment, core::v1::Pod};
use kube::{
    Api, ResourceExt,
    api::{Patch, PatchParams},
};
use serde_json::json;

use super::{answer::Answer, installation::Installation, replica::Replica};
use crate::sandbox::{eventually, planted};

impl Installation {
    /// A controller of two replicas that copies `regcred` of `source` to `team-a`, and has done so.
    pub async fn copying(prefix: &str) -> Option<(Self, Vec<Replica>)> {
        let installation = Self::new(prefix).await?;
        let sandbox = installation.sandbox();
        sandbox.namespaces(&["source", "team-a"]).await;
        sandbox.create_regcred(&planted("first")).await;
        sandbox.apply_rule(&sandbox.rule()).await;
        let rule = sandbox.name("rule");
        let flags = ["--only=rules", "--replicas=2", "--rule", &rule];
        installation.deploy(&flags).await.succeeded();
        let replicas = installation.ready(2).await;
        sandbox
            .eventually_password("team-a", Some(&planted("first")))
            .await;
        let copy = sandbox.regcred("team-a").await;
        let managers: Vec<_> = copy
            .managed_fields()
            .iter()
            .flat_map(|entry| &entry.manager)
            .collect();
        assert_eq!(managers, ["kubectl-copyrator"]);
        Some((installation, replicas))
    }
}

#[tokio::test]
async fn one_of_two_replicas_works_and_both_tell_how_they_are() {
    let Some((installation, replicas)) = Installation::copying("node-replicas").await else {
        return;
    };
    let sandbox = installation.sandbox();
    let (leader, mut others) = installation.leader(replicas).await;
    let follower = others.pop().expect("there are two");
    sandbox.namespaces(&["team-b"]).await;
    sandbox
        .eventually_password("team-b", Some(&planted("first")))
        .await;
    for replica in [&leader, &follower] {
        for path in ["/healthz", "/readyz"] {
            let answer = replica.asks(path).await;
            assert_eq!((answer.status, &*answer.body), (200, "ok\n"), "{path}");
        }
    }
    assert!(leader.leads().await && !follower.leads().await);
    let created = ["domain=\"rules\"", "result=\"created\""];
    let has_created = |metrics: &Answer| metrics.sum("copyrator_reconciles_total", &created) == 2;
    let metrics = leader.measures(has_created).await;
    let writes = ["verb=\"create\"", "resource=\"secrets\"", "code=\"201\""];
    assert_eq!(
        metrics.sum("copyrator_api_requests_total", &writes),
        2,
        "{metrics:#?}"
    );
    let reactions = metrics.sum("copyrator_reaction_seconds_count", &["domain=\"rules\""]);
    assert_eq!(reactions, 2, "{metrics:#?}");
    let at_rest = |metrics: &Answer| metrics.has("copyrator_queue_depth{domain=\"rules\"} 0");
    leader.measures(at_rest).await;
    let idle = follower.asks("/metrics").await;
    let secrets = ["resource=\"secrets\""];
    assert_eq!(
        idle.sum("copyrator_api_requests_total", &secrets),
        0,
        "{idle:#?}"
    );
    assert_eq!(idle.sum("copyrator_reconciles_total", &[]), 0, "{idle:#?}");
    for (replica, said, times) in [(&leader, "written", 2), (&follower, "standing by", 1)] {
        let log = installation.log(replica, said, times).await;
        assert!(log.troubles().is_empty(), "{log:#?}");
    }
}

#[tokio::test]
async fn a_new_version_takes_over_without_touching_what_is_there() {
    let Some((installation, replicas)) = Installation::copying("node-rollout").await else {
        return;
    };
    let sandbox = installation.sandbox();
    let before = sandbox.regcred("team-a").await;
    let lease = installation.lease().await;
    let old: Vec<_> = replicas.iter().map(Replica::name).collect();
    let annotations = json!({"example.com/restarted": "yes"});
    let restart = json!({"spec": {"template": {"metadata": {"annotations": annotations}}}});
    let deployments: Api<Deployment> = sandbox.api("system");
    let name = installation.name();
    let patched = deployments
        .patch(&name, &PatchParams::default(), &Patch::Merge(restart))
        .await;
    patched.expect("the deployment is changed");
    let all_new =
        |pods: &[&Pod]| pods.len() == 2 && !pods.iter().any(|pod| old.contains(&pod.name_any()));
    eventually(&installation.pods(), installation.own_pods(), all_new).await;
    let (leader, others) = installation.leader(installation.ready(2).await).await;
    assert!(leader.leads().await);
    for other in others {
        assert!(!other.leads().await);
    }
    let holders = installation.holders_since(&lease).await;
    let (held, given_up): (Vec<_>, Vec<_>) =
        holders.iter().enumerate().partition(|(at, _)| at % 2 == 0);
    // Who leads gives the Lease up before the next one takes it.
    assert!(
        held.iter().all(|(_, holder)| !holder.is_empty()),
        "{holders:?}"
    );
    assert!(
        given_up.iter().all(|(_, holder)| holder.is_empty()),
        "{holders:?}"
    );
    assert!(held.len() > 1, "{holders:?}");
    sandbox.namespaces(&["team-b"]).await;
    sandbox
        .eventually_password("team-b", Some(&planted("first")))
        .await;
    assert_eq!(sandbox.regcred("team-a").await, before);
}
