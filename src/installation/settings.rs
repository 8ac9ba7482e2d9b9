//! How an installation is to be.

use std::num::NonZeroU16;

use super::{Compute, Identity, Image, Timetable};
use crate::reconcile::{LEASES, Manner, Name, Namespace, Objects, Permissions, Verb};

/// How an installation is to be.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What it is called, and where it runs.
    pub identity: Identity,
    /// The image of the program.
    pub image: Image,
    /// When the image is pulled; as Kubernetes decides when none.
    pub pull_policy: Option<PullPolicy>,
    /// The Secret of its namespace with which the image is pulled.
    pub pull_secret: Option<Name>,
    /// What its containers ask for.
    pub requests: Compute,
    /// What they get at most.
    pub limits: Compute,
    /// What it does.
    pub parts: Parts,
    /// How it runs.
    pub running: Running,
}

/// When an image is pulled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PullPolicy {
    /// At each start.
    Always,
    /// When a node has none.
    IfNotPresent,
    /// Never.
    Never,
}

/// What an installation does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parts {
    /// It copies by these rules.
    Rules(Vec<Name>),
    /// It publishes exchange rates.
    Rates(RateSettings),
    /// It does both.
    Both(Vec<Name>, RateSettings),
}

/// How exchange rates are published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RateSettings {
    /// Which addresses `ExchangeRate`s may name, as the flag `--allow-urls` takes it.
    pub urls: Vec<String>,
    /// Whether they may name Secrets with a provider's key.
    pub secrets: bool,
}

/// How an installation runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Running {
    /// All the time.
    Controller(Controller),
    /// Now and then.
    CronJobs(CronJobs),
}

/// A controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Controller {
    /// How many pods there are, of which one works.
    pub replicas: NonZeroU16,
    /// Whether a Service has its metrics.
    pub metrics_service: bool,
}

/// CronJobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CronJobs {
    /// When they run.
    pub timetable: Timetable,
}

impl PullPolicy {
    /// The policy as manifests have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Always => "Always",
            Self::IfNotPresent => "IfNotPresent",
            Self::Never => "Never",
        }
    }
}

impl Parts {
    /// The names of the rules that it copies by, empty for all of them; none when it doesn't copy.
    pub fn rules(&self) -> Option<&[Name]> {
        match self {
            Self::Rules(names) | Self::Both(names, _) => Some(names),
            Self::Rates(_) => None,
        }
    }

    /// How it publishes rates; none when it doesn't.
    pub fn rates(&self) -> Option<&RateSettings> {
        match self {
            Self::Rates(rates) | Self::Both(_, rates) => Some(rates),
            Self::Rules(_) => None,
        }
    }
}

impl Running {
    /// How the program runs in it.
    pub fn manner(&self) -> Manner {
        match self {
            Self::Controller(_) => Manner::Watching,
            Self::CronJobs(_) => Manner::Once,
        }
    }
}

/// What an installation needs beside what its rules and rates need: a controller's pods agree by a Lease
/// which of them works.
pub fn own_rights(namespace: &Namespace, lease: &Name, manner: Manner) -> Permissions {
    let mut permissions = Permissions::default();
    if manner == Manner::Watching {
        let leases = Objects::all(&LEASES).within(namespace.clone());
        permissions.allow([Verb::Create], leases.clone());
        let reading = manner.reading().iter().copied();
        let verbs = reading.chain([Verb::Update]);
        permissions.allow(verbs, leases.named(lease.clone()));
    }
    permissions
}
