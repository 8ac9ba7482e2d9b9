//! Requests that fail, in the middle of everything: nothing is lost and nothing is pruned.

use std::sync::atomic::{AtomicUsize, Ordering};

use http::{Method, StatusCode, Uri};

use crate::sandbox::{Fault, Ran, Sandbox};

/// A source and copies in three namespaces; the rule then wants them in one of them only.
async fn narrowed(prefix: &str) -> (Sandbox, String) {
    let sandbox = Sandbox::new(prefix).await;
    sandbox
        .namespaces(&["source", "team-a", "team-b", "team-c"])
        .await;
    sandbox.create_regcred("x").await;
    sandbox
        .sync(&sandbox.rule())
        .await
        .succeeded()
        .says("3 created");
    let rule = sandbox
        .rule()
        .replace(&sandbox.name("team-*"), &sandbox.name("team-a"));
    (sandbox, rule)
}

/// Makes lists come in pages of two, and fails every page of this resource but the first.
fn half_a_list(resource: &'static str, status: StatusCode) -> impl Fn(&Method, &Uri) -> Fault {
    move |method, uri| {
        let query = uri.query().unwrap_or_default();
        let is_list =
            method == Method::GET && uri.path().ends_with(resource) && query.contains("limit=");
        match (is_list, query.contains("continue=")) {
            (true, true) => Fault::Answer(status, &[], ""),
            (true, false) => Fault::Rewrite(uri.to_string().replace("limit=2000", "limit=2")),
            _ => Fault::None,
        }
    }
}

async fn assert_all_there(sandbox: &Sandbox) {
    for team in ["team-a", "team-b", "team-c"] {
        assert!(sandbox.secret(team, "regcred").await.is_some(), "{team}");
    }
}

#[tokio::test]
async fn half_a_list_of_copies_prunes_nothing() {
    let (sandbox, rule) = narrowed("half-copies").await;
    let proxy = sandbox
        .proxy(half_a_list("/secrets", StatusCode::FORBIDDEN))
        .await;
    let ran = proxy
        .program(&["sync", "-f", "-"])
        .stdin(&rule)
        .run()
        .await
        .failed_with(1);
    ran.says("no secrets are pruned");
    assert_all_there(&sandbox).await;
}

#[tokio::test]
async fn half_a_list_of_namespaces_writes_nothing() {
    let (sandbox, rule) = narrowed("half-namespaces").await;
    let proxy = sandbox
        .proxy(half_a_list(
            "/namespaces",
            StatusCode::INTERNAL_SERVER_ERROR,
        ))
        .await;
    let ran = proxy
        .program(&["sync", "-f", "-"])
        .stdin(&rule)
        .run()
        .await
        .failed_with(1);
    ran.says("cannot list namespaces");
    assert_all_there(&sandbox).await;
    assert!(
        proxy
            .requests()
            .iter()
            .all(|request| request.starts_with("GET "))
    );
}

#[tokio::test]
async fn an_unreadable_source_prunes_nothing() {
    let (sandbox, _) = narrowed("half-sources").await;
    let source = sandbox.name("source");
    let proxy = sandbox
        .proxy(move |_, uri| {
            let answer = Fault::Answer(StatusCode::FORBIDDEN, &[], "");
            if uri.path().contains(&source) {
                answer
            } else {
                Fault::None
            }
        })
        .await;
    let rule = sandbox.rule();
    proxy
        .program(&["sync", "-f", "-"])
        .stdin(&rule)
        .run()
        .await
        .failed_with(1)
        .says("cannot get secret/regcred");
    assert_all_there(&sandbox).await;
}

#[tokio::test]
async fn an_expired_continue_token_begins_the_list_anew() {
    let (sandbox, rule) = narrowed("expired").await;
    let expired = AtomicUsize::new(0);
    let proxy = sandbox
        .proxy(move |method, uri| {
            let half = half_a_list("/secrets", StatusCode::GONE)(method, uri);
            match half {
                Fault::Answer(..) if expired.fetch_add(1, Ordering::SeqCst) > 0 => Fault::None,
                fault => fault,
            }
        })
        .await;
    proxy
        .program(&["sync", "-f", "-"])
        .stdin(&rule)
        .run()
        .await
        .succeeded()
        .says("2 pruned");
}

/// Syncs one copy to a new namespace through a proxy that treats the first creation in its own way.
async fn first_creation(prefix: &str, fault: fn() -> Fault) -> (Sandbox, Ran) {
    let sandbox = Sandbox::new(prefix).await;
    sandbox.namespaces(&["source", "team-a"]).await;
    sandbox.create_regcred("x").await;
    let posts = AtomicUsize::new(0);
    let proxy = sandbox
        .proxy(move |method, uri| {
            let is_creation = method == Method::POST && uri.path().ends_with("/secrets");
            let first = is_creation && posts.fetch_add(1, Ordering::SeqCst) == 0;
            if first { fault() } else { Fault::None }
        })
        .await;
    let ran = proxy
        .program(&["sync", "-f", "-"])
        .stdin(&sandbox.rule())
        .run()
        .await;
    (sandbox, ran)
}

#[tokio::test]
async fn a_busy_server_is_given_the_time_it_asks_for() {
    let begun = std::time::Instant::now();
    let busy = || Fault::Answer(StatusCode::TOO_MANY_REQUESTS, &[("retry-after", "1")], "");
    let (_, ran) = first_creation("busy", busy).await;
    ran.succeeded().says("1 created");
    assert!(begun.elapsed() >= std::time::Duration::from_secs(1));
}

