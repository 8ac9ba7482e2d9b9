//! Reads the `ExchangeRate`s of a cluster, to say something about them without asking for rates.

use super::{RatesError, loaded::LoadedRate, source::EXCHANGE_RATES};
use crate::{
    api::ExchangeRate,
    reconcile::{Cluster, Depth, Pace, Query, RawObject, list},
};

/// The `ExchangeRate`s of a cluster.
#[derive(Clone, Debug, Default)]
pub struct ClusterRates {
    /// Those that can be used.
    pub rates: Vec<ExchangeRate>,
    /// The namespaces and names of those that can't, and why not.
    pub unusable: Vec<(String, String)>,
}

impl ClusterRates {
    /// Reads them all.
    pub async fn read<C: Cluster>(cluster: &C, pace: &Pace) -> Result<Self, RatesError> {
        let query = Query::all(&EXCHANGE_RATES, Depth::Full);
        let read = |object: RawObject<'_>| LoadedRate::parse(object, &[]).map(Some);
        let loaded = list(cluster, pace, &query, read).await;
        let loaded = loaded.map_err(|error| {
            if error.failure.is_unknown_resource() {
                RatesError::NotInstalled
            } else {
                RatesError::Api(error)
            }
        })?;
        let mut rates = Self::default();
        for loaded in loaded.objects {
            let LoadedRate {
                owner,
                wish,
                unchecked,
                ..
            } = loaded;
            match wish {
                Ok(_) => rates.rates.extend(unchecked.map(|rate| *rate)),
                Err(problem) => rates.unusable.push((owner.path(), problem)),
            }
        }
        Ok(rates)
    }
}
