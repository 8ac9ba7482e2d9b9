//! Two watches over the same rules: they agree, and come to rest.

use std::time::Duration;

use futures::future::join_all;
use serde_json::json;

use super::watched::{begin, ends, is_watch, writes};
use crate::sandbox::{Fault, Sandbox};

const TEAMS: [&str; 4] = ["team-a", "team-b", "team-c", "team-d"];

#[tokio::test]
async fn two_watches_do_not_fight() {
    let sandbox = Sandbox::ruled_with_source("watch-pair", &TEAMS).await;
    sandbox.apply_rule(&sandbox.rule()).await;
    let proxies = [
        sandbox.proxy(|_, _| Fault::None).await,
        sandbox.proxy(|_, _| Fault::None).await,
    ];
    let name = sandbox.name("rule");
    let arguments = ["sync", "--watch", &name];
    let mut running = Vec::new();
    for proxy in &proxies {
        running.push(begin(proxy.program(&arguments).start().await).await);
    }
    for value in ["v", "w", "y"] {
        sandbox.rotate_regcred(value).await;
        for team in TEAMS {
            sandbox.eventually_password(team, Some(value)).await;
        }
    }
    sandbox.namespaces(&["team-e"]).await;
    sandbox.eventually_password("team-e", Some("y")).await;
    sandbox
        .eventually_status("rule", |status| status["copies"]["wanted"] == json!(5))
        .await;
    for proxy in &proxies {
        let requests = proxy.requests();
        // Three changes of four copies, four beginnings, and what one of the two came too late with.
        assert!(writes(&requests).len() <= 40, "{:#?}", writes(&requests));
    }
    join_all(proxies.iter().map(async |proxy| {
        let is_own = |one: &str| one.contains("watch-pair") || !one.starts_with("GET ");
        let time = Duration::from_secs(5);
        proxy.rests(time, |one| is_own(one) && !is_watch(one)).await;
    }))
    .await;
    for running in running {
        ends(running).await;
    }
    sandbox.is_in_step_by_name(&["rule"]).await;
}
