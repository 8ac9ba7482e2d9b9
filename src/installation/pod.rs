//! The pods that the program runs in.

use k8s_openapi::{
    api::core::v1::{
        Container, EmptyDirVolumeSource, LocalObjectReference, PodSecurityContext, PodSpec,
        PodTemplateSpec, SeccompProfile, TopologySpreadConstraint, Volume,
    },
    apimachinery::pkg::{api::resource::Quantity, apis::meta::v1::ObjectMeta},
};

use super::{Identity, Settings, container::CACHE, identity::Component};

/// The user of the image, who is nobody on the node.
const USER: i64 = 65_532;

/// How long a controller may take to end what it has begun, and to hand over, in seconds.
const GRACE: i64 = 30;

const CACHE_SIZE: &str = "64Mi";

/// The template of pods with one container.
pub fn template(
    settings: &Settings,
    component: Component,
    container: Container,
) -> PodTemplateSpec {
    PodTemplateSpec {
        metadata: Some(ObjectMeta {
            labels: Some(settings.identity.pod_labels(component)),
            ..ObjectMeta::default()
        }),
        spec: Some(spec(settings, component, container)),
    }
}

fn spec(settings: &Settings, component: Component, container: Container) -> PodSpec {
    let identity = &settings.identity;
    let pull_secret = settings.pull_secret.as_ref();
    let common = PodSpec {
        service_account_name: Some(identity.name.to_string()),
        automount_service_account_token: Some(true),
        enable_service_links: Some(false),
        image_pull_secrets: pull_secret.map(|name| {
            vec![LocalObjectReference {
                name: name.to_string(),
            }]
        }),
        security_context: Some(security_context()),
        containers: vec![container],
        volumes: settings.parts.rates().map(|_| vec![cache()]),
        ..PodSpec::default()
    };
    match component {
        Component::Controller => PodSpec {
            termination_grace_period_seconds: Some(GRACE),
            topology_spread_constraints: Some(vec![spread(identity, component)]),
            ..common
        },
        // A new pod for each try, so that the log of one that failed can be read.
        Component::CronJob => PodSpec {
            restart_policy: Some("Never".to_owned()),
            ..common
        },
    }
}

fn security_context() -> PodSecurityContext {
    PodSecurityContext {
        run_as_non_root: Some(true),
        run_as_user: Some(USER),
        run_as_group: Some(USER),
        seccomp_profile: Some(SeccompProfile {
            type_: "RuntimeDefault".to_owned(),
            localhost_profile: None,
        }),
        ..PodSecurityContext::default()
    }
}

fn spread(identity: &Identity, component: Component) -> TopologySpreadConstraint {
    TopologySpreadConstraint {
        max_skew: 1,
        topology_key: "kubernetes.io/hostname".to_owned(),
        // A pod beside another one is better than none.
        when_unsatisfiable: "ScheduleAnyway".to_owned(),
        label_selector: Some(identity.pod_selector(component)),
        ..TopologySpreadConstraint::default()
    }
}

fn cache() -> Volume {
    Volume {
        name: CACHE.to_owned(),
        empty_dir: Some(EmptyDirVolumeSource {
            size_limit: Some(Quantity(CACHE_SIZE.to_owned())),
            medium: None,
        }),
        ..Volume::default()
    }
}
