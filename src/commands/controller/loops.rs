//! The loops of the controller: what each kind of work is, for as long as the controller leads.

use std::{collections::BTreeSet, sync::Arc};

use futures::future::join;
use tokio_util::sync::CancellationToken;
use tracing::{error, info};

use super::{
    announcing::{Announced, Announcing},
    definition::is_served,
};
use crate::{
    cli::{
        KubeFlags,
        controller::{RunArguments, Work},
    },
    cluster::{ApiServer, Definitions, Events},
    copy::{COPYRATOR_RULES, Copies, RuleSource},
    leadership::{Fenced, Term},
    rates::EXCHANGE_RATES,
    reconcile::{self, Monitor, ResourceType, WatchOptions},
    telemetry::{LoopMonitor, Telemetry},
};

/// What all loops work with.
pub struct Ground<'a> {
    /// What was asked for.
    pub arguments: &'a RunArguments,
    /// How the API server is reached, and where answers of providers are kept.
    pub kube: &'a KubeFlags,
    /// Publishes Events.
    pub events: &'a Events,
    /// Where everything is.
    pub server: &'a ApiServer,
    /// The definitions of the custom resources.
    pub definitions: &'a Definitions,
    /// Counts, and tells the health.
    pub telemetry: &'a Telemetry,
    /// Ends the loops, once what they have begun is done.
    pub stop: &'a CancellationToken,
}

impl Work {
    /// What it is called in the log and in the metrics.
    fn domain(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Rates => "rates",
        }
    }

    fn resource(self) -> &'static ResourceType {
        match self {
            Self::Rules => &COPYRATOR_RULES,
            Self::Rates => &EXCHANGE_RATES,
        }
    }
}

impl Ground<'_> {
    /// Works at all that was asked for until it is stopped, and only during the term.
    pub async fn work(&self, term: &Term) {
        let announcing = Announcing::default();
        let done = CancellationToken::new();
        let work = async {
            join(
                self.work_at(Work::Rules, term, &announcing),
                self.work_at(Work::Rates, term, &announcing),
            )
            .await;
            done.cancel();
        };
        join(work, announcing.publish(self.events, &done)).await;
    }

    async fn work_at(&self, work: Work, term: &Term, announcing: &Announcing) {
        let only = &self.arguments.only;
        if !only.is_empty() && !only.contains(&work) {
            return;
        }
        let Self {
            definitions,
            telemetry,
            ..
        } = self;
        let mut monitor = Announced {
            monitor: LoopMonitor::new(work.domain(), (*telemetry).clone()),
            announcing,
        };
        let served = is_served(
            work.domain(),
            work.resource(),
            definitions,
            &telemetry.health,
        );
        tokio::select! {
            () = self.stop.cancelled() => return,
            () = served => {}
        }
        let cluster = Fenced::new(self.server, term);
        match work {
            Work::Rules => self.follow_rules(&cluster, &mut monitor).await,
            Work::Rates => {
                if let Err(error) = self.follow_rates(&cluster, &mut monitor).await {
                    error!(domain = work.domain(), %error, "ended");
                }
            }
        }
    }

    pub(super) fn options(&self) -> WatchOptions {
        WatchOptions {
            parallelism: self.arguments.parallelism.into(),
            resync: self.arguments.resync,
        }
    }

    async fn follow_rules(&self, cluster: &Fenced<'_, ApiServer>, monitor: &mut dyn Monitor) {
        let rules = self.arguments.rules.iter();
        let names: BTreeSet<Arc<str>> = rules
            .map(|name| name.trim())
            .filter(|name| !name.is_empty())
            .map(Arc::from)
            .collect();
        let source = RuleSource::Cluster { names };
        let fresh = || Copies::new(source.clone(), true).of_rules_to_come();
        let ended = reconcile::watch(&fresh, cluster, self.options(), self.stop, monitor).await;
        let (not_reached, troubled) = (ended.not_reached, ended.troubled);
        info!(
            domain = Work::Rules.domain(),
            not_reached, troubled, "stopped"
        );
    }
}
