//! The time in which a process leads.

use std::future::pending;

use tokio::{
    sync::watch,
    time::{Instant, sleep_until},
};

/// The time in which a process leads. It is over at a moment that renewals put off and nothing else does,
/// by the process's own clock: no answer of anybody is needed to know it.
#[derive(Clone, Debug)]
pub struct Term {
    /// None where nobody else could lead.
    deadline: Option<watch::Receiver<Instant>>,
}

/// The end of a term, held by whoever renews it; dropped, it ends the term.
#[derive(Debug)]
pub(super) struct Deadline(watch::Sender<Instant>);

impl Term {
    pub(super) fn until(deadline: Instant) -> (Deadline, Self) {
        let (sender, receiver) = watch::channel(deadline);
        let term = Self {
            deadline: Some(receiver),
        };
        (Deadline(sender), term)
    }

    /// The term of a process that is the only one, and so leads without an election.
    pub fn for_life() -> Self {
        Self { deadline: None }
    }

    /// Whether the process may act.
    pub fn is_valid(&self) -> bool {
        let deadline = self.deadline.as_ref();
        deadline.is_none_or(|deadline| Instant::now() < *deadline.borrow())
    }

    /// Ends with the term.
    pub async fn over(&self) {
        let Some(mut deadline) = self.deadline.clone() else {
            return pending().await;
        };
        while self.is_valid() {
            let until = *deadline.borrow_and_update();
            tokio::select! {
                () = sleep_until(until) => {}
                changed = deadline.changed() => if changed.is_err() {
                    return;
                },
            }
        }
    }
}

impl Deadline {
    /// Puts the end off, unless it has come: a term that is over stays over.
    pub(super) fn put_off(&self, until: Instant) -> bool {
        self.0.send_if_modified(|deadline| {
            let lasts = Instant::now() < *deadline;
            if lasts {
                *deadline = until.max(*deadline);
            }
            lasts
        })
    }

    /// When the term is over.
    pub(super) fn at(&self) -> Instant {
        *self.0.borrow()
    }

    /// Ends the term.
    pub(super) fn end(&self) {
        self.0.send_replace(Instant::now());
    }
}

impl Drop for Deadline {
    fn drop(&mut self) {
        self.end();
    }
}
