//! What a run over exchange rates is about, from its arguments.

use jiff::Timestamp;

use super::{
    source::Given,
    web::{asked, environment, permissions, web},
};
use crate::{
    cli::{
        KubeFlags, ReconcileFlags,
        rates::{PermissionFlags, RateFlags},
    },
    commands::CommandError,
    rates::{ExchangeRates, Setting, provider::Web},
    reconcile::{Due, Pruning},
};

/// The ConfigMaps that the `ExchangeRate`s of the arguments want.
pub fn exchange_rates(
    given: Given,
    rates: &RateFlags,
    flags: &PermissionFlags,
    reconcile: &ReconcileFlags,
    kube: &KubeFlags,
    default_namespace: &str,
) -> Result<ExchangeRates<Web>, CommandError> {
    let setting = Setting {
        source: given.source(rates, reconcile.prune_set, default_namespace)?,
        pruning: if reconcile.prune {
            Pruning::ByPolicy
        } else {
            Pruning::Off
        },
        due: Due::Everyone,
        asked: asked(flags)?,
        now: Timestamp::now(),
        permissions: permissions(flags)?,
        environment: environment(),
    };
    Ok(ExchangeRates::new(setting, web(flags, kube)?))
}
