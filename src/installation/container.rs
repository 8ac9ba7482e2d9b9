//! The container that the program runs in.

use k8s_openapi::{
    api::core::v1::{
        Capabilities, Container, ContainerPort, EnvVar, EnvVarSource, HTTPGetAction,
        ObjectFieldSelector, Probe, ResourceRequirements, SecurityContext, VolumeMount,
    },
    apimachinery::pkg::util::intstr::IntOrString,
};

use super::{PullPolicy, RateSettings, Settings};

/// The port that has the health and the metrics of a controller.
pub const PORT: i32 = 8080;

/// The name of [`PORT`].
pub const PORT_NAME: &str = "http";

/// The volume that keeps the answers of providers, so that a container that starts anew needn't ask again.
pub const CACHE: &str = "cache";

const CACHE_FOLDER: &str = "/cache";

/// A container that runs the program with these arguments.
pub fn container(settings: &Settings, name: &str, arguments: Vec<String>) -> Container {
    let caches = settings.parts.rates().is_some();
    Container {
        name: name.to_owned(),
        image: Some(settings.image.to_string()),
        image_pull_policy: settings
            .pull_policy
            .map(PullPolicy::name)
            .map(str::to_owned),
        args: Some(arguments),
        env: Some(environment(caches)),
        resources: Some(ResourceRequirements {
            requests: settings.requests.quantities(),
            limits: settings.limits.quantities(),
            ..ResourceRequirements::default()
        }),
        security_context: Some(restricted()),
        volume_mounts: caches.then(|| vec![cache_mount()]),
        ..Container::default()
    }
}

/// A container that tells of its health.
pub fn observable(container: Container) -> Container {
    Container {
        ports: Some(vec![ContainerPort {
            name: Some(PORT_NAME.to_owned()),
            container_port: PORT,
            ..ContainerPort::default()
        }]),
        liveness_probe: Some(Probe {
            period_seconds: Some(20),
            failure_threshold: Some(3),
            ..probe("/healthz")
        }),
        readiness_probe: Some(Probe {
            period_seconds: Some(10),
            ..probe("/readyz")
        }),
        ..container
    }
}

/// The flags that say how rates are published.
pub fn rate_arguments(rates: &RateSettings) -> Vec<String> {
    let urls = rates.urls.iter().map(|url| format!("--allow-urls={url}"));
    let secrets = (!rates.secrets).then(|| "--allow-secrets=false".to_owned());
    urls.chain(secrets).collect()
}

fn environment(caches: bool) -> Vec<EnvVar> {
    let namespace = EnvVar {
        name: "NAMESPACE".to_owned(),
        value_from: Some(EnvVarSource {
            field_ref: Some(ObjectFieldSelector {
                field_path: "metadata.namespace".to_owned(),
                ..ObjectFieldSelector::default()
            }),
            ..EnvVarSource::default()
        }),
        ..EnvVar::default()
    };
    let cache = EnvVar {
        name: "KUBECACHEDIR".to_owned(),
        value: Some(CACHE_FOLDER.to_owned()),
        ..EnvVar::default()
    };
    let cache = caches.then_some(cache);
    [namespace].into_iter().chain(cache).collect()
}

fn cache_mount() -> VolumeMount {
    VolumeMount {
        name: CACHE.to_owned(),
        mount_path: CACHE_FOLDER.to_owned(),
        ..VolumeMount::default()
    }
}

/// What the Pod Security Standard `restricted` asks of a container.
/// Source: <https://kubernetes.io/docs/concepts/security/pod-security-standards/>
fn restricted() -> SecurityContext {
    SecurityContext {
        allow_privilege_escalation: Some(false),
        capabilities: Some(Capabilities {
            drop: Some(vec!["ALL".to_owned()]),
            ..Capabilities::default()
        }),
        read_only_root_filesystem: Some(true),
        ..SecurityContext::default()
    }
}

fn probe(path: &str) -> Probe {
    Probe {
        http_get: Some(HTTPGetAction {
            path: Some(path.to_owned()),
            port: IntOrString::String(PORT_NAME.to_owned()),
            ..HTTPGetAction::default()
        }),
        ..Probe::default()
    }
}
