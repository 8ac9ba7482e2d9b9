//! The API server is killed in the middle of a sync, and comes back, or doesn't while the sync lasts.

use std::time::{Duration, Instant};

use rustix::process::Signal;
use test_cluster::{Options, TestCluster};

use crate::sandbox::{Process, Ran, Sandbox, planted};

const TEAMS: usize = 150;

fn cluster() -> TestCluster {
    let options = Options {
        controllers: false,
        ..Options::default()
    };
    TestCluster::start_with(options).expect("a control plane of its own starts")
}

async fn sandbox(cluster: &TestCluster) -> Sandbox {
    let sandbox = Sandbox::in_cluster(cluster, "restart").await;
    sandbox.namespaces(&["source"]).await;
    sandbox.create_regcred(&planted("v1")).await;
    for number in 0..TEAMS {
        sandbox.namespace(&format!("team-{number}"), &[]).await;
    }
    sandbox
}

/// Syncs straight with the API server; once the first copies are there, `meanwhile` happens.
async fn sync(sandbox: &Sandbox, process: &Process, meanwhile: impl FnOnce()) -> Ran {
    let arguments = ["sync", "-v9", "-f", "-", "--parallelism=1"];
    let invocation = sandbox.program(&arguments).stdin(&sandbox.rule());
    let running = tokio::spawn(invocation.known_as(process).run());
    let deadline = Instant::now() + Duration::from_mins(1);
    while sandbox.secret("team-0", "regcred").await.is_none() {
        assert!(Instant::now() < deadline, "nothing is copied");
    }
    meanwhile();
    running.await.expect("the program ends")
}

async fn copies(sandbox: &Sandbox) -> usize {
    let mut copies = 0;
    for number in 0..TEAMS {
        let value = sandbox.password(&format!("team-{number}")).await;
        assert!(value.is_none() || value == Some(planted("v1")), "{number}");
        copies += usize::from(value.is_some());
    }
    copies
}

async fn delete_copies(sandbox: &Sandbox) {
    let nobody = sandbox.rule().replace("team-*", "nobody-*");
    sandbox.sync(&nobody).await.succeeded();
    assert_eq!(copies(sandbox).await, 0);
}

#[tokio::test]
async fn a_sync_outlives_the_api_server_and_says_what_it_did_if_it_does_not() {
    let cluster = cluster();
    let sandbox = sandbox(&cluster).await;
    let process = Process::default();

    let ran = sync(&sandbox, &process, || {
        cluster.kill_api_server().expect("it is killed");
        process.signal(Signal::INT);
    })
    .await;
    cluster.start_api_server().expect("it starts again");
    let made = copies(&sandbox).await;
    let told = ran.stdout.matches("regcred created").count();
    let ran = ran
        .failed_with(130)
        .says(" not reached, run it again to continue");
    // Of the request in flight it isn't known whether it took effect.
    assert!(
        (told..=told + 1).contains(&made),
        "{made} were made, {ran:#?}"
    );
    assert!(made < TEAMS, "it was killed too late: {ran:#?}");

    delete_copies(&sandbox).await;
    let ran = sync(&sandbox, &process, || {
        cluster.kill_api_server().expect("it is killed");
        cluster.start_api_server().expect("it starts again");
    })
    .await;
    let ran = ran.succeeded().says(" failed: ");
    ran.says(&format!("{TEAMS} created in "));
    assert_eq!(copies(&sandbox).await, TEAMS);
    sandbox.sync(&sandbox.rule()).await.wrote_nothing();
}
