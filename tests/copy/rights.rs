//! Rights that are missing: found before the first write, and named.

use std::sync::atomic::{AtomicUsize, Ordering};

use http::{Method, StatusCode};

use super::rights_people::Person;
use crate::sandbox::{Fault, Sandbox, secret};

const REVIEW: &str = "POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
const TEAMS: [&str; 5] = ["team-a", "team-b", "team-c", "team-d", "team-e"];
const ALLOWED: [&str; 3] = ["team-a", "team-c", "team-d"];

/// Five target namespaces without copies, and somebody who may create Secrets in three of them.
async fn three_of_five(prefix: &str) -> (Sandbox, Person) {
    let sandbox = Sandbox::new(prefix).await;
    sandbox.namespaces(&["source"]).await;
    sandbox.namespaces(&TEAMS).await;
    sandbox.create_regcred("x").await;
    let person = Person::who_reads(&sandbox).await;
    for team in ALLOWED {
        person.allow("create", &sandbox.name(team), &[]).await;
    }
    (sandbox, person)
}

async fn assert_copied_where_allowed(sandbox: &Sandbox) {
    for team in TEAMS {
        let is_there = sandbox.secret(team, "regcred").await.is_some();
        assert_eq!(is_there, ALLOWED.contains(&team), "{team}");
    }
}

fn reviews(requests: &[String]) -> usize {
    requests.iter().filter(|request| *request == REVIEW).count()
}

fn is_write(request: &str) -> bool {
    !request.starts_with("GET ") && !request.contains("subject")
}

#[tokio::test]
async fn three_of_five_namespaces_get_their_copies_and_two_are_refused() {
    let (sandbox, person) = three_of_five("three-of-five").await;
    let ran = person.sync(&sandbox.rule()).await.failed_with(1);
    let refusal = format!(
        "Error from server (Forbidden): cannot create 2 secrets: secrets is forbidden: User \"{}\" cannot create \
         resource \"secrets\" in API group \"\" (in namespaces {}, {})\n",
        person.name,
        sandbox.name("team-b"),
        sandbox.name("team-e"),
    );
    ran.says(&refusal).says("3 created, 2 failed");
    assert_copied_where_allowed(&sandbox).await;
}

#[tokio::test]
async fn nothing_is_written_before_all_is_asked_and_nothing_that_would_be_refused() {
    let (sandbox, person) = three_of_five("asked-first").await;
    let proxy = sandbox.proxy(|_, _| Fault::None).await;
    let arguments = ["sync", "--as", &person.name, "-f", "-"];
    let ran = proxy.program(&arguments).stdin(&sandbox.rule()).run().await;
    ran.failed_with(1).says("3 created, 2 failed");
    let requests = proxy.requests();
    assert_eq!(reviews(&requests), 1 + TEAMS.len(), "{requests:#?}");
    let writes: Vec<_> = requests
        .iter()
        .filter(|request| is_write(request))
        .collect();
    assert_eq!(writes.len(), ALLOWED.len(), "{requests:#?}");
    let first_write = requests.iter().position(|request| is_write(request));
    let last_review = requests.iter().rposition(|request| request == REVIEW);
    assert!(last_review < first_write, "{requests:#?}");
    assert_copied_where_allowed(&sandbox).await;
}

#[tokio::test]
async fn each_planned_verb_is_asked_once_where_it_is_allowed_everywhere() {
    let sandbox = Sandbox::new("planned-verbs").await;
    sandbox
        .namespaces(&["source", "team-a", "team-b", "team-c"])
        .await;
    sandbox.create_regcred("x").await;
    let proxy = sandbox.proxy(|_, _| Fault::None).await;
    let sync = async |rule: &str| {
        let program = proxy.program(&["sync", "-f", "-"]).stdin(rule);
        let ran = program.run().await.succeeded();
        (ran, reviews(&proxy.requests()))
    };
    let rule = sandbox.rule();
    let (ran, asked) = sync(&rule).await;
    ran.says("3 created");
    assert_eq!(asked, 1, "create");
    let (ran, asked) = sync(&rule).await;
    ran.wrote_nothing();
    assert_eq!(asked, 0, "an empty plan needs nothing");
    let patch = serde_json::json!({"stringData": {"password": "y"}});
    sandbox
        .patch_secret("source", "regcred", "test", patch)
        .await;
    sandbox.delete_secret("team-a", "regcred").await;
    let narrowed = rule.replace(
        &format!("\"{}\"", sandbox.name("team-*")),
        &format!("\"{}\"", sandbox.name("team-[ab]")),
    );
    let (ran, asked) = sync(&narrowed).await;
    ran.says("1 created, 1 configured, 1 pruned");
    assert_eq!(asked, 3, "create, patch and delete");
}

