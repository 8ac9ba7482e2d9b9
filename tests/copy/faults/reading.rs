//! Reading that fails or brings only half: nothing is lost and nothing is pruned.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use futures::future::join_all;
use http::{Method, StatusCode, Uri};

use crate::sandbox::{Fault, Ran, Sandbox, planted};

/// A source and copies in three namespaces; the rule then wants them in one of them only.
async fn narrowed(prefix: &str) -> (Sandbox, String) {
    let sandbox = Sandbox::new(prefix).await;
    sandbox
        .namespaces(&["source", "team-a", "team-b", "team-c"])
        .await;
    sandbox.create_regcred(&planted("x")).await;
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
            (true, false) => Fault::Rewrite(uri.to_string().replace("limit=10000", "limit=2")),
            _ => Fault::None,
        }
    }
}

/// Asserts that no copy was touched, and that a sync without faults ends exact.
async fn assert_all_there(sandbox: &Sandbox, rule: &str) {
    for team in ["team-a", "team-b", "team-c"] {
        assert_eq!(sandbox.password(team).await, Some(planted("x")), "{team}");
    }
    sandbox.sync(rule).await.succeeded();
    for team in ["team-b", "team-c"] {
        let is_wanted = rule.contains("team-*");
        let copy = is_wanted.then(|| planted("x"));
        assert_eq!(sandbox.password(team).await, copy, "{team}");
    }
    sandbox.sync(rule).await.wrote_nothing();
}

#[tokio::test]
async fn half_a_list_of_copies_prunes_nothing() {
    let (sandbox, rule) = narrowed("half-copies").await;
    let proxy = sandbox
        .proxy(half_a_list("/secrets", StatusCode::FORBIDDEN))
        .await;
    let ran = proxy
        .program(&["sync", "-v9", "-f", "-"])
        .stdin(&rule)
        .run()
        .await
        .failed_with(1);
    ran.says("no secrets are pruned");
    assert_all_there(&sandbox, &rule).await;
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
        .program(&["sync", "-v9", "-f", "-"])
        .stdin(&rule)
        .run()
        .await
        .failed_with(1);
    ran.says("cannot list namespaces");
    assert_all_there(&sandbox, &rule).await;
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
    let rule = sandbox.rule();
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
    proxy
        .program(&["sync", "-v9", "-f", "-"])
        .stdin(&rule)
        .run()
        .await
        .failed_with(1)
        .says("cannot get secret/regcred");
    assert_all_there(&sandbox, &rule).await;
}

/// How often the first page of the copies was asked for, and how often a later one.
fn pages(requests: &[String]) -> (usize, usize) {
    let lists = requests.iter();
    let lists = lists.filter(|request| request.starts_with("GET /api/v1/secrets?"));
    let (later, first): (Vec<_>, Vec<_>) = lists.partition(|list| list.contains("continue="));
    (first.len(), later.len())
}

/// Syncs the narrowed rule, with so many faults at pages of the copies after the first.
async fn with_later_pages(prefix: &str, faults: usize, fault: fn() -> Fault) -> (Ran, Vec<String>) {
    let (sandbox, rule) = narrowed(prefix).await;
    let left = AtomicUsize::new(faults);
    let proxy = sandbox
        .proxy(move |method, uri| {
            let half = half_a_list("/secrets", StatusCode::GONE)(method, uri);
            let take = |left: usize| left.checked_sub(1);
            match half {
                Fault::Answer(..) => match left.fetch_update(SeqCst, SeqCst, take) {
                    Ok(_) => fault(),
                    Err(_) => Fault::None,
                },
                other => other,
            }
        })
        .await;
    let program = proxy.program(&["sync", "-v9", "-f", "-"]);
    let ran = program.stdin(&rule).run().await;
    if ran.code() != 0 {
        assert_all_there(&sandbox, &rule).await;
    }
    sandbox.sync(&rule).await.wrote_nothing();
    (ran, proxy.requests())
}

