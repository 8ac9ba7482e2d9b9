//! What runs a controller.

use k8s_openapi::{
    api::{
        apps::v1::{Deployment, DeploymentSpec},
        coordination::v1::Lease,
        core::v1::{Service, ServicePort, ServiceSpec},
        policy::v1::{PodDisruptionBudget, PodDisruptionBudgetSpec},
    },
    apimachinery::pkg::util::intstr::IntOrString,
};

use super::{
    Controller, Installed, Parts, Settings,
    container::{PORT, PORT_NAME, container, rate_arguments},
    identity::Component,
    pod,
    resources::{DEPLOYMENTS, DISRUPTION_BUDGETS, SERVICES},
};
use crate::reconcile::LEASES;

/// The objects that run a controller.
pub fn objects(settings: &Settings, controller: Controller) -> Vec<Installed> {
    let replicas = controller.replicas.get();
    let budget = (replicas > 1).then(|| disruption_budget(settings));
    let service = controller.metrics_service.then(|| service(settings));
    let optional = budget.into_iter().chain(service);
    [lease(settings), deployment(settings, replicas)]
        .into_iter()
        .chain(optional)
        .collect()
}

/// The Lease by which the pods agree which of them works. It has no `spec`: where there is none, the first
/// pod need wait for nobody, and where there is one, its holder's fields aren't ours to change.
fn lease(settings: &Settings) -> Installed {
    let identity = &settings.identity;
    let lease = Lease {
        metadata: identity.own_metadata(identity.name.as_str()),
        spec: None,
    };
    Installed::new(&LEASES, &lease)
}

fn deployment(settings: &Settings, replicas: u16) -> Installed {
    let identity = &settings.identity;
    let container = container(
        settings,
        Component::Controller,
        "controller",
        arguments(settings),
    );
    let deployment = Deployment {
        metadata: identity.own_metadata(identity.name.as_str()),
        spec: Some(DeploymentSpec {
            replicas: Some(replicas.into()),
            selector: identity.pod_selector(Component::Controller),
            template: pod::template(settings, Component::Controller, container),
            ..DeploymentSpec::default()
        }),
        ..Deployment::default()
    };
    Installed::new(&DEPLOYMENTS, &deployment)
}

fn arguments(settings: &Settings) -> Vec<String> {
    let words = ["controller", "run", "--leader-elect"];
    let lease = format!("--lease-name={}", settings.identity.name);
    let only = match settings.parts {
        Parts::Rules(_) => Some("--only=rules"),
        Parts::Rates(_) => Some("--only=rates"),
        Parts::Both(..) => None,
    };
    let rules = settings.parts.rules().unwrap_or_default().iter();
    let rules = rules.map(|name| format!("--rule={name}"));
    let rates = settings.parts.rates().map(rate_arguments);
    let words = words.into_iter().map(str::to_owned);
    words
        .chain([lease, "--log-format=json".to_owned()])
        .chain(only.map(str::to_owned))
        .chain(rules)
        .chain(rates.into_iter().flatten())
        .collect()
}

/// Lets a node be emptied, but never of all the pods at once.
fn disruption_budget(settings: &Settings) -> Installed {
    let identity = &settings.identity;
    let budget = PodDisruptionBudget {
        metadata: identity.own_metadata(identity.name.as_str()),
        spec: Some(PodDisruptionBudgetSpec {
            max_unavailable: Some(IntOrString::Int(1)),
            selector: Some(identity.pod_selector(Component::Controller)),
            ..PodDisruptionBudgetSpec::default()
        }),
        ..PodDisruptionBudget::default()
    };
    Installed::new(&DISRUPTION_BUDGETS, &budget)
}

fn service(settings: &Settings) -> Installed {
    let identity = &settings.identity;
    let port = ServicePort {
        name: Some(PORT_NAME.to_owned()),
        port: PORT.into(),
        target_port: Some(IntOrString::String(PORT_NAME.to_owned())),
        ..ServicePort::default()
    };
    let service = Service {
        metadata: identity.own_metadata(&format!("{}-metrics", identity.name)),
        spec: Some(ServiceSpec {
            selector: Some(identity.pod_labels(Component::Controller)),
            ports: Some(vec![port]),
            ..ServiceSpec::default()
        }),
        ..Service::default()
    };
    Installed::new(&SERVICES, &service)
}
