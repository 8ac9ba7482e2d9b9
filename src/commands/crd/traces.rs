//! What the objects of our kinds have made in the cluster, counted.

use kube::Resource as _;

use super::CrdError;
use crate::{
    api::{CopyratorRule, ExchangeRate},
    cluster::{Definitions, Made},
    copy::RULES,
    rates::EXCHANGE_RATE_OWNERS,
    reconcile::{
        ApiError, CONFIG_MAPS, Failure, MANAGED_BY, MANAGED_BY_LABEL, ResourceType, SECRETS,
        SET_LABEL, SetName,
    },
};

/// What was made, by the kind of its makers; nothing for kinds that stay. An error where it may not be
/// listed.
#[derive(Debug, Default)]
pub struct Traces {
    /// The copies of `CopyratorRule`s.
    pub copies: Option<Result<CopyCounts, ApiError>>,
    /// The ConfigMaps of `ExchangeRate`s.
    pub rates: Option<Result<Made, ApiError>>,
}

/// The copies that the rules of the cluster made.
#[derive(Clone, Copy, Debug, Default)]
pub struct CopyCounts {
    /// How many are Secrets.
    pub secrets: usize,
    /// How many are ConfigMaps.
    pub configmaps: usize,
}

impl Traces {
    /// Counts what was made by objects of these kinds.
    pub async fn count(definitions: &Definitions, kinds: &[&str]) -> Result<Self, CrdError> {
        let mut traces = Self::default();
        if kinds.contains(&&*CopyratorRule::kind(&())) {
            traces.copies = Some(unless_forbidden(count_copies(definitions).await)?);
        }
        if kinds.contains(&&*ExchangeRate::kind(&())) {
            let rates = made(definitions, &CONFIG_MAPS, EXCHANGE_RATE_OWNERS.label).await;
            traces.rates = Some(unless_forbidden(rates)?);
        }
        Ok(traces)
    }
}

async fn count_copies(definitions: &Definitions) -> Result<CopyCounts, ApiError> {
    let secrets = made(definitions, &SECRETS, RULES.label).await?;
    let configmaps = made(definitions, &CONFIG_MAPS, RULES.label).await?;
    Ok(CopyCounts {
        secrets: secrets.total(),
        configmaps: configmaps.total(),
    })
}

/// Only what objects in the cluster made: what those of files made goes on without the definitions.
async fn made(
    definitions: &Definitions,
    resource: &ResourceType,
    owner_label: &str,
) -> Result<Made, ApiError> {
    let set = SetName::cluster();
    let labels = format!("{MANAGED_BY_LABEL}={MANAGED_BY},{SET_LABEL}={set},{owner_label}");
    definitions.count_ours(resource, &labels).await
}

/// Whoever may delete the definitions need not be allowed to read what is deleted with them.
pub fn unless_forbidden<T>(counted: Result<T, ApiError>) -> Result<Result<T, ApiError>, CrdError> {
    match counted {
        Err(error) if !matches!(error.failure, Failure::Forbidden(_)) => Err(error.into()),
        counted => Ok(counted),
    }
}
