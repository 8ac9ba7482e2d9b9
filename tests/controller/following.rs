//! One controller, which follows rules.

use std::time::Duration;

use rustix::process::Signal;
use tokio::time::sleep;

use super::running::{eventually, start, start_with};
use crate::sandbox::{Sandbox, planted};

async fn with_rule(prefix: &str) -> Sandbox {
    let sandbox = Sandbox::alone(prefix).await;
    sandbox.namespaces(&["source", "team-a"]).await;
    sandbox.create_regcred(&planted("first")).await;
    sandbox.apply_rule(&sandbox.rule()).await;
    sandbox
}

#[tokio::test]
async fn copies_are_made_and_followed_and_counted() {
    let sandbox = with_rule("controller-copies").await;
    let rule = sandbox.name("rule");
    let running = start(&sandbox, &format!("--only rules --rule {rule}"));
    running.is_ready().await;
    eventually("a copy is made", async || {
        sandbox.password("team-a").await.is_some()
    })
    .await;
    sandbox.rotate_regcred(&planted("second")).await;
    let second = Some(planted("second"));
    eventually("it is followed", async || {
        sandbox.password("team-a").await == second
    })
    .await;
    let configured = running.says("written").await;
    assert_eq!(configured["domain"], "rules", "{configured}");
    for result in ["created", "configured"] {
        let line = running
            .log()
            .into_iter()
            .find(|line| line.contains(&format!("\"result\":\"{result}\"")));
        let line = line.unwrap_or_else(|| panic!("no {result} in {:#?}", running.log()));
        for part in [
            "\"level\":\"info\"".to_owned(),
            "\"object\":\"secret/regcred\"".to_owned(),
            format!("\"namespace\":\"{}\"", sandbox.name("team-a")),
            format!("\"owner\":\"rule/{rule}\""),
        ] {
            assert!(line.contains(&part), "no {part} in {line}");
        }
    }
    let created = "copyrator_reconciles_total{domain=\"rules\",result=\"created\",reason=\"\"}";
    assert_eq!(running.measures(created).await, Some(1.0));
    let reactions = "copyrator_reaction_seconds_count{domain=\"rules\"}";
    assert!(running.measures(reactions).await >= Some(1.0));
    let watches =
        "copyrator_api_requests_total{verb=\"watch\",resource=\"copyratorrules\",code=\"200\"}";
    assert!(running.measures(watches).await >= Some(1.0));
    assert_eq!(running.measures("copyrator_leader").await, Some(1.0));
    running.signal(Signal::TERM);
    let (code, log) = running.ends().await;
    assert_eq!(code, Some(0), "{log:#?}");
    assert!(
        log.last()
            .is_some_and(|line| line.contains("\"message\":\"ended\"")),
        "{log:#?}"
    );
}

#[tokio::test]
async fn rules_can_be_named_by_the_environment() {
    let sandbox = with_rule("controller-environment").await;
    let other = sandbox.renamed(&sandbox.rule(), "other");
    sandbox.apply_rule(&sandbox.aimed(&other, "other-*")).await;
    sandbox.namespaces(&["other-a"]).await;
    let names = format!("{},{}", sandbox.name("missing"), sandbox.name("rule"));
    let running = start_with(&sandbox, "--only rules", &[("RULE_NAME", &names)]);
    eventually("a copy is made", async || {
        sandbox.password("team-a").await.is_some()
    })
    .await;
    running.is_ready().await;
    assert_eq!(sandbox.password("other-a").await, None);
    running.signal(Signal::INT);
    assert_eq!(running.ends().await.0, Some(0));
}

#[tokio::test]
async fn a_definition_that_is_missing_is_waited_for() {
    let sandbox = Sandbox::blank("controller-blank").await;
    let running = start(&sandbox, "--only rules");
    let waiting = running.says("waiting: ").await;
    let message = waiting["message"].as_str().unwrap_or_default();
    assert!(
        message.contains("copyratorrules.copyrator.dev isn't there"),
        "{message}"
    );
    let (status, why) = running.asks("/readyz").await;
    assert!(
        status == 503 && why.starts_with("rules: "),
        "{status} {why}"
    );
    assert_eq!(running.asks("/healthz").await.0, 200);
    sandbox.crd("install").await;
    running.is_ready().await;
    running.says("the wait is over").await;
    running.signal(Signal::TERM);
    assert_eq!(running.ends().await.0, Some(0));
}

#[tokio::test]
async fn a_controller_that_waits_can_be_stopped() {
    let sandbox = Sandbox::blank("controller-stopped").await;
    let running = start(&sandbox, "--only rules");
    running.says("waiting: ").await;
    running.signal(Signal::TERM);
    assert_eq!(running.ends().await.0, Some(0));
}

#[tokio::test]
async fn a_second_signal_ends_it_at_once() {
    let sandbox = with_rule("controller-twice").await;
    // Every write takes longer than anybody wants to wait.
    let proxy = sandbox
        .proxy(|method, _| {
            if *method == http::Method::POST {
                crate::sandbox::Fault::After(Box::pin(sleep(Duration::from_secs(20))))
            } else {
                crate::sandbox::Fault::None
            }
        })
        .await;
    let rule = format!("--rule={}", sandbox.name("rule"));
    let arguments = [
        "controller",
        "run",
        "--only=rules",
        "--health-address=127.0.0.1:0",
        &rule,
    ];
    let process = crate::sandbox::Process::default();
    let program = proxy.program(&arguments).known_as(&process);
    let interrupt = async {
        eventually("a write is on its way", async || {
            proxy
                .requests()
                .iter()
                .any(|request| request.starts_with("POST"))
        })
        .await;
        process.signal(Signal::TERM);
        sleep(Duration::from_secs(2)).await;
        process.signal(Signal::TERM);
    };
    let (ran, ()) = tokio::join!(program.run(), interrupt);
    ran.failed_with(143)
        .says("stopping: waiting for the requests that are under way");
}
