//! Whole runs, as they appear on the two streams.

use insta::assert_snapshot;

use super::*;
use crate::{
    output::{
        Palette,
        fixtures::{
            Broken as BrokenPipe, Captured, PLANTED, PLANTED_TEXT, captured, config_map, failed,
            forbidden, outcome, owner, secret,
        },
        screen::{CLEARED, Screen},
    },
    reconcile::{Conflict, Failure, SECRETS, Severity, Skip, Why},
};

/// One of everything, in no particular order.
fn everything() -> Vec<Outcome> {
    let managers = vec!["helm".to_owned(), "kubectl-edit".to_owned()];
    let quoting = Failure::Malformed(format!("unexpected \"{PLANTED}\" ({PLANTED_TEXT})"));
    vec![
        outcome(secret("team-f", "regcred"), forbidden("team-f", "regcred")),
        outcome(secret("team-b", "regcred"), Event::Configured(Why::Drifted)),
        outcome(secret("team-a", "regcred"), Event::Created),
        outcome(config_map("team-a", "settings"), Event::Pruned),
        outcome(secret("team-c", "regcred"), Event::Unchanged),
        outcome(
            secret("team-d", "regcred"),
            Event::Skipped(Skip::NamespaceGone),
        ),
        outcome(
            secret("team-e", "regcred"),
            Event::Conflict(Conflict::NotOurs { managers }),
        ),
        outcome(
            secret("team-g", "tls"),
            failed(&SECRETS, "team-g", "tls", quoting),
        ),
    ]
}

fn run(
    streams: &mut Streams,
    options: ReportOptions,
    outcomes: Vec<Outcome>,
    in_step: usize,
) -> io::Result<()> {
    let clock = Box::new(|| Duration::from_millis(1234));
    let mut reporter = SyncReporter::with(streams, options, ProgressMode::Lines, clock);
    reporter.finding(Finding {
        severity: Severity::Warning,
        owner: Some(owner("pull-secrets")),
        message: "matches no namespace".to_owned(),
        cause: None,
    });
    reporter.planned(outcomes.len(), in_step);
    for outcome in outcomes {
        reporter.outcome(outcome);
    }
    reporter.finish(Rest::default())
}

fn told(options: ReportOptions) -> (Captured, Captured) {
    let (mut streams, out, err) = captured();
    run(&mut streams, options, everything(), 985).unwrap();
    for text in [out.text(), err.text()] {
        assert!(
            !text.contains(PLANTED) && !text.contains(PLANTED_TEXT),
            "{text}"
        );
    }
    (out, err)
}

fn with_format(format: Format) -> ReportOptions {
    ReportOptions {
        format,
        ..ReportOptions::default()
    }
}

/// The text with its YAML left out, which other tests look at.
fn without_manifests(text: &str) -> String {
    let (before, rest) = text.split_once("\n---\n").unwrap();
    let (_, after) = rest.rsplit_once("\n\n").unwrap();
    format!("{}\n…\n{after}", before.trim_end())
}