#[tokio::test]
async fn a_right_to_single_names_is_enough_for_them() {
    let sandbox = Sandbox::new("names-only").await;
    sandbox.namespaces(&["source", "team-a"]).await;
    let names = ["mine", "theirs"];
    for name in names {
        sandbox
            .create_secret("source", &secret(name, &[("password", "x")]))
            .await;
    }
    let rule = sandbox.rule_with("Secret", "names: [mine, theirs]", "");
    sandbox.sync(&rule).await.succeeded().says("2 created");
    for name in names {
        let patch = serde_json::json!({"stringData": {"password": "y"}});
        sandbox.patch_secret("source", name, "test", patch).await;
    }
    let person = Person::who_reads(&sandbox).await;
    let team = sandbox.name("team-a");
    person.allow("patch", &team, &["mine"]).await;
    let before = sandbox.version("team-a", "theirs").await;
    let ran = person.sync(&rule).await.failed_with(1);
    ran.says("1 configured, 1 failed")
        .says("secrets \"theirs\" is forbidden")
        .says("resourceNames:\n  - theirs\n");
    assert_eq!(sandbox.version("team-a", "theirs").await, before);
}

#[tokio::test]
async fn where_nothing_can_be_asked_the_writes_tell() {
    let (sandbox, person) = three_of_five("unasked").await;
    let proxy = sandbox
        .proxy(|method, uri| {
            let is_review = method == Method::POST && uri.path().contains("subject");
            let forbidden = Fault::Answer(StatusCode::FORBIDDEN, &[], "");
            if is_review { forbidden } else { Fault::None }
        })
        .await;
    let arguments = ["sync", "--as", &person.name, "-f", "-"];
    let ran = proxy.program(&arguments).stdin(&sandbox.rule()).run().await;
    ran.failed_with(1)
        .says("3 created, 2 failed")
        .says("cannot create 2 secrets")
        .says("kind: RoleBinding");
    let requests = proxy.requests();
    assert_eq!(reviews(&requests), 1, "{requests:#?}");
    assert_copied_where_allowed(&sandbox).await;
}

#[tokio::test]
async fn a_busy_server_is_asked_again() {
    let (sandbox, person) = three_of_five("busy-reviews").await;
    let asked = AtomicUsize::new(0);
    let proxy = sandbox
        .proxy(move |_, uri| {
            let is_review = uri.path().ends_with("/selfsubjectaccessreviews");
            if is_review && asked.fetch_add(1, Ordering::SeqCst) < 3 {
                Fault::Answer(StatusCode::TOO_MANY_REQUESTS, &[("retry-after", "0")], "")
            } else {
                Fault::None
            }
        })
        .await;
    let arguments = ["sync", "--as", &person.name, "-f", "-"];
    let ran = proxy.program(&arguments).stdin(&sandbox.rule()).run().await;
    ran.failed_with(1).says("3 created, 2 failed");
    let requests = proxy.requests();
    assert_eq!(reviews(&requests), 3 + 1 + TEAMS.len(), "{requests:#?}");
    let writes = requests.iter().filter(|request| is_write(request));
    assert_eq!(writes.count(), ALLOWED.len(), "{requests:#?}");
}

#[tokio::test]
async fn an_authorizer_that_cannot_say_is_not_taken_for_a_denial() {
    let sandbox = Sandbox::new("cannot-say").await;
    sandbox.namespaces(&["source", "team-a"]).await;
    sandbox.create_regcred("x").await;
    let proxy = sandbox
        .proxy(|_, uri| {
            let answer =
                r#"{"status": {"allowed": false, "evaluationError": "webhook timed out"}}"#;
            if uri.path().ends_with("/selfsubjectaccessreviews") {
                Fault::Answer(StatusCode::CREATED, &[], answer)
            } else {
                Fault::None
            }
        })
        .await;
    let program = proxy.program(&["sync", "-f", "-"]);
    let ran = program.stdin(&sandbox.rule()).run().await;
    ran.succeeded().says("1 created");
    assert_eq!(reviews(&proxy.requests()), 1);
}

#[tokio::test]
async fn a_rehearsal_tells_what_would_be_refused_and_a_diff_does_not_ask() {
    let (sandbox, person) = three_of_five("rehearsed-rights").await;
    for dry_run in ["client", "server"] {
        let dry_run = format!("--dry-run={dry_run}");
        let program = person.program(&["sync", &dry_run, "-f", "-"]);
        let ran = program.stdin(&sandbox.rule()).run().await;
        ran.failed_with(1).says("3 created, 2 failed");
    }
    let proxy = sandbox.proxy(|_, _| Fault::None).await;
    let program = proxy.program(&["diff", "--as", &person.name, "-f", "-"]);
    let ran = program.stdin(&sandbox.rule()).run().await;
    assert_eq!(
        ran.failed_with(1).stderr,
        "",
        "there are differences, and no errors"
    );
    let requests = proxy.requests();
    let reads = |request: &String| request.starts_with("GET ");
    assert!(requests.iter().all(reads), "{requests:#?}");
    for team in TEAMS {
        assert!(sandbox.secret(team, "regcred").await.is_none(), "{team}");
    }
}
