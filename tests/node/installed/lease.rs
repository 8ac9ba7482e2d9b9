//! The Lease by which replicas agree which of them works.

use futures::{StreamExt as _, TryStreamExt as _};
use k8s_openapi::api::coordination::v1::Lease;
use kube::{
    Api, ResourceExt,
    api::{ListParams, WatchEvent, WatchParams},
};

use super::{installation::Installation, replica::Replica};
use crate::sandbox::eventually;

impl Installation {
    /// The one that leads, and the others; waits until the Lease is one of theirs.
    pub async fn leader(&self, replicas: Vec<Replica>) -> (Replica, Vec<Replica>) {
        self.leader_after("", replicas).await
    }

    /// The one that leads, and the others; waits until the Lease is one of theirs and no more this one's.
    pub async fn leader_after(
        &self,
        former: &str,
        replicas: Vec<Replica>,
    ) -> (Replica, Vec<Replica>) {
        let leases = self.leases();
        eventually(&leases, self.named(), |leases| {
            let holder = leases.first().copied().map(holder);
            let holder = holder.filter(|holder| holder != former);
            holder.is_some_and(|holder| replicas.iter().any(|replica| replica.is(&holder)))
        })
        .await;
        let holder = self.holder().await;
        let (mut leading, others): (Vec<_>, Vec<_>) = replicas
            .into_iter()
            .partition(|replica| replica.is(&holder));
        (leading.pop().expect("the holder is one of them"), others)
    }

    /// Who holds the Lease now.
    pub async fn holder(&self) -> String {
        holder(&self.lease().await)
    }

    /// The Lease as it is now.
    pub async fn lease(&self) -> Lease {
        let lease = self.leases().get(&self.name()).await;
        lease.expect("the Lease is there")
    }

    /// Who has held the Lease since it was like this, one after the other; empty for nobody, which is how a
    /// replica leaves it that hands over.
    pub async fn holders_since(&self, past: &Lease) -> Vec<String> {
        let now = self.lease().await.resource_version();
        let fields = format!("metadata.name={}", self.name());
        let parameters = WatchParams::default().fields(&fields);
        let version = past.resource_version().expect("a Lease has a version");
        let events = self.leases().watch(&parameters, &version).await;
        let mut events = events.expect("Leases can be watched").boxed();
        let mut holders = vec![holder(past)];
        while let Some(event) = events.try_next().await.expect("an event") {
            let WatchEvent::Modified(lease) = event else {
                panic!("nobody but the replicas writes: {event:?}");
            };
            holders.push(holder(&lease));
            if lease.resource_version() == now {
                break;
            }
        }
        holders.dedup();
        holders
    }

    fn leases(&self) -> Api<Lease> {
        self.sandbox().api("system")
    }

    fn named(&self) -> ListParams {
        ListParams::default().fields(&format!("metadata.name={}", self.name()))
    }
}

/// Who holds a Lease; empty if nobody does.
fn holder(lease: &Lease) -> String {
    let spec = lease.spec.as_ref();
    let holder = spec.and_then(|spec| spec.holder_identity.clone());
    holder.unwrap_or_default()
}