#[test]
fn results_go_to_stdout_and_the_rest_to_stderr() {
    let (out, err) = told(with_format(Format::Text));
    assert_snapshot!(out.text(), @r"
    secret/regcred configured in namespace team-b
    secret/regcred created in namespace team-a
    configmap/settings pruned in namespace team-a
    ");
    assert_snapshot!(without_manifests(&err.text()), @r#"
    Warning: rule pull-secrets: matches no namespace
    Warning: secret/regcred in namespace team-e is not ours (managed by helm, kubectl-edit); left alone
    error: cannot create secret/tls in namespace team-g: the API server's answer can't be read: unexpected "***" (***)
    Error from server (Forbidden): cannot create secret/regcred in namespace team-f: secrets is forbidden: User "jane" cannot create resource "secrets" in API group "" in the namespace "team-f"
    hint: an administrator can allow it by applying this (kubectl apply -f):
    …
    1 created, 1 configured, 986 unchanged, 1 pruned, 1 skipped, 1 conflict, 2 failed in 1.2s
    "#);
}

#[test]
fn verbose_also_tells_what_was_left_as_it_is() {
    let (out, _) = told(ReportOptions {
        verbose: true,
        dry_run: DryRun::Server,
        ..ReportOptions::default()
    });
    assert_snapshot!(out.text(), @r"
    secret/regcred configured in namespace team-b (server dry run)
    secret/regcred created in namespace team-a (server dry run)
    configmap/settings pruned in namespace team-a (server dry run)
    secret/regcred unchanged in namespace team-c (server dry run)
    secret/regcred skipped in namespace team-d (server dry run): the namespace is being deleted or gone
    ");
}

#[test]
fn wide_gives_the_reason() {
    let (out, _) = told(with_format(Format::Wide));
    assert_snapshot!(out.text(), @r"
    secret/regcred configured in namespace team-b rule=pull-secrets set=cluster source=default/regcred reason=Drifted
    secret/regcred created in namespace team-a rule=pull-secrets set=cluster source=default/regcred
    configmap/settings pruned in namespace team-a rule=pull-secrets set=cluster source=default/regcred
    ");
}

#[test]
fn names_are_those_of_changed_objects() {
    let (out, _) = told(with_format(Format::Name));
    assert_snapshot!(out.text(), @r"
    secret/regcred -n team-b
    secret/regcred -n team-a
    configmap/settings -n team-a
    ");
}

#[test]
fn documents_have_a_fixed_form() {
    let document = told(with_format(Format::Yaml)).0.text();
    let (document, _) = document.split_once("missingPermissions:").unwrap();
    assert_snapshot!(document, @r#"
    apiVersion: copyrator.dev/v1alpha1
    kind: SyncReport
    dryRun: none
    summary:
      created: 1
      configured: 1
      replaced: 0
      unchanged: 986
      pruned: 1
      orphaned: 0
      released: 0
      skipped: 1
      conflicts: 1
      failed: 2
      notReached: 0
      seconds: 1.234
    objects:
    - namespace: team-a
      resource: configmaps
      name: settings
      action: pruned
      rule: pull-secrets
      set: cluster
      source: default/regcred
    - namespace: team-a
      resource: secrets
      name: regcred
      action: created
      rule: pull-secrets
      set: cluster
      source: default/regcred
    - namespace: team-b
      resource: secrets
      name: regcred
      action: configured
      rule: pull-secrets
      set: cluster
      source: default/regcred
      reason: Drifted
    - namespace: team-c
      resource: secrets
      name: regcred
      action: unchanged
      rule: pull-secrets
      set: cluster
      source: default/regcred
    - namespace: team-d
      resource: secrets
      name: regcred
      action: skipped
      rule: pull-secrets
      set: cluster
      source: default/regcred
      reason: NamespaceGone
      message: the namespace is being deleted or gone
    - namespace: team-e
      resource: secrets
      name: regcred
      action: conflict
      rule: pull-secrets
      set: cluster
      source: default/regcred
      reason: NotOurs
      message: secret/regcred in namespace team-e is not ours (managed by helm, kubectl-edit); left alone
      managers:
      - helm
      - kubectl-edit
    - namespace: team-f
      resource: secrets
      name: regcred
      action: failed
      rule: pull-secrets
      set: cluster
      source: default/regcred
      reason: Forbidden
      message: "cannot create secret/regcred in namespace team-f: secrets is forbidden: User \"jane\" cannot create resource \"secrets\" in API group \"\" in the namespace \"team-f\""
    - namespace: team-g
      resource: secrets
      name: tls
      action: failed
      rule: pull-secrets
      set: cluster
      source: default/regcred
      reason: Malformed
      message: "cannot create secret/tls in namespace team-g: the API server's answer can't be read: unexpected \"***\" (***)"
    findings:
    - severity: Warning
      rule: pull-secrets
      set: cluster
      message: matches no namespace
    "#);
}

#[test]
fn documents_have_what_is_missing_and_what_grants_it() {
    let document = told(with_format(Format::Json)).0.text();
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    let missing = serde_json::json!([
        {"verb": "create", "group": "", "resource": "secrets", "namespaces": ["team-f"]}
    ]);
    assert_eq!(document["missingPermissions"], missing);
    let items = document["grant"]["items"].as_array().unwrap().iter();
    let kinds: Vec<_> = items.map(|item| item["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["Role", "RoleBinding"]);
}

#[test]
fn json_says_the_same_as_yaml() {
    let (json, err) = told(with_format(Format::Json));
    let json: serde_json::Value = serde_json::from_str(&json.text()).unwrap();
    let yaml = told(with_format(Format::Yaml)).0.text();
    assert_eq!(
        json,
        serde_saphyr::from_str::<serde_json::Value>(&yaml).unwrap()
    );
    assert!(!err.text().contains(" in 1.2s"), "{}", err.text());
}

#[test]
fn documents_do_not_depend_on_what_was_finished_first() {
    let (mut streams, reversed, _) = captured();
    let outcomes = everything().into_iter().rev().collect();
    run(&mut streams, with_format(Format::Json), outcomes, 985).unwrap();
    assert_eq!(reversed.text(), told(with_format(Format::Json)).0.text());
}

fn thousand(options: ReportOptions, out_is_terminal: bool) -> String {
    let (mut streams, out, _) = captured();
    streams.out_is_terminal = out_is_terminal;
    let namespaces = (0..1000).map(|number| format!("team-{number}"));
    let outcomes = namespaces.map(|name| outcome(secret(&name, "regcred"), Event::Created));
    run(&mut streams, options, outcomes.collect(), 0).unwrap();
    out.text()
}

#[test]
fn a_thousand_lines_are_condensed_on_a_terminal_only() {
    let text = thousand(ReportOptions::default(), true);
    assert_eq!(text.lines().count(), 21);
    assert!(
        text.ends_with("\n… and 980 more secrets created by rule pull-secrets\n"),
        "{text}"
    );
    assert_eq!(
        thousand(ReportOptions::default(), false).lines().count(),
        1000
    );
    assert_eq!(
        thousand(with_format(Format::Name), true).lines().count(),
        1000
    );
    let verbose = ReportOptions {
        verbose: true,
        ..ReportOptions::default()
    };
    assert_eq!(thousand(verbose, true).lines().count(), 1000);
}

#[test]
fn a_closed_pipe_is_remembered_and_the_rest_is_still_told() {
    for format in [Format::Text, Format::Json] {
        let (mut streams, _, err) = captured();
        streams.out = Box::new(BrokenPipe);
        let error = run(&mut streams, with_format(format), everything(), 0).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
        assert!(
            err.text().contains("Error from server (Forbidden)"),
            "{}",
            err.text()
        );
    }
}

/// A terminal on which both the bar and the result lines appear.
impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.push(str::from_utf8(bytes).unwrap());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn result_lines_do_not_tear_the_bar() {
    let screen = Screen::default();
    let (mut streams, ..) = captured();
    streams.out = Box::new(screen.clone());
    streams.out_is_terminal = true;
    let clock = Box::new(|| Duration::from_secs(2));
    let options = ReportOptions::default();
    let mut reporter = SyncReporter::with(&mut streams, options, screen.as_mode(), clock);
    reporter.planned(3, 0);
    for namespace in ["team-a", "team-b"] {
        reporter.outcome(outcome(secret(namespace, "regcred"), Event::Created));
    }
    let text = screen.text();
    let (before, _) = text
        .split_once("secret/regcred created in namespace team-b")
        .unwrap();
    let (_, bar) = before.split_once("1/3").unwrap();
    assert!(bar.ends_with(CLEARED), "{text:?}");
}

#[test]
fn nothing_to_do_is_said() {
    let (mut streams, out, err) = captured();
    let clock = Box::new(|| Duration::ZERO);
    let mut reporter = SyncReporter::with(
        &mut streams,
        ReportOptions::default(),
        ProgressMode::Hidden,
        clock,
    );
    reporter.planned(0, 0);
    reporter.finish(Rest::default()).unwrap();
    assert_eq!(out.text(), "");
    assert_eq!(err.text(), "nothing to do\n");
}

#[test]
fn each_stream_has_its_own_colours() {
    let colours = Colours {
        out: Palette::default(),
        err: Palette { enabled: true },
    };
    let (out, err) = told(ReportOptions {
        colours,
        ..ReportOptions::default()
    });
    assert!(!out.text().contains('\u{1b}'));
    assert!(
        err.text()
            .contains("\u{1b}[31mError from server (Forbidden):\u{1b}[0m"),
        "{}",
        err.text()
    );
}
