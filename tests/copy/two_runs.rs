//! Two runs of the program over the same rule at the same time.

use futures::future::join;
use serde_json::json;

use crate::sandbox::Sandbox;

#[tokio::test]
async fn two_runs_at_the_same_time_end_exact_and_neither_fails() {
    let sandbox = Sandbox::new("two-runs").await;
    sandbox.namespaces(&["source"]).await;
    sandbox.create_regcred("x").await;
    let teams: Vec<String> = (10..40).map(|number| format!("team-{number}")).collect();
    for team in &teams {
        sandbox.namespace(team, &[]).await;
    }
    let (all, some) = (sandbox.rule(), sandbox.aimed(&sandbox.rule(), "team-1*"));
    let passwords = async |expected: &[Option<&str>; 2]| {
        for team in &teams {
            let is_kept = team.starts_with("team-1");
            let expected = expected[usize::from(!is_kept)];
            assert_eq!(sandbox.password(team).await.as_deref(), expected, "{team}");
        }
    };
    let both = async |rule: &str| {
        let (first, second) = join(sandbox.sync(rule), sandbox.sync(rule)).await;
        first.succeeded();
        second.succeeded();
        sandbox.is_in_step(rule).await;
    };
    both(&all).await;
    passwords(&[Some("x"), Some("x")]).await;
    let rotated = json!({"stringData": {"password": "y"}});
    sandbox
        .patch_secret("source", "regcred", "admin", rotated)
        .await;
    both(&some).await;
    passwords(&[Some("y"), None]).await;
}
