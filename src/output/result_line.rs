//! Result lines: one for each object that changed, beginning as kubectl's do.

use std::fmt::Write;

use super::{
    DryRun, Format, Palette, Style, escape_line,
    words::{skip_sentence, verb},
};
use crate::reconcile::{Event, ObjectKey, Outcome};

/// The line for one object, without a newline.
///
/// The first two words are those of `kubectl apply`, the namespace follows:
/// `secret/regcred created in namespace team-a (dry run)`. With [`Format::Wide`] the rule, the
/// source and the reason come last, as `key=value`. With [`Format::Name`] the line is
/// `secret/regcred -n team-a`: a name alone would mean nothing where many namespaces have the same
/// one, and so it can be handed on to `xargs -L1 kubectl get`.
pub fn result_line(outcome: &Outcome, format: Format, dry_run: DryRun, palette: Palette) -> String {
    let mut line = match format {
        Format::Name => return name_line(&outcome.key),
        _ => sentence(outcome, palette),
    };
    line.push_str(dry_run.suffix());
    if format == Format::Wide {
        push_details(&mut line, outcome);
    } else if let Event::Skipped(skip) = &outcome.event {
        push(&mut line, ": ", skip_sentence(*skip));
    }
    line
}

fn sentence(outcome: &Outcome, palette: Palette) -> String {
    let ObjectKey {
        resource,
        namespace,
        name,
    } = &outcome.key;
    let singular = resource.qualified_singular();
    let verb = palette.paint(style(&outcome.event), verb(&outcome.event));
    let mut line = format!("{singular}/{} {verb}", escape_line(name.as_str()));
    if let Some(namespace) = namespace {
        push(&mut line, " in namespace ", namespace.as_str());
    }
    line
}

fn name_line(key: &ObjectKey) -> String {
    let mut line = format!(
        "{}/{}",
        key.resource.qualified_singular(),
        escape_line(key.name.as_str())
    );
    if let Some(namespace) = &key.namespace {
        push(&mut line, " -n ", namespace.as_str());
    }
    line
}

fn push_details(line: &mut String, outcome: &Outcome) {
    if let Some(owner) = &outcome.owner {
        push(line, &format!(" {}=", owner.kind.noun), &owner.path());
        push(line, " set=", owner.set.as_str());
    }
    if let Some(source) = &outcome.source {
        push(line, " source=", source);
    }
    if let Some(reason) = outcome.event.reason() {
        push(line, " reason=", reason);
    }
}

fn push(line: &mut String, before: &str, text: &str) {
    write!(line, "{before}{}", escape_line(text)).expect("writing to a string can't fail");
}

fn style(event: &Event) -> Style {
    match event {
        Event::Created => Style::Green,
        Event::Configured(_)
        | Event::Replaced(_)
        | Event::Orphaned
        | Event::Released
        | Event::Conflict(_) => Style::Yellow,
        Event::Unchanged | Event::Skipped(_) => Style::Dim,
        Event::Pruned | Event::Failed(_) => Style::Red,
    }
}

#[cfg(test)]
#[path = "result_line_tests.rs"]
mod tests;
