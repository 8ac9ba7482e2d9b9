//! How many requests a run costs.

use crate::sandbox::{Fault, Sandbox};

#[tokio::test]
async fn a_run_in_step_costs_the_same_whatever_the_number_of_namespaces() {
    let mut costs = Vec::new();
    for (prefix, teams) in [("few", 2), ("many", 30)] {
        let sandbox = Sandbox::new(prefix).await;
        sandbox.namespaces(&["source"]).await;
        sandbox.create_regcred("x").await;
        for number in 0..teams {
            sandbox.namespace(&format!("team-{number}"), &[]).await;
        }
        let rule = sandbox.rule();
        sandbox.sync(&rule).await.succeeded();
        let proxy = sandbox.proxy(|_, _| Fault::None).await;
        proxy
            .program(&["sync", "-f", "-"])
            .stdin(&rule)
            .run()
            .await
            .wrote_nothing();
        costs.push(proxy.requests());
    }
    for requests in &costs {
        assert_eq!(
            requests.len(),
            4,
            "copies of both kinds, namespaces and the source: {requests:#?}"
        );
        assert!(
            requests.iter().all(|request| request.starts_with("GET ")),
            "{requests:#?}"
        );
    }
}

#[tokio::test]
async fn a_first_run_costs_one_request_for_each_copy_and_one_for_the_right_to_make_them() {
    let sandbox = Sandbox::new("first-run").await;
    sandbox
        .namespaces(&["source", "team-a", "team-b", "team-c"])
        .await;
    sandbox.create_regcred("x").await;
    let proxy = sandbox.proxy(|_, _| Fault::None).await;
    proxy
        .program(&["sync", "-f", "-"])
        .stdin(&sandbox.rule())
        .run()
        .await
        .succeeded();
    let requests = proxy.requests();
    assert_eq!(
        requests
            .iter()
            .filter(|request| request.starts_with("POST "))
            .count(),
        1 + 3
    );
    assert_eq!(requests.len(), 8, "{requests:#?}");
}

#[tokio::test]
async fn a_rehearsal_writes_nothing_and_asks_once_for_each_name() {
    let sandbox = Sandbox::new("rehearsed").await;
    sandbox
        .namespaces(&["source", "team-a", "team-b", "team-c"])
        .await;
    sandbox.create_regcred("x").await;
    let proxy = sandbox.proxy(|_, _| Fault::None).await;
    let ran = proxy
        .program(&["sync", "--dry-run=client", "-f", "-"])
        .stdin(&sandbox.rule())
        .run()
        .await;
    ran.succeeded().says("3 created");
    let requests = proxy.requests();
    assert_eq!(requests.len(), 6, "{requests:#?}");
    let writes_nothing =
        |request: &String| request.starts_with("GET ") || request.ends_with("accessreviews");
    assert!(requests.iter().all(writes_nothing), "{requests:#?}");
}
