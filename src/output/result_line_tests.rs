//! Every event's line in each format.

use insta::assert_snapshot;

use super::*;
use crate::{
    output::fixtures::{forbidden, outcome, secret},
    reconcile::{Conflict, Skip, Why},
};

fn lines(format: Format, dry_run: DryRun) -> String {
    let events = [
        Event::Created,
        Event::Configured(Why::SourceChanged),
        Event::Configured(Why::Drifted),
        Event::Configured(Why::MarksChanged),
        Event::Configured(Why::HandedOver),
        Event::Unchanged,
        Event::Pruned,
        Event::Skipped(Skip::NamespaceGone),
        Event::Skipped(Skip::NoLongerOurs),
        Event::Skipped(Skip::BeingDeleted),
        Event::Conflict(Conflict::NotOurs { managers: vec![] }),
        forbidden("team-a", "regcred"),
    ];
    let lines = events.into_iter().map(|event| {
        let outcome = outcome(secret("team-a", "regcred"), event);
        result_line(&outcome, format, dry_run, Palette::default())
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn text() {
    assert_snapshot!(lines(Format::Text, DryRun::None), @r"
    secret/regcred created in namespace team-a
    secret/regcred configured in namespace team-a
    secret/regcred configured in namespace team-a
    secret/regcred configured in namespace team-a
    secret/regcred configured in namespace team-a
    secret/regcred unchanged in namespace team-a
    secret/regcred pruned in namespace team-a
    secret/regcred skipped in namespace team-a: the namespace is being deleted or gone
    secret/regcred skipped in namespace team-a: it is gone already or not ours any more
    secret/regcred skipped in namespace team-a: it is being deleted and waits for its finalizers; the next run makes it anew
    secret/regcred conflict in namespace team-a
    secret/regcred failed in namespace team-a
    ");
}

#[test]
fn text_of_dry_runs() {
    assert_snapshot!(lines(Format::Text, DryRun::Client), @r"
    secret/regcred created in namespace team-a (dry run)
    secret/regcred configured in namespace team-a (dry run)
    secret/regcred configured in namespace team-a (dry run)
    secret/regcred configured in namespace team-a (dry run)
    secret/regcred configured in namespace team-a (dry run)
    secret/regcred unchanged in namespace team-a (dry run)
    secret/regcred pruned in namespace team-a (dry run)
    secret/regcred skipped in namespace team-a (dry run): the namespace is being deleted or gone
    secret/regcred skipped in namespace team-a (dry run): it is gone already or not ours any more
    secret/regcred skipped in namespace team-a (dry run): it is being deleted and waits for its finalizers; the next run makes it anew
    secret/regcred conflict in namespace team-a (dry run)
    secret/regcred failed in namespace team-a (dry run)
    ");
    assert!(
        lines(Format::Text, DryRun::Server)
            .starts_with("secret/regcred created in namespace team-a (server dry run)\n")
    );
}

#[test]
fn wide() {
    assert_snapshot!(lines(Format::Wide, DryRun::None), @r"
    secret/regcred created in namespace team-a rule=pull-secrets set=cluster source=default/regcred
    secret/regcred configured in namespace team-a rule=pull-secrets set=cluster source=default/regcred reason=SourceChanged
    secret/regcred configured in namespace team-a rule=pull-secrets set=cluster source=default/regcred reason=Drifted
    secret/regcred configured in namespace team-a rule=pull-secrets set=cluster source=default/regcred reason=MarksChanged
    secret/regcred configured in namespace team-a rule=pull-secrets set=cluster source=default/regcred reason=HandedOver
    secret/regcred unchanged in namespace team-a rule=pull-secrets set=cluster source=default/regcred
    secret/regcred pruned in namespace team-a rule=pull-secrets set=cluster source=default/regcred
    secret/regcred skipped in namespace team-a rule=pull-secrets set=cluster source=default/regcred reason=NamespaceGone
    secret/regcred skipped in namespace team-a rule=pull-secrets set=cluster source=default/regcred reason=NoLongerOurs
    secret/regcred skipped in namespace team-a rule=pull-secrets set=cluster source=default/regcred reason=BeingDeleted
    secret/regcred conflict in namespace team-a rule=pull-secrets set=cluster source=default/regcred reason=NotOurs
    secret/regcred failed in namespace team-a rule=pull-secrets set=cluster source=default/regcred reason=Forbidden
    ");
}

#[test]
fn name() {
    let outcome = outcome(secret("team-a", "regcred"), Event::Created);
    let line = result_line(&outcome, Format::Name, DryRun::Client, Palette::default());
    assert_eq!(line, "secret/regcred -n team-a");
}

#[test]
fn only_the_word_is_coloured() {
    let outcome = outcome(secret("team-a", "regcred"), Event::Created);
    let line = result_line(
        &outcome,
        Format::Text,
        DryRun::None,
        Palette { enabled: true },
    );
    assert_eq!(
        line,
        "secret/regcred \u{1b}[32mcreated\u{1b}[0m in namespace team-a"
    );
}