#[tokio::test]
async fn an_expired_continue_token_begins_the_list_anew() {
    let expired = || Fault::Refuse(StatusCode::GONE, "Expired", "it is too old".to_owned());
    let (ran, requests) = with_later_pages("expired", 1, expired).await;
    ran.succeeded().says("2 pruned");
    assert_eq!(pages(&requests), (2, 2), "{requests:#?}");
}

#[tokio::test]
async fn a_continue_token_that_always_expires_prunes_nothing() {
    let expired = || Fault::Refuse(StatusCode::GONE, "Expired", "it is too old".to_owned());
    let (ran, requests) = with_later_pages("expired-ever", usize::MAX, expired).await;
    ran.failed_with(1)
        .says("Error from server (Expired): cannot list secrets: it is too old");
    assert_eq!(pages(&requests), (4, 4), "{requests:#?}");
}

#[tokio::test]
async fn a_page_that_fails_is_asked_for_again_and_not_those_before() {
    let faults: [(_, fn() -> Fault); 3] = [
        ("page-500", || {
            Fault::Answer(StatusCode::INTERNAL_SERVER_ERROR, &[], "")
        }),
        ("page-429", || {
            Fault::Answer(StatusCode::TOO_MANY_REQUESTS, &[], "")
        }),
        ("page-cut", || Fault::CutInAnswer),
    ];
    join_all(faults.map(async |(prefix, fault)| {
        let (ran, requests) = with_later_pages(prefix, 2, fault).await;
        ran.succeeded().says("2 pruned");
        assert_eq!(pages(&requests), (1, 3), "{requests:#?}");
    }))
    .await;
}

#[tokio::test]
async fn a_page_that_breaks_off_unnoticed_prunes_nothing() {
    let (ran, _) = with_later_pages("page-half", usize::MAX, || Fault::HalfAnswer).await;
    ran.failed_with(1).says("cannot list secrets");
}

/// Syncs one copy to a new namespace through a proxy that treats the first creation in its own way.
async fn first_creation(prefix: &str, fault: fn() -> Fault) -> (Sandbox, Ran) {
    let sandbox = Sandbox::new(prefix).await;
    sandbox.namespaces(&["source", "team-a"]).await;
    sandbox.create_regcred(&planted("x")).await;
    let posts = AtomicUsize::new(0);
    let proxy = sandbox
        .proxy(move |method, uri| {
            let is_creation = method == Method::POST && uri.path().ends_with("/secrets");
            let first = is_creation && posts.fetch_add(1, SeqCst) == 0;
            if first { fault() } else { Fault::None }
        })
        .await;
    let ran = proxy
        .program(&["sync", "-v9", "-f", "-"])
        .stdin(&sandbox.rule())
        .run()
        .await;
    (sandbox, ran)
}

#[tokio::test]
async fn a_404_of_something_else_is_not_taken_for_absence() {
    let (sandbox, _) = narrowed("lost-proxy").await;
    let rule = sandbox.rule();
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
        .program(&["sync", "-v9", "-f", "-"])
        .stdin(&sandbox.rule())
        .run()
        .await;
    ran.failed_with(1).says("the server answered 404 Not Found");
    assert_all_there(&sandbox, &rule).await;
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
        .program(&["sync", "-v9", "-f", "-"])
        .stdin(&rule)
        .run()
        .await
        .failed_with(1);
    ran.says("cannot list namespaces");
    assert_all_there(&sandbox, &rule).await;
}

#[tokio::test]
async fn without_the_right_to_list_copies_are_looked_up_one_by_one() {
    let sandbox = Sandbox::new("unlisted").await;
    sandbox.namespaces(&["source", "team-a", "team-b"]).await;
    sandbox.create_regcred(&planted("x")).await;
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
        .program(&["sync", "-v9", "-f", "-"])
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
    join_all(
        [("vanished", gone as fn() -> Fault), ("terminating", going)].map(
            async |(prefix, fault)| {
                let (_, ran) = first_creation(prefix, fault).await;
                ran.succeeded().says("1 skipped");
            },
        ),
    )
    .await;
}
