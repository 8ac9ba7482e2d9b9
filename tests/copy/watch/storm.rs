//! Very much at once: what is urgent comes first, and what is out of date isn't done at all.

use std::{collections::BTreeSet, time::Duration};

use futures::{StreamExt, stream};
use http::Method;
use k8s_openapi::api::core::v1::Secret;
use kube::{Api, ResourceExt, api::ListParams};

use super::watched::ends;
use crate::sandbox::{Fault, Sandbox};

/// Makes so many team namespaces, many at once.
async fn make_teams(sandbox: &Sandbox, numbers: std::ops::Range<usize>) {
    stream::iter(numbers)
        .for_each_concurrent(16, async |number| {
            sandbox.namespace(&format!("team-{number}"), &[]).await;
        })
        .await;
}

/// Ends so many team namespaces. Whoever deletes what is in one waits for five seconds before, so there are many at
/// once.
async fn end_teams(sandbox: &Sandbox, numbers: std::ops::Range<usize>) {
    stream::iter(numbers)
        .for_each_concurrent(100, async |number| {
            sandbox.end_namespace(&format!("team-{number}")).await;
        })
        .await;
}

async fn all_have(sandbox: &Sandbox, numbers: std::ops::Range<usize>, password: &str) {
    stream::iter(numbers)
        .for_each_concurrent(16, async |number| {
            let team = format!("team-{number}");
            sandbox.eventually_password(&team, Some(password)).await;
        })
        .await;
}

/// The test's namespaces that have a `regcred`.
async fn holders(sandbox: &Sandbox) -> BTreeSet<String> {
    let secrets = Api::<Secret>::all(sandbox.client.clone());
    let selection = ListParams::default().fields("metadata.name=regcred");
    let found = secrets.list(&selection).await.expect("Secrets are listed");
    let holders = found.items.iter().filter_map(ResourceExt::namespace);
    let own = sandbox.name("");
    holders.filter(|holder| holder.starts_with(&own)).collect()
}

/// Lets writes take a while.
fn slowly(method: &Method) -> Fault {
    if *method == Method::GET {
        Fault::None
    } else {
        Fault::slow_answer(Duration::from_millis(50))
    }
}

#[tokio::test]
async fn a_thousand_namespaces_come_and_go() {
    const TEAMS: usize = 1000;
    const GONE: usize = 100;
    let sandbox = Sandbox::with_source("watch-storm", &[]).await;
    let rule = sandbox.rule();
    let (proxy, running) = sandbox.watch_through(&rule, |_, _| Fault::None).await;
    make_teams(&sandbox, 0..TEAMS / 2).await;
    tokio::join!(
        end_teams(&sandbox, 0..TEAMS / 4),
        make_teams(&sandbox, TEAMS / 2..TEAMS),
    );
    // Some of those come back while others go.
    tokio::join!(
        make_teams(&sandbox, 0..TEAMS / 4),
        end_teams(&sandbox, TEAMS - GONE..TEAMS),
    );
    all_have(&sandbox, 0..TEAMS - GONE, "x").await;
    ends(running).await;
    let requests = proxy.requests();
    let count = |method: &str| {
        requests
            .iter()
            .filter(|one| one.starts_with(method))
            .count()
    };
    assert!(
        count("POST ") <= TEAMS * 5 / 4 + TEAMS / 10,
        "{}",
        count("POST ")
    );
    assert_eq!(count("PATCH ") + count("PUT ") + count("DELETE "), 0);
    assert!(count("GET ") < 60, "{}", count("GET "));
    let living = (0..TEAMS - GONE).map(|number| sandbox.name(&format!("team-{number}")));
    let holders_wanted = living.chain([sandbox.name("source")]).collect();
    assert_eq!(holders(&sandbox).await, holders_wanted);
    sandbox.is_in_step(&rule).await;
}

#[tokio::test]
async fn whoever_is_new_does_not_wait_for_the_many() {
    const TEAMS: usize = 60;
    let sandbox = Sandbox::with_source("watch-urgent", &[]).await;
    make_teams(&sandbox, 0..TEAMS).await;
    let rule = sandbox.rule();
    let parallelism = ["--parallelism=2"];
    let (proxy, running) = sandbox
        .watch_through_with(&rule, &parallelism, |method, _| slowly(method))
        .await;
    all_have(&sandbox, 0..TEAMS, "x").await;
    proxy.requests();
    sandbox.rotate_regcred("y").await;
    let first = running.until(async {
        loop {
            for number in 0..TEAMS {
                let team = format!("team-{number}");
                if sandbox.password(&team).await.as_deref() == Some("y") {
                    return team;
                }
            }
        }
    });
    first.await;
    sandbox.namespaces(&["team-new"]).await;
    sandbox.eventually_password("team-new", Some("y")).await;
    all_have(&sandbox, 0..TEAMS, "y").await;
    let requests = proxy.requests();
    let writes: Vec<_> = requests
        .iter()
        .filter(|one| !one.starts_with("GET "))
        .collect();
    let new = writes
        .iter()
        .position(|one| one.starts_with("POST "))
        .unwrap();
    assert!(
        writes.len() - new > TEAMS / 4,
        "it was write {new} of {}",
        writes.len()
    );
    ends(running).await;
    sandbox.is_in_step(&rule).await;
}

#[tokio::test]
async fn what_is_out_of_date_before_its_turn_comes_is_not_written() {
    const TEAMS: usize = 40;
    const CHANGES: usize = 20;
    let sandbox = Sandbox::with_source("watch-superseded", &[]).await;
    make_teams(&sandbox, 0..TEAMS).await;
    let rule = sandbox.rule();
    let parallelism = ["--parallelism=2"];
    let (proxy, running) = sandbox
        .watch_through_with(&rule, &parallelism, |method, _| slowly(method))
        .await;
    all_have(&sandbox, 0..TEAMS, "x").await;
    proxy.requests();
    for change in 0..CHANGES {
        sandbox.rotate_regcred(&format!("value-{change}")).await;
    }
    let last = format!("value-{}", CHANGES - 1);
    all_have(&sandbox, 0..TEAMS, &last).await;
    let requests = proxy.requests();
    let writes = requests
        .iter()
        .filter(|one| !one.starts_with("GET "))
        .count();
    assert!((TEAMS..TEAMS * 3).contains(&writes), "{writes} writes");
    ends(running).await;
    sandbox.is_in_step(&rule).await;
}
