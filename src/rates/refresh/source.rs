//! Where `ExchangeRate`s come from: the cluster, or files.

use std::{collections::BTreeSet, sync::Arc};

use crate::{
    api::ExchangeRate,
    reconcile::{
        CONFIG_MAPS, Collection, Depth, Loaded, Namespace, OwnerName, Query, ResourceType, SetName,
    },
};

/// `ExchangeRate`s.
pub static EXCHANGE_RATES: ResourceType = ResourceType {
    group: "copyrator.dev",
    version: "v1alpha1",
    kind: "ExchangeRate",
    plural: "exchangerates",
    singular: "exchangerate",
};

/// Where the `ExchangeRate`s of a run come from.
#[derive(Clone, Debug)]
pub enum RateSource {
    /// The cluster: those of all namespaces, or of one.
    Cluster {
        /// The namespace; none for all.
        namespace: Option<Namespace>,
        /// The names asked for; empty for all. There are none without a namespace.
        names: BTreeSet<Arc<str>>,
    },
    /// Files, already read and validated.
    Files {
        /// The `ExchangeRate`s, all with a namespace.
        rates: Vec<ExchangeRate>,
        /// The set that they belong to.
        set: SetName,
        /// Whether they are the whole set: one that isn't among them doesn't exist any more.
        whole: bool,
    },
}

/// Up to so many namespaces are listed one by one: somebody with files may have no right to list all.
const NAMESPACES_LISTED_SINGLY: usize = 8;

impl RateSource {
    /// The set that they belong to.
    pub fn set(&self) -> SetName {
        match self {
            Self::Cluster { .. } => SetName::cluster(),
            Self::Files { set, .. } => set.clone(),
        }
    }

    /// Whether they are objects of the cluster.
    pub fn is_cluster(&self) -> bool {
        matches!(self, Self::Cluster { .. })
    }

    /// Which owners a run with these acts for.
    pub fn loaded(&self) -> Loaded {
        match self {
            Self::Cluster { namespace, names } if !names.is_empty() => {
                let names = names.iter().cloned();
                Loaded::Only(names.map(|name| (namespace.clone(), name)).collect())
            }
            Self::Cluster {
                namespace: Some(namespace),
                ..
            } => Loaded::InNamespace(namespace.clone()),
            Self::Cluster { .. } | Self::Files { whole: true, .. } => Loaded::WholeSet,
            Self::Files { rates, .. } => Loaded::Only(rates.iter().map(owner_name).collect()),
        }
    }

    /// Where the ConfigMaps are that publish their rates.
    pub fn collections(&self) -> Vec<Collection> {
        let namespaces = self.namespaces();
        let in_one = |namespace| Collection {
            name: None,
            resource: &CONFIG_MAPS,
            namespace,
        };
        match namespaces {
            None => vec![in_one(None)],
            Some(all) => all.into_iter().map(|one| in_one(Some(one))).collect(),
        }
    }

    /// The list that they are read from; none for files.
    pub fn query(&self) -> Option<Query> {
        let Self::Cluster { namespace, .. } = self else {
            return None;
        };
        Some(Query {
            namespace: namespace.clone(),
            ..Query::all(&EXCHANGE_RATES, Depth::Full)
        })
    }

    /// The namespaces that the run is about; none for all of them.
    fn namespaces(&self) -> Option<BTreeSet<Namespace>> {
        match self {
            Self::Cluster { namespace, .. } => namespace.clone().map(|one| [one].into()),
            Self::Files { whole: true, .. } => None,
            Self::Files { rates, .. } => {
                let namespaces = rates.iter().filter_map(|rate| owner_name(rate).0);
                let namespaces: BTreeSet<Namespace> = namespaces.collect();
                (namespaces.len() <= NAMESPACES_LISTED_SINGLY).then_some(namespaces)
            }
        }
    }
}

fn owner_name(rate: &ExchangeRate) -> OwnerName {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let namespace = Namespace::from(text(&rate.metadata.namespace).as_str());
    (Some(namespace), text(&rate.metadata.name).into())
}
