//! The container that the program runs in.

use k8s_openapi::{
    api::core::v1::{
        Capabilities, Container, ContainerPort, EnvVar, EnvVarSource, HTTPGetAction,
        ObjectFieldSelector, Probe, ResourceRequirements, SecurityContext, VolumeMount,
    },
    apimachinery::pkg::util::intstr::IntOrString,
};

use super::{PullPolicy, RateSettings, Settings, identity::Component};

/// The port that has the health and the metrics of a controller.
pub const PORT: u16 = 8080;

/// The name of [`PORT`].
pub const PORT_NAME: &str = "http";

/// The volume that keeps the answers of providers, so that a container that starts anew needn't ask again.
pub const CACHE: &str = "cache";

const CACHE_FOLDER: &str = "/cache";

/// A container that runs the program with these arguments; a controller's tells of its health.
pub fn container(
    settings: &Settings,
    component: Component,
    name: &str,
    arguments: Vec<String>,
) -> Container {
    let caches = settings.parts.rates().is_some();
    let policy = settings.pull_policy.map(PullPolicy::name);
    let common = Container {
        name: name.to_owned(),
        image: Some(settings.image.to_string()),
        image_pull_policy: policy.map(str::to_owned),
        args: Some(arguments),
        env: Some(environment(caches)),
        resources: Some(ResourceRequirements {
            requests: Some(settings.requests.quantities()),
            limits: Some(settings.limits.quantities()),
            claims: None,
        }),
        security_context: Some(security_context()),
        volume_mounts: caches.then(|| vec![cache()]),
        ..Container::default()
    };
    match component {
        Component::Controller => observable(common),
        Component::CronJob => common,
    }
}

/// The flags that say how rates are published.
pub fn rate_arguments(rates: &RateSettings) -> Vec<String> {
    let urls = rates.urls.iter().map(|url| format!("--allow-urls={url}"));
    let secrets = (!rates.secrets).then(|| "--allow-secrets=false".to_owned());
    urls.chain(secrets).collect()
}

/// The same container, whose health is asked for.
fn observable(container: Container) -> Container {
    Container {
        ports: Some(vec![ContainerPort {
            name: Some(PORT_NAME.to_owned()),
            container_port: PORT.into(),
            ..ContainerPort::default()
        }]),
        liveness_probe: Some(Probe {
            failure_threshold: Some(3),
            ..probe("/healthz", 20)
        }),
        readiness_probe: Some(probe("/readyz", 10)),
        ..container
    }
}

fn probe(path: &str, period: i32) -> Probe {
    Probe {
        http_get: Some(HTTPGetAction {
            path: Some(path.to_owned()),
            port: IntOrString::String(PORT_NAME.to_owned()),
            ..HTTPGetAction::default()
        }),
        period_seconds: Some(period),
        ..Probe::default()
    }
}

/// What the Pod Security Standard `restricted` asks of a container.
/// Source: <https://kubernetes.io/docs/concepts/security/pod-security-standards/>
fn security_context() -> SecurityContext {
    SecurityContext {
        allow_privilege_escalation: Some(false),
        capabilities: Some(Capabilities {
            drop: Some(vec!["ALL".to_owned()]),
            add: None,
        }),
        read_only_root_filesystem: Some(true),
        ..SecurityContext::default()
    }
}

fn cache() -> VolumeMount {
    VolumeMount {
        name: CACHE.to_owned(),
        mount_path: CACHE_FOLDER.to_owned(),
        ..VolumeMount::default()
    }
}

fn environment(caches: bool) -> Vec<EnvVar> {
    let namespace = EnvVar {
        name: "NAMESPACE".to_owned(),
        value_from: Some(EnvVarSource {
            field_ref: Some(ObjectFieldSelector {
                field_path: "metadata.namespace".to_owned(),
                api_version: None,
            }),
            ..EnvVarSource::default()
        }),
        value: None,
    };
    let cache = caches.then(|| EnvVar {
        name: "KUBECACHEDIR".to_owned(),
        value: Some(CACHE_FOLDER.to_owned()),
        value_from: None,
    });
    [namespace].into_iter().chain(cache).collect()
}
