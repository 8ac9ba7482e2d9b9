//! Checks objects from the cluster against their schema beside other work: an older definition of the
//! resource may have let in what is refused today.
//!
//! To compile a schema's rules takes longer than a small cluster needs to answer, so it is done while more
//! is read. Reading does no harm; nothing is decided before the check is done.

use std::thread::{self, JoinHandle};

use super::{kind::Kind, object::validate};

/// A check that is under way, of objects that are known by an `Id`.
pub struct Checking<Id>(JoinHandle<Vec<(Id, String)>>);

impl<Id: Send + 'static> Checking<Id> {
    /// Begins to check these objects.
    pub fn begin<K: Kind + Send + 'static>(objects: Vec<(Id, K)>) -> Self {
        Self(thread::spawn(move || {
            let problems = objects
                .into_iter()
                .filter_map(|(id, object)| Some((id, problem(&object)?)));
            problems.collect()
        }))
    }

    /// Waits for the end; which objects can't be used, and why.
    ///
    /// # Panics
    ///
    /// Never: a check doesn't panic.
    pub fn end(self) -> Vec<(Id, String)> {
        self.0.join().expect("a check doesn't panic")
    }
}

fn problem<K: Kind>(object: &K) -> Option<String> {
    let refusals = validate(object);
    let refusals: Vec<String> = refusals.iter().map(ToString::to_string).collect();
    (!refusals.is_empty()).then(|| refusals.join("; "))
}
