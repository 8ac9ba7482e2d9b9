//! A full pass: everything is read anew, in an order that makes it safe to delete, and planned with.
//!
//! What watches tell comes in no order between them: a copy may be heard of before the rule that wants it. So
//! nothing is deleted on the strength of a watch; a pass must say the same.

use std::{cell::RefCell, rc::Rc, time::Duration};

use tokio::time::Instant;

use crate::reconcile::{
    Cluster, Depth, Domain, Extent, Observer, Options, Pace, Plan, RunError, Scope, reader::Reader,
};

/// What a pass came to.
pub struct Pass {
    /// What must be done.
    pub plan: Plan,
    /// What the pass answers for.
    pub scope: Rc<Scope>,
    /// How long it took.
    pub took: Duration,
}

/// Reads everything and plans. `domain` is one that knows nothing yet.
pub async fn pass<D: Domain, C: Cluster>(
    mut domain: D,
    cluster: &C,
    pace: &Pace,
    parallelism: usize,
) -> Result<Pass, RunError<D::Error>> {
    let begun = Instant::now();
    let observer = RefCell::new(Observer::new(domain.owner_kind()));
    let reader = Reader {
        cluster,
        pace,
        observer: &observer,
    };
    let found = reader.read_all(&mut domain, Depth::Metadata).await?;
    let options = Options {
        parallelism,
        depth: Depth::Metadata,
        extent: Extent::Everything,
        fail_fast: false,
        check_rights: false,
    };
    let plan = reader.plan(&mut domain, found, options).await;
    Ok(Pass {
        plan,
        scope: Rc::new(domain.scope()),
        took: begun.elapsed(),
    })
}
