//! What runs a controller.

use serde_json::json;

use super::{
    Controller, Installed, Parts, Settings,
    container::{PORT, PORT_NAME, container, rate_arguments},
    pod::{self, Keeping},
    resources::{DEPLOYMENTS, DISRUPTION_BUDGETS, SERVICES},
};

/// The objects that run a controller.
pub fn objects(settings: &Settings, controller: Controller) -> Vec<Installed> {
    let replicas = controller.replicas.get();
    let budget = (replicas > 1).then(|| disruption_budget(settings));
    let service = controller.metrics_service.then(|| service(settings));
    let optional = budget.into_iter().chain(service);
    [deployment(settings, replicas)]
        .into_iter()
        .chain(optional)
        .collect()
}

fn deployment(settings: &Settings, replicas: u16) -> Installed {
    let identity = &settings.identity;
    let container = container(settings, "controller", &arguments(settings), true);
    let spec = json!({
        "replicas": replicas,
        "selector": {"matchLabels": identity.selection()},
        "template": pod::template(settings, &container, Keeping::Always),
    });
    identity.workload(&DEPLOYMENTS, identity.name.as_str(), &spec)
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
    let selector = json!({"matchLabels": identity.selection()});
    let spec = json!({"maxUnavailable": 1, "selector": selector});
    identity.workload(&DISRUPTION_BUDGETS, identity.name.as_str(), &spec)
}

fn service(settings: &Settings) -> Installed {
    let identity = &settings.identity;
    let port = json!({"name": PORT_NAME, "port": PORT, "targetPort": PORT_NAME});
    let spec = json!({"selector": identity.selection(), "ports": [port]});
    identity.workload(&SERVICES, &format!("{}-metrics", identity.name), &spec)
}
