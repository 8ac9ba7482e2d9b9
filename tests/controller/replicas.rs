//! Several replicas, of which one works.

use rustix::process::Signal;

use super::running::{Running, eventually, start, start_with};
use crate::sandbox::{Sandbox, planted};

const ELECTION: &str = "--leader-elect --lease-duration 12s --renew-deadline 9s --retry-period 1s";

async fn with_rule(prefix: &str) -> Sandbox {
    let sandbox = Sandbox::alone(prefix).await;
    sandbox.namespaces(&["own", "source", "team-a"]).await;
    sandbox.create_regcred(&planted("first")).await;
    sandbox.apply_rule(&sandbox.rule()).await;
    sandbox
}

fn replica(sandbox: &Sandbox) -> Running {
    let (rule, own) = (sandbox.name("rule"), sandbox.name("own"));
    start(
        sandbox,
        &format!("{ELECTION} --only rules --rule {rule} -n {own}"),
    )
}

async fn leads(running: &Running) -> bool {
    running.measures("copyrator_leader").await == Some(1.0)
}

#[tokio::test]
async fn a_replica_that_stands_by_is_ready_and_takes_over() {
    let sandbox = with_rule("controller-replicas").await;
    let first = replica(&sandbox);
    first.says("leading").await;
    let second = replica(&sandbox);
    let standing = second.says("standing by").await;
    let identity = first.says("standing for election").await["identity"].clone();
    assert_eq!(standing["holder"], identity);
    second.is_ready().await;
    first.is_ready().await;
    assert!(leads(&first).await && !leads(&second).await);
    first.signal(Signal::TERM);
    let (code, log) = first.ends().await;
    assert_eq!(code, Some(0), "{log:#?}");
    assert!(
        log.iter().any(|line| line.contains("handed over")),
        "{log:#?}"
    );
    second.says("leading").await;
    sandbox.rotate_regcred(&planted("second")).await;
    let rotated = Some(planted("second"));
    eventually("the other one works", async || {
        sandbox.password("team-a").await == rotated
    })
    .await;
    second.signal(Signal::TERM);
    assert_eq!(second.ends().await.0, Some(0));
}

#[tokio::test]
async fn a_replica_that_is_killed_is_replaced() {
    let sandbox = with_rule("controller-killed").await;
    let first = replica(&sandbox);
    first.says("leading").await;
    let second = replica(&sandbox);
    second.says("standing by").await;
    first.signal(Signal::KILL);
    assert_eq!(first.ends().await.0, None);
    second.says("leading").await;
    second.is_ready().await;
}

#[tokio::test]
async fn a_replica_that_is_frozen_for_long_does_not_come_back_as_a_leader() {
    let sandbox = with_rule("controller-frozen").await;
    let first = replica(&sandbox);
    first.says("leading").await;
    let second = replica(&sandbox);
    second.says("standing by").await;
    first.signal(Signal::STOP);
    second.says("leading").await;
    first.signal(Signal::CONT);
    first.says("leading no more").await;
    first.says("standing by").await;
    assert!(!leads(&first).await && leads(&second).await);
}

#[tokio::test]
async fn the_lease_is_in_the_namespace_that_the_environment_names() {
    let sandbox = with_rule("controller-namespace").await;
    let (rule, own) = (sandbox.name("rule"), sandbox.name("own"));
    let arguments = format!("{ELECTION} --only rules --rule {rule}");
    let running = start_with(&sandbox, &arguments, &[("NAMESPACE", &own)]);
    let standing = running.says("standing for election").await;
    assert_eq!(standing["namespace"], own.as_str());
    assert_eq!(standing["lease"], "kubectl-copyrator");
    running.says("leading").await;
}
