//! Waits until the API server knows a custom resource: a controller may be started before it is defined.

use std::time::Duration;

use tokio::time::sleep;
use tracing::{info, warn};

use crate::{
    cluster::Definitions,
    reconcile::{ApiError, Backoff, Failure, ResourceType},
    telemetry::Health,
};

/// A definition that isn't there is looked for often enough for somebody who waits for it.
const BACKOFF: Backoff = Backoff {
    first: Duration::from_millis(500),
    longest: Duration::from_secs(10),
};

/// Ends when the resource is defined and served. Says once why it waits, and again when that changes.
pub async fn is_served(
    domain: &'static str,
    resource: &ResourceType,
    definitions: &Definitions,
    health: &Health,
) {
    let mut told = None;
    for failures in 1.. {
        let found = look(resource, definitions).await;
        match found {
            Ok(None) => break,
            Ok(Some(why)) => {
                if told.as_ref() != Some(&why) {
                    info!(domain, "waiting: {why}");
                }
                health.is_waiting(domain, &why);
                told = Some(why);
            }
            Err(error) => {
                let why = error.to_string();
                if told.as_ref() != Some(&why) {
                    warn!(domain, error = why, "a request failed; it is tried again");
                }
                health.is_waiting(domain, &why);
                told = Some(why);
            }
        }
        sleep(BACKOFF.delay(failures)).await;
    }
    if told.is_some() {
        info!(domain, "the wait is over");
    }
}

/// What is waited for, if anything is.
async fn look(
    resource: &ResourceType,
    definitions: &Definitions,
) -> Result<Option<String>, ApiError> {
    let key = resource.definition();
    let found = match definitions.find(&key).await {
        Ok(found) => found,
        // Whoever may not read definitions finds out by trying.
        Err(error) if matches!(error.failure, Failure::Forbidden(_)) => return Ok(None),
        Err(error) => return Err(error),
    };
    Ok(match found {
        None => Some(format!(
            "{key} isn't there; define it with: kubectl copyrator crd install"
        )),
        Some(found) if found.is_being_deleted() => Some(format!("{key} is being deleted")),
        Some(found) if !found.has("Established") => Some(format!("{key} isn't served yet")),
        Some(_) => None,
    })
}
