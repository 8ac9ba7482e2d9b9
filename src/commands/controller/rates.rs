//! The loop over `ExchangeRate`s: what it may read, and what is measured of it.

use jiff::{Timestamp, tz::TimeZone};

use super::loops::Ground;
use crate::{
    cli::{controller, rates::PermissionFlags},
    cluster::ApiServer,
    commands::{
        CommandError,
        rates::{cluster_setting, punctual_web},
    },
    leadership::Fenced,
    rates::{Answered, Freshness, RateState, RatesMonitor, Refreshing},
    reconcile::{Depth, Monitor, Owner, repeat},
    telemetry::{Metrics, RateMeasure},
};

/// What objects of the cluster may have the controller read. Only objects name providers here.
fn flags(flags: &controller::PermissionFlags) -> PermissionFlags {
    PermissionFlags {
        provider: Vec::new(),
        no_cache: false,
        provider_ca: flags.provider_ca.clone(),
        allow_files: flags.allow_files.clone(),
        allow_urls: flags.allow_urls.clone(),
        allow_secrets: flags.allow_secrets,
    }
}

impl Ground<'_> {
    /// Keeps rates fresh until it is stopped.
    pub(super) async fn follow_rates(
        &self,
        cluster: &Fenced<'_, ApiServer>,
        monitor: &mut dyn Monitor,
    ) -> Result<(), CommandError> {
        let flags = flags(&self.arguments.permissions);
        let setting = cluster_setting(&flags)?;
        let web = punctual_web(&flags, self.kube)?;
        let mut measured = Measured(&self.telemetry.metrics);
        let refreshing = Refreshing::new(setting, &web, &mut measured);
        let (options, stop) = (self.options(), self.stop);
        repeat(
            &refreshing,
            cluster,
            Depth::Metadata,
            options,
            stop,
            monitor,
        )
        .await;
        Ok(())
    }

    /// Refuses flags that make no sense before anything is begun.
    pub(super) fn check_rates(&self) -> Result<(), CommandError> {
        let flags = flags(&self.arguments.permissions);
        cluster_setting(&flags)?;
        punctual_web(&flags, self.kube)?;
        Ok(())
    }
}

struct Measured<'a>(&'a Metrics);

impl RatesMonitor for Measured<'_> {
    fn answered(&mut self, answered: &Answered) {
        let provider = answered.provider.name();
        let at = answered.at.as_second();
        self.0.rates.count_answer(provider, answered.failure, at);
    }

    fn state(&mut self, owner: &Owner, state: &RateState) {
        let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
        let day = state.as_of.and_then(|day| day.to_zoned(TimeZone::UTC).ok());
        let measure = RateMeasure {
            day: day.map(|day| Timestamp::from(day).as_second()),
            is_stale: matches!(state.freshness(today), Some(Freshness::Stale { .. })),
            is_ready: state.is_ready,
        };
        let (namespace, name) = place(owner);
        self.0.rates.set_state(namespace, name, measure);
    }

    fn gone(&mut self, owner: &Owner) {
        let (namespace, name) = place(owner);
        self.0.rates.forget(namespace, name);
    }
}

/// Whoever looks after them next tells how they are.
impl Drop for Measured<'_> {
    fn drop(&mut self) {
        self.0.rates.forget_all();
    }
}

fn place(owner: &Owner) -> (&str, &str) {
    let namespace = owner.namespace.as_ref();
    (
        namespace.map_or("", |namespace| namespace.as_str()),
        &owner.name,
    )
}
