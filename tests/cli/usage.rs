//! What those are told who mistype.

use std::fmt::Write;

use insta::assert_snapshot;

use super::nowhere::run;

#[tokio::test]
async fn mistakes_are_told_with_a_way_out() {
    let lines = [
        "snyc",
        "sync --dryrun",
        "sync -o x",
        "diff -o wide",
        "sync rule -f rule.yaml",
        "sync --dry-run=maybe",
        "sync --parallelism 0",
        "sync --prune=perhaps",
        "sync --request-timeout=soon",
        "sync --as-user-extra=x",
        "sync --namespace",
        "sync --timeout=soon",
        "sync -f rule.yaml --set cluster",
        "sync -f rule.yaml --set a/b",
        "sync --set team-a",
        "sync --prune-set",
        "diff rule --prune-set",
        "sync -f rule.yaml --prune-set --prune=false",
        "prune --set team-a",
        "prune rule --all",
        "prune -f rule.yaml --all",
        "prune rule -f rule.yaml",
        "crd instal",
        "crd install --check --force",
        "-n",
    ];
    let mut told = String::new();
    for line in lines {
        let ran = run(&line.split(' ').collect::<Vec<_>>()).await;
        let code = ran.code();
        assert_eq!(ran.stdout, "", "{line}");
        let _ = write!(
            told,
            "$ kubectl copyrator {line}\n{}[exit code {code}]\n\n",
            ran.stderr
        );
    }
    assert_snapshot!(told);
}

#[tokio::test]
async fn only_diffs_usage_errors_exit_with_two() {
    for (line, code) in [
        ("diff --prnue", 2),
        ("diff -o x", 2),
        ("sync --prnue", 1),
        ("x", 1),
    ] {
        run(&line.split(' ').collect::<Vec<_>>())
            .await
            .failed_with(code);
    }
}
