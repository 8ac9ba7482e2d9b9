//! Waits until the API server serves a definition's objects, or until a definition is gone.

use std::time::Duration;

use http::Method;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use tokio::time::{Instant, sleep};

use super::{CrdError, Definitions, Readiness, definitions::name};
use crate::{
    cluster::request::{Outgoing, Scale},
    reconcile::{Depth, Failure},
};

/// How long between two looks.
const INTERVAL: Duration = Duration::from_millis(200);
/// How long names may stay refused: the verdict on a definition that was just changed is an old one.
const PATIENCE: Duration = Duration::from_secs(5);

impl Definitions {
    /// Waits until the definition is established and its objects can be listed.
    pub async fn wait_until_served(
        &self,
        wanted: &CustomResourceDefinition,
        limit: Duration,
    ) -> Result<(), CrdError> {
        let (begun, name) = (Instant::now(), name(wanted));
        loop {
            let readiness = self.get(name).await?.map(|existing| existing.readiness());
            match readiness {
                Some(Readiness::Established) if self.lists(wanted).await => return Ok(()),
                Some(Readiness::Terminating) => return Err(CrdError::Terminating(name.to_owned())),
                Some(Readiness::NamesRefused(message))
                    if begun.elapsed() >= PATIENCE.min(limit) =>
                {
                    return Err(CrdError::NamesRefused {
                        name: name.to_owned(),
                        message,
                    });
                }
                _ if begun.elapsed() >= limit => {
                    return Err(CrdError::NotServed {
                        name: name.to_owned(),
                        after: limit,
                    });
                }
                _ => sleep(INTERVAL).await,
            }
        }
    }

    /// Whether the API server knows the objects by now. It learns of a definition from a watch, a
    /// little later than the definition says so. Any other refusal than "not found" will do: we may
    /// not be allowed to list them.
    async fn lists(&self, wanted: &CustomResourceDefinition) -> bool {
        let spec = &wanted.spec;
        let served = spec.versions.iter().filter(|version| version.served);
        for version in served {
            let (group, plural) = (&spec.group, &spec.names.plural);
            let outgoing = Outgoing {
                method: Method::GET,
                uri: format!("/apis/{group}/{}/{plural}?limit=1", version.name),
                scale: Scale::Collection,
                depth: Depth::Metadata,
                body: None,
            };
            if let Err(Failure::NotFound(_)) = self.sender.send(outgoing).await {
                return false;
            }
        }
        true
    }

    /// Waits until there is no definition of the name.
    pub async fn wait_until_gone(&self, name: &str, limit: Duration) -> Result<(), CrdError> {
        let begun = Instant::now();
        while self.get(name).await?.is_some() {
            if begun.elapsed() >= limit {
                return Err(CrdError::NotGone {
                    name: name.to_owned(),
                    after: limit,
                });
            }
            sleep(INTERVAL).await;
        }
        Ok(())
    }
}
