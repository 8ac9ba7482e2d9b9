//! What runs a controller.

use k8s_openapi::{
    api::{
        apps::v1::{Deployment, DeploymentSpec},
        core::v1::{PodTemplateSpec, Service, ServicePort, ServiceSpec, TopologySpreadConstraint},
        policy::v1::{PodDisruptionBudget, PodDisruptionBudgetSpec},
    },
    apimachinery::pkg::util::intstr::IntOrString,
};

use super::{
    Controller, Installed, Parts, Settings,
    container::{PORT, PORT_NAME, container, observable, rate_arguments},
    pod,
    resources::{DEPLOYMENTS, DISRUPTION_BUDGETS, SERVICES},
};
use crate::reconcile::Name;

/// How long a controller may take to end what it has begun, and to hand over.
const GRACE: i64 = 30;

/// The objects that run a controller.
pub fn objects(settings: &Settings, controller: Controller) -> Vec<Installed> {
    let replicas = i32::from(controller.replicas.get());
    let budget = (replicas > 1).then(|| disruption_budget(settings));
    let service = controller.metrics_service.then(|| service(settings));
    let optional = budget.into_iter().chain(service);
    [deployment(settings, replicas)]
        .into_iter()
        .chain(optional)
        .collect()
}

fn deployment(settings: &Settings, replicas: i32) -> Installed {
    let identity = &settings.identity;
    let (namespace, name) = (&identity.namespace, &identity.name);
    let object = Deployment {
        metadata: identity.metadata_in(namespace, name.as_str()),
        spec: Some(DeploymentSpec {
            replicas: Some(replicas),
            selector: identity.selector(),
            template: template(settings),
            ..DeploymentSpec::default()
        }),
        ..Deployment::default()
    };
    Installed::new(&DEPLOYMENTS, Some(namespace.clone()), name.clone(), &object)
}

fn template(settings: &Settings) -> PodTemplateSpec {
    let container = container(settings, "controller", arguments(settings));
    let mut template = pod::template(settings, observable(container));
    if let Some(spec) = &mut template.spec {
        spec.termination_grace_period_seconds = Some(GRACE);
        spec.topology_spread_constraints = Some(vec![TopologySpreadConstraint {
            max_skew: 1,
            topology_key: "kubernetes.io/hostname".to_owned(),
            // A pod beside another one is better than none.
            when_unsatisfiable: "ScheduleAnyway".to_owned(),
            label_selector: Some(settings.identity.selector()),
            ..TopologySpreadConstraint::default()
        }]);
    }
    template
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
    let (namespace, name) = (&identity.namespace, &identity.name);
    let object = PodDisruptionBudget {
        metadata: identity.metadata_in(namespace, name.as_str()),
        spec: Some(PodDisruptionBudgetSpec {
            max_unavailable: Some(IntOrString::Int(1)),
            selector: Some(identity.selector()),
            ..PodDisruptionBudgetSpec::default()
        }),
        ..PodDisruptionBudget::default()
    };
    Installed::new(
        &DISRUPTION_BUDGETS,
        Some(namespace.clone()),
        name.clone(),
        &object,
    )
}

fn service(settings: &Settings) -> Installed {
    let identity = &settings.identity;
    let (namespace, name) = (&identity.namespace, format!("{}-metrics", identity.name));
    let object = Service {
        metadata: identity.metadata_in(namespace, &name),
        spec: Some(ServiceSpec {
            selector: Some(identity.selection()),
            ports: Some(vec![ServicePort {
                name: Some(PORT_NAME.to_owned()),
                port: PORT,
                target_port: Some(IntOrString::String(PORT_NAME.to_owned())),
                ..ServicePort::default()
            }]),
            ..ServiceSpec::default()
        }),
        ..Service::default()
    };
    Installed::new(
        &SERVICES,
        Some(namespace.clone()),
        Name::from(&*name),
        &object,
    )
}
