//! The pods that the program runs in.

use k8s_openapi::{
    api::core::v1::{
        Container, EmptyDirVolumeSource, LocalObjectReference, PodSecurityContext, PodSpec,
        PodTemplateSpec, SeccompProfile, Volume,
    },
    apimachinery::pkg::{api::resource::Quantity, apis::meta::v1::ObjectMeta},
};

use super::{Settings, container::CACHE};

/// The user of the image, who is nobody on the node.
const USER: i64 = 65_532;

/// The template of pods with one container.
pub fn template(settings: &Settings, container: Container) -> PodTemplateSpec {
    PodTemplateSpec {
        metadata: Some(ObjectMeta {
            labels: Some(settings.identity.selection()),
            ..ObjectMeta::default()
        }),
        spec: Some(spec(settings, container)),
    }
}

fn spec(settings: &Settings, container: Container) -> PodSpec {
    PodSpec {
        service_account_name: Some(settings.identity.name.to_string()),
        automount_service_account_token: Some(true),
        enable_service_links: Some(false),
        image_pull_secrets: settings.pull_secret.as_ref().map(|name| {
            vec![LocalObjectReference {
                name: name.to_string(),
            }]
        }),
        security_context: Some(PodSecurityContext {
            run_as_non_root: Some(true),
            run_as_user: Some(USER),
            run_as_group: Some(USER),
            seccomp_profile: Some(SeccompProfile {
                type_: "RuntimeDefault".to_owned(),
                ..SeccompProfile::default()
            }),
            ..PodSecurityContext::default()
        }),
        volumes: settings.parts.rates().map(|_| vec![cache()]),
        containers: vec![container],
        ..PodSpec::default()
    }
}

fn cache() -> Volume {
    Volume {
        name: CACHE.to_owned(),
        empty_dir: Some(EmptyDirVolumeSource {
            size_limit: Some(Quantity("64Mi".to_owned())),
            ..EmptyDirVolumeSource::default()
        }),
        ..Volume::default()
    }
}
