//! What a run over exchange rates is about, from its arguments.

use std::collections::BTreeSet;

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
    rates::{ExchangeRates, RateSource, Setting, provider::Web},
    reconcile::{Due, Pruning},
};

/// What runs over all `ExchangeRate`s of the cluster are about.
pub fn cluster_setting(flags: &PermissionFlags) -> Result<Setting, CommandError> {
    Ok(Setting {
        source: RateSource::Cluster {
            namespace: None,
            names: BTreeSet::new(),
        },
        pruning: Pruning::ByPolicy,
        due: Due::Everyone,
        asked: asked(flags)?,
        now: Timestamp::now(),
        permissions: permissions(flags)?,
        environment: environment(),
    })
}

/// What a run over the `ExchangeRate`s of the arguments is about, now and for all of them.
pub fn setting(
    given: Given,
    rates: &RateFlags,
    flags: &PermissionFlags,
    reconcile: &ReconcileFlags,
    default_namespace: &str,
) -> Result<Setting, CommandError> {
    Ok(Setting {
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
    })
}

/// The ConfigMaps that the `ExchangeRate`s of the arguments want.
pub fn exchange_rates(
    given: Given,
    rates: &RateFlags,
    flags: &PermissionFlags,
    reconcile: &ReconcileFlags,
    kube: &KubeFlags,
    default_namespace: &str,
) -> Result<ExchangeRates<Web>, CommandError> {
    let setting = setting(given, rates, flags, reconcile, default_namespace)?;
    Ok(ExchangeRates::new(setting, web(flags, kube)?))
}
