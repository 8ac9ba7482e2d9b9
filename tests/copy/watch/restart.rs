//! The API server, or its memory, goes away and comes back while copies are watched.

use test_cluster::{Options, TestCluster};

use super::watched::ends;
use crate::sandbox::{Running, Sandbox};

fn cluster() -> TestCluster {
    let options = Options {
        controllers: false,
        ..Options::default()
    };
    TestCluster::start_with(options).expect("a control plane of its own starts")
}

async fn serves_everybody(sandbox: &Sandbox, running: &Running, password: &str) {
    sandbox.rotate_regcred(password).await;
    let team = format!("team-{password}");
    sandbox.namespaces(&[&team]).await;
    for team in ["team-a", &team] {
        running
            .until(sandbox.eventually_password(team, Some(password)))
            .await;
    }
}

#[tokio::test]
async fn a_watch_outlives_the_api_server_and_etcd() {
    let cluster = cluster();
    let sandbox = Sandbox::in_cluster(&cluster, "watch-restart").await;
    let sandbox = sandbox.and_source(&["team-a"]).await;
    let running = sandbox.watch(&sandbox.rule()).await;
    serves_everybody(&sandbox, &running, "first").await;

    cluster.kill_api_server().expect("it is killed");
    running.says("trying again").await;
    cluster.start_api_server().expect("it starts again");
    serves_everybody(&sandbox, &running, "second").await;

    cluster.kill_etcd().expect("it is killed");
    cluster.start_etcd().expect("it starts again");
    serves_everybody(&sandbox, &running, "third").await;

    cluster.kill_api_server().expect("it is killed");
    cluster.kill_etcd().expect("it is killed");
    cluster.start_etcd().expect("both start again");
    serves_everybody(&sandbox, &running, "fourth").await;

    ends(running).await;
    sandbox.is_in_step(&sandbox.rule()).await;
}

#[tokio::test]
async fn a_watch_does_not_begin_where_nobody_answers() {
    let cluster = cluster();
    let sandbox = Sandbox::in_cluster(&cluster, "watch-nobody").await;
    cluster.kill_api_server().expect("it is killed");
    let ran = sandbox.run(&["sync", "--watch"]).await;
    ran.failed_with(1).says("connection");
}
