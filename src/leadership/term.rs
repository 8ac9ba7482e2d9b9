//! The time in which a process leads.

use tokio::{
    sync::watch,
    time::{Instant, sleep_until},
};

/// The time in which a process leads. It is over at a moment that renewals put off and nothing else does,
/// by the process's own clock: no answer of anybody is needed to know it.
#[derive(Clone, Debug)]
pub struct Term(watch::Receiver<Instant>);

/// The end of a term, held by whoever renews it; dropped, it ends the term.
#[derive(Debug)]
pub(super) struct Deadline(watch::Sender<Instant>);

impl Term {
    pub(super) fn until(deadline: Instant) -> (Deadline, Self) {
        let (sender, receiver) = watch::channel(deadline);
        (Deadline(sender), Self(receiver))
    }

    /// Whether the process may act.
    pub fn is_valid(&self) -> bool {
        Instant::now() < self.deadline()
    }

    /// Ends with the term.
    pub async fn over(&self) {
        let mut deadline = self.0.clone();
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

    fn deadline(&self) -> Instant {
        *self.0.borrow()
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
