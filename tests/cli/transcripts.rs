//! What each command prints when it succeeds and when it doesn't, against a real API server.

use kube::api::PostParams;

use crate::sandbox::{Ran, Sandbox, secret};

/// A snapshot of what a command printed, without what differs from run to run.
macro_rules! assert_transcript {
    ($name:literal, $transcript:expr) => {
        insta::with_settings!({filters => vec![
            (r"in \d+\.\d+s", "in [TIME]"),
            (r#""seconds": [0-9.e-]+"#, r#""seconds": "[TIME]""#),
            (r"seconds: [0-9.e-]+", "seconds: [TIME]"),
            (r"127\.0\.0\.1:\d+", "[ADDRESS]"),
            (r"/\S+/kubeconfig", "[KUBECONFIG]"),
        ]}, { insta::assert_snapshot!($name, $transcript) });
    };
}

/// Runs commands one after the other, and writes down what a person at the prompt sees.
struct Transcript<'a> {
    sandbox: &'a Sandbox,
    text: String,
}

impl<'a> Transcript<'a> {
    fn new(sandbox: &'a Sandbox) -> Self {
        Self {
            sandbox,
            text: String::new(),
        }
    }

    async fn run(&mut self, command: &str) {
        let arguments: Vec<&str> = command.split(' ').collect();
        let ran = self.sandbox.run(&arguments).await;
        self.write(command, &ran);
    }

    async fn run_with(&mut self, command: &str, input: &str) {
        let arguments: Vec<&str> = command.split(' ').collect();
        let ran = self.sandbox.program(&arguments).stdin(input).run().await;
        self.write(command, &ran);
    }

    fn write(&mut self, command: &str, ran: &Ran) {
        let mut lines = vec![format!("$ kubectl copyrator {command}")];
        lines.extend(ran.stdout.lines().map(str::to_owned));
        lines.extend(ran.stderr.lines().map(|line| format!("[stderr] {line}")));
        lines.push(format!("[exit code {}]\n\n", ran.code()));
        self.text.push_str(&lines.join("\n"));
    }
}

async fn with_rule(prefix: &str) -> Sandbox {
    let sandbox = Sandbox::alone(prefix).await;
    sandbox.namespaces(&["source", "team-a", "team-b"]).await;
    sandbox.create_regcred("hunter2").await;
    sandbox.apply_rule(&sandbox.rule()).await;
    sandbox
}

async fn put_something_in_the_way(sandbox: &Sandbox) {
    let parameters = PostParams {
        field_manager: Some("helm".to_owned()),
        ..PostParams::default()
    };
    let foreign = secret("regcred", &[("password", "theirs")]);
    sandbox
        .api("team-b")
        .create(&parameters, &foreign)
        .await
        .expect("the Secret is made");
}

#[tokio::test]
async fn sync_tells_what_it_did() {
    let sandbox = with_rule("told").await;
    let mut transcript = Transcript::new(&sandbox);
    transcript.run("sync --dry-run --parallelism 1").await;
    transcript
        .run("sync --dry-run=server --parallelism 1 -o wide")
        .await;
    transcript.run("sync --parallelism 1").await;
    transcript.run("sync").await;
    sandbox.delete_secret("team-a", "regcred").await;
    transcript.run("sync -o name").await;
    sandbox.delete_secret("team-b", "regcred").await;
    put_something_in_the_way(&sandbox).await;
    transcript.run("sync").await;
    transcript.run("sync -o json").await;
    transcript.run("sync no-such-rule").await;
    sandbox.delete_rule("rule").await;
    transcript.run("sync -o yaml").await;
    transcript.run("sync").await;
    assert_transcript!("sync", transcript.text);
}

#[tokio::test]
async fn prune_tells_what_it_removed() {
    let sandbox = with_rule("removed").await;
    let mut transcript = Transcript::new(&sandbox);
    put_something_in_the_way(&sandbox).await;
    let adopting = sandbox.rule_and("conflictPolicy: Overwrite");
    sandbox.apply_rule(&adopting).await;
    transcript.run("sync --parallelism 1 -o wide").await;
    transcript.run("prune").await;
    transcript
        .run("prune removed-rule --dry-run --parallelism 1")
        .await;
    transcript
        .run("prune removed-rule no-such-rule --parallelism 1")
        .await;
    transcript.run("prune --all").await;
    sandbox.apply_rule(&sandbox.rule_and("suspend: true")).await;
    transcript.run("sync").await;
    transcript.run("diff").await;
    transcript.run("prune -o json").await;
    assert_transcript!("prune", transcript.text);
}

#[tokio::test]
async fn sync_refuses_bad_files() {
    let sandbox = Sandbox::new("refused").await;
    let mut transcript = Transcript::new(&sandbox);
    let typo = sandbox
        .rule()
        .replace("resource: Secret", "resuorce: Secret")
        .replace("names:", "name:");
    transcript.run_with("sync -f -", &typo).await;
    transcript.run_with("sync -f -", "").await;
    transcript.run("sync -f no-such-file.yaml").await;
    assert_transcript!("sync_bad_files", transcript.text);
}

#[tokio::test]
async fn diff_shows_what_would_change() {
    let sandbox = with_rule("shown").await;
    let mut transcript = Transcript::new(&sandbox);
    put_something_in_the_way(&sandbox).await;
    transcript.run("diff").await;
    transcript.run("diff --show-secrets").await;
    transcript.run("diff -o json").await;
    sandbox.delete_secret("team-b", "regcred").await;
    sandbox.run(&["sync"]).await.succeeded();
    transcript.run("diff").await;
    let edit = serde_json::json!({"stringData": {"password": "edited", "more": "x"}});
    sandbox
        .patch_secret("team-a", "regcred", "somebody", edit)
        .await;
    transcript.run("diff").await;
    transcript.run("diff no-such-rule").await;
    assert_transcript!("diff", transcript.text);
}

#[tokio::test]
async fn crd_tells_what_it_did() {
    let sandbox = with_rule("defined").await;
    let mut transcript = Transcript::new(&sandbox);
    sandbox.run(&["sync"]).await.succeeded();
    sandbox.clone_regcred("team-a", "source", "clone").await;
    transcript.run("crd install").await;
    transcript.run("crd install --check").await;
    transcript.run("crd uninstall").await;
    transcript.run("crd uninstall --dry-run").await;
    transcript.run("crd uninstall --yes").await;
    transcript.run("crd uninstall --yes").await;
    transcript.run("crd install --check").await;
    transcript.run("sync").await;
    transcript.run("diff").await;
    transcript.run("crd install").await;
    assert_transcript!("crd", transcript.text);
}

#[tokio::test]
async fn no_cluster_is_told_with_a_way_out() {
    let sandbox = Sandbox::new("nowhere").await;
    let mut transcript = Transcript::new(&sandbox);
    for command in ["sync", "diff", "crd install"] {
        transcript
            .run(&format!("{command} --server https://127.0.0.1:1"))
            .await;
    }
    transcript.run("sync --context nowhere").await;
    transcript.run("sync --kubeconfig no-such-file").await;
    assert_transcript!("no_cluster", transcript.text);
}
