//! Whether a rule is ready: its condition `Ready`, without the times.

use super::{copies::Copies, findings::Obstacle, rule_source::LoadedRule, status::Progress};
use crate::{
    api::{CopyCounts, Verdict},
    reconcile::Pruning,
};

impl Verdict {
    fn not_ready(reason: &'static str, message: &str) -> Self {
        Self::new("False", reason, message)
    }

    fn of_obstacle(obstacle: &Obstacle) -> Self {
        let status = if obstacle.reason == "Suspended" {
            "Unknown"
        } else {
            "False"
        };
        Self::new(status, obstacle.reason, &obstacle.for_status())
    }

    /// What the numbers tell, if they tell that something is wrong.
    fn of_counts(counts: &CopyCounts, progress: &Progress) -> Option<Self> {
        let CopyCounts {
            wanted,
            in_step,
            conflicts,
            failed,
        } = *counts;
        if failed > 0 {
            let message = format!("{} couldn't be brought in step", in_words(failed));
            return Some(Self::not_ready("Failed", &message));
        }
        if conflicts > 0 {
            let message = conflicts_in_words(wanted, conflicts, progress.rewritten);
            return Some(Self::not_ready("Conflicts", &message));
        }
        if progress.waiting > 0 {
            let message = format!(
                "{in_step} of {} are in step; the others are being worked on",
                in_words(wanted)
            );
            return Some(Self::not_ready("Progressing", &message));
        }
        let message = format!(
            "{in_step} of {} are in step; what has the place of the others is being deleted",
            in_words(wanted)
        );
        (in_step < wanted).then(|| Self::not_ready("BeingDeleted", &message))
    }
}

impl Copies {
    /// The verdict on a rule whose copies fare so.
    pub(super) fn verdict(
        &self,
        loaded: &LoadedRule,
        counts: &CopyCounts,
        progress: &Progress,
    ) -> Verdict {
        if let Some(obstacle) = self.obstacles(loaded).first() {
            return Verdict::of_obstacle(obstacle);
        }
        if let Some(verdict) = Verdict::of_counts(counts, progress) {
            return verdict;
        }
        let rule = loaded.rule.as_ref().ok();
        if let Some(rule) = rule
            && self.pruning != Pruning::Off
            && self.is_unlisted(rule.resource)
        {
            let plural = rule.resource.plural;
            let message = format!("{plural} couldn't be listed, so none are pruned");
            return Verdict::not_ready("CopiesUnlisted", &message);
        }
        let disappointments = rule.into_iter().flat_map(|rule| self.disappointments(rule));
        if let Some(message) = disappointments.into_iter().next() {
            return Verdict::not_ready("NothingToCopy", &message);
        }
        let verb = if counts.wanted == 1 { "is" } else { "are" };
        let message = format!("{} {verb} in step", in_words(counts.wanted));
        Verdict::new("True", "InStep", &message)
    }
}

fn conflicts_in_words(wanted: u32, conflicts: u32, rewritten: u32) -> String {
    let wanted = in_words(wanted);
    let taken = conflicts.saturating_sub(rewritten);
    let is_taken = format!("the place of {taken} of {wanted} is taken");
    let is_rewritten =
        format!("something else keeps changing {rewritten} of {wanted}, left alone for a while");
    match (taken, rewritten) {
        (_, 0) => is_taken,
        (0, _) => is_rewritten,
        _ => format!("{is_taken}; {is_rewritten}"),
    }
}

fn in_words(count: u32) -> String {
    let noun = if count == 1 { "copy" } else { "copies" };
    format!("{count} {noun}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conflicts_are_told_by_what_is_in_the_way() {
        let taken = "the place of 2 of 5 copies is taken";
        let rewritten = "something else keeps changing 1 of 5 copies, left alone for a while";
        assert_eq!(conflicts_in_words(5, 2, 0), taken);
        assert_eq!(conflicts_in_words(5, 1, 1), rewritten);
        assert_eq!(conflicts_in_words(5, 3, 1), format!("{taken}; {rewritten}"));
    }
}
