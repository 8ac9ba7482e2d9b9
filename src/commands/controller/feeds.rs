//! What gives the controller its rates, and what `ExchangeRate`s may have it read.

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::{
    cli::{KubeFlags, controller, rates},
    commands::{
        CommandError,
        rates::{environment, permissions, punctual_web},
    },
    rates::{RateSource, Setting, provider::Web},
    reconcile::{Due, Pruning},
};

/// What gives rates, and what the runs over all `ExchangeRate`s of the cluster are about.
pub struct Feeds {
    /// What the runs are about.
    pub setting: Setting,
    /// Asks providers.
    pub web: Web,
}

impl Feeds {
    /// What the flags allow; refused before anything is asked of a cluster.
    pub fn new(
        flags: &controller::PermissionFlags,
        kube: &KubeFlags,
    ) -> Result<Self, CommandError> {
        let flags = as_of_rates(flags.clone());
        let setting = Setting {
            source: RateSource::Cluster {
                namespace: None,
                names: BTreeSet::new(),
            },
            pruning: Pruning::ByPolicy,
            due: Due::Everyone,
            asked: Vec::new(),
            now: Timestamp::now(),
            permissions: permissions(&flags)?,
            environment: environment(),
        };
        Ok(Self {
            setting,
            web: punctual_web(&flags, kube)?,
        })
    }
}

/// The same, as the commands about rates have it.
fn as_of_rates(flags: controller::PermissionFlags) -> rates::PermissionFlags {
    let controller::PermissionFlags {
        allow_files,
        allow_urls,
        allow_secrets,
        provider_ca,
    } = flags;
    rates::PermissionFlags {
        provider: Vec::new(),
        no_cache: false,
        provider_ca,
        allow_files,
        allow_urls,
        allow_secrets,
    }
}