#[tokio::test]
async fn a_creation_without_an_answer_is_settled_by_a_look() {
    for (prefix, fault) in [
        (
            "answer-late",
            (|| Fault::AnswerAfterwards(StatusCode::GATEWAY_TIMEOUT)) as fn() -> Fault,
        ),
        ("answer-cut", || Fault::CutAfterwards),
    ] {
        let (sandbox, ran) = first_creation(prefix, fault).await;
        ran.succeeded().says("1 created");
        assert_eq!(sandbox.password("team-a").await.as_deref(), Some("x"));
    }
}

#[tokio::test]
async fn one_namespaces_failure_does_not_stop_the_others() {
    let sandbox = Sandbox::new("one-fails").await;
    sandbox
        .namespaces(&["source", "team-a", "team-b", "team-c"])
        .await;
    sandbox.create_regcred("x").await;
    let broken = sandbox.name("team-b");
    let proxy = sandbox
        .proxy(move |method, uri| {
            let fails = method == Method::POST && uri.path().contains(&broken);
            let answer =
                r#"{"kind":"Status","reason":"Forbidden","message":"exceeded quota: secrets"}"#;
            if fails {
                Fault::Answer(StatusCode::FORBIDDEN, &[], answer)
            } else {
                Fault::None
            }
        })
        .await;
    let ran = proxy
        .program(&["sync", "-f", "-"])
        .stdin(&sandbox.rule())
        .run()
        .await
        .failed_with(1);
    ran.says("2 created")
        .says("1 failed")
        .says("exceeded quota");
    assert!(sandbox.secret("team-c", "regcred").await.is_some());
}

#[tokio::test]
async fn a_404_of_something_else_is_not_taken_for_absence() {
    let (sandbox, _) = narrowed("lost-proxy").await;
    let source = sandbox.name("source");
    let proxy = sandbox
        .proxy(move |_, uri| {
            let lost = Fault::Answer(StatusCode::NOT_FOUND, &[], "cluster not found");
            if uri.path().contains(&source) {
                lost
            } else {
                Fault::None
            }
        })
        .await;
    let ran = proxy
        .program(&["sync", "-f", "-"])
        .stdin(&sandbox.rule())
        .run()
        .await;
    ran.failed_with(1).says("cluster not found");
    assert_all_there(&sandbox).await;
}

#[tokio::test]
async fn an_answer_that_is_no_list_prunes_nothing() {
    let (sandbox, rule) = narrowed("no-list").await;
    let proxy = sandbox
        .proxy(|_, uri| {
            let empty = Fault::Answer(StatusCode::OK, &[], "{}");
            if uri.path() == "/api/v1/namespaces" {
                empty
            } else {
                Fault::None
            }
        })
        .await;
    let ran = proxy
        .program(&["sync", "-f", "-"])
        .stdin(&rule)
        .run()
        .await
        .failed_with(1);
    ran.says("cannot list namespaces");
    assert_all_there(&sandbox).await;
}

#[tokio::test]
async fn a_quota_that_is_in_dispute_is_tried_again() {
    let conflict = || {
        let answer = r#"{"kind":"Status","reason":"Conflict","message":"Operation cannot be fulfilled on resourcequotas"}"#;
        Fault::Answer(StatusCode::CONFLICT, &[], answer)
    };
    let (_, ran) = first_creation("quota-dispute", conflict).await;
    ran.succeeded().says("1 created");
}

#[tokio::test]
async fn without_the_right_to_list_copies_are_looked_up_one_by_one() {
    let sandbox = Sandbox::new("unlisted").await;
    sandbox.namespaces(&["source", "team-a", "team-b"]).await;
    sandbox.create_regcred("x").await;
    let proxy = sandbox
        .proxy(|method, uri| {
            let is_list = method == Method::GET && uri.path() == "/api/v1/secrets";
            let forbidden = Fault::Answer(StatusCode::FORBIDDEN, &[], "");
            if is_list { forbidden } else { Fault::None }
        })
        .await;
    for (arguments, count) in [
        (
            &["sync", "--prune=false", "--dry-run", "-f", "-"][..],
            "2 created",
        ),
        (&["sync", "--prune=false", "-f", "-"], "2 created"),
        (&["sync", "--prune=false", "-f", "-"], "2 unchanged"),
    ] {
        let ran = proxy.program(arguments).stdin(&sandbox.rule()).run().await;
        ran.succeeded().says(count).says("no secrets are pruned");
    }
    let ran = proxy
        .program(&["sync", "-f", "-"])
        .stdin(&sandbox.rule())
        .run()
        .await;
    ran.failed_with(1).says("no secrets are pruned");
}

#[tokio::test]
async fn a_namespace_that_goes_while_we_write_is_passed_over() {
    let gone = || {
        let answer =
            r#"{"kind":"Status","reason":"NotFound","message":"namespaces \"team-a\" not found"}"#;
        Fault::Answer(StatusCode::NOT_FOUND, &[], answer)
    };
    let going = || {
        let answer = r#"{"kind":"Status","reason":"Forbidden","details":{"causes":[{"reason":"NamespaceTerminating"}]}}"#;
        Fault::Answer(StatusCode::FORBIDDEN, &[], answer)
    };
    for (prefix, fault) in [("vanished", gone as fn() -> Fault), ("terminating", going)] {
        let (_, ran) = first_creation(prefix, fault).await;
        ran.succeeded().says("1 skipped");
    }
}
