//! What an installation consists of.

use std::{collections::BTreeSet, num::NonZeroU16};

use k8s_openapi::api::{
    apps::v1::Deployment,
    batch::v1::CronJob,
    core::v1::{Namespace as NamespaceObject, Service, ServiceAccount},
    policy::v1::PodDisruptionBudget,
    rbac::v1::{ClusterRole, ClusterRoleBinding, Role, RoleBinding},
};
use serde::de::DeserializeOwned;

use super::*;
use crate::{
    api::yaml,
    installation::{Controller, CronJobs, Identity, Parts, PullPolicy, RateSettings, own_rights},
    reconcile::{CONFIG_MAPS, Manner, Objects, SECRETS, Verb},
};

fn settings(parts: Parts, running: Running) -> Settings {
    Settings {
        identity: Identity {
            name: "copyrator".into(),
            namespace: "system".into(),
        },
        image: "registry.example.com/copyrator:1".parse().unwrap(),
        pull_policy: Some(PullPolicy::IfNotPresent),
        pull_secret: Some("pull".into()),
        requests: "cpu=50m".parse().unwrap(),
        limits: "memory=64Mi".parse().unwrap(),
        parts,
        running,
    }
}

fn rates() -> RateSettings {
    RateSettings {
        urls: vec!["public".to_owned()],
        secrets: false,
    }
}

fn controller(replicas: u16) -> Running {
    Running::Controller(Controller {
        replicas: NonZeroU16::new(replicas).unwrap(),
        metrics_service: true,
    })
}

fn cron_jobs(schedule: &str) -> Running {
    Running::CronJobs(CronJobs {
        timetable: schedule.parse().unwrap(),
    })
}

fn permissions() -> Permissions {
    let mut permissions = own_rights(&"system".into(), &"copyrator".into(), Manner::Watching);
    permissions.allow([Verb::Get], Objects::all(&SECRETS).named("tls".into()));
    let maps = Objects::statuses(&CONFIG_MAPS).within("team-a".into());
    permissions.allow([Verb::Patch], maps);
    permissions
}

fn text(objects: &[Installed]) -> String {
    let manifests: Vec<&Value> = objects.iter().map(|object| &object.manifest).collect();
    yaml::to_yaml_documents(&manifests).unwrap()
}

fn kinds(objects: &[Installed]) -> Vec<String> {
    let kind = |object: &Installed| format!("{}", object.key);
    objects.iter().map(kind).collect()
}

#[test]
fn a_controller_is_a_deployment_with_rights() {
    let parts = Parts::Both(vec!["pull".into()], rates());
    let objects = objects(&settings(parts, controller(3)), &permissions());
    insta::assert_snapshot!(text(&objects));
}

#[test]
fn cron_jobs_run_now_and_then() {
    let parts = Parts::Both(vec!["pull".into()], rates());
    let running = cron_jobs("0 6 * * * Europe/Berlin");
    let objects = objects(&settings(parts, running), &Permissions::default());
    insta::assert_snapshot!(text(&objects));
}

#[test]
fn one_pod_alone_has_no_disruption_budget() {
    let parts = || Parts::Rules(Vec::new());
    let one = objects(&settings(parts(), controller(1)), &permissions());
    let two = objects(&settings(parts(), controller(2)), &permissions());
    let budget = |kinds: Vec<String>| {
        let mut kinds = kinds.into_iter();
        kinds.any(|kind| kind.starts_with("poddisruptionbudget"))
    };
    assert!(!budget(kinds(&one)));
    assert!(budget(kinds(&two)));
}

#[test]
fn each_part_has_its_own_cron_job() {
    for (parts, expected) in [
        (Parts::Rules(Vec::new()), &["copyrator"][..]),
        (Parts::Rates(rates()), &["copyrator-rates"]),
        (
            Parts::Both(Vec::new(), rates()),
            &["copyrator", "copyrator-rates"],
        ),
    ] {
        let objects = objects(
            &settings(parts, cron_jobs("@hourly")),
            &Permissions::default(),
        );
        let jobs = objects
            .iter()
            .filter(|object| object.key.resource.kind == "CronJob");
        let names: Vec<&str> = jobs.map(|object| object.key.name.as_str()).collect();
        assert_eq!(names, expected);
    }
}

#[test]
fn manifests_say_where_their_objects_are() {
    let parts = Parts::Both(Vec::new(), rates());
    for object in objects(&settings(parts, controller(2)), &permissions()) {
        let Installed { key, manifest } = object;
        assert_eq!(manifest["kind"], key.resource.kind);
        assert_eq!(manifest["apiVersion"], key.resource.api_version());
        assert_eq!(manifest["metadata"]["name"], key.name.as_str());
        let namespace = &manifest["metadata"]["namespace"];
        assert_eq!(*namespace, json!(key.namespace), "{key}");
    }
}

/// Reads a manifest as an object of this type, and writes it again: fields that the type lacks are lost,
/// and others of the wrong type are an error.
fn typed<T: DeserializeOwned + Serialize>(manifest: &Value) -> Value {
    let object: T = serde_json::from_value(manifest.clone()).unwrap();
    serde_json::to_value(object).unwrap()
}

#[test]
fn manifests_have_the_fields_of_their_types_and_no_others() {
    let parts = || Parts::Both(vec!["pull".into()], rates());
    let all = [controller(2), cron_jobs("0 6 * * * UTC")]
        .map(|running| objects(&settings(parts(), running), &permissions()));
    let mut kinds = BTreeSet::new();
    for Installed { manifest, .. } in all.concat() {
        let again = match manifest["kind"].as_str().unwrap() {
            "ClusterRole" => typed::<ClusterRole>(&manifest),
            "ClusterRoleBinding" => typed::<ClusterRoleBinding>(&manifest),
            "CronJob" => typed::<CronJob>(&manifest),
            "Deployment" => typed::<Deployment>(&manifest),
            "Namespace" => typed::<NamespaceObject>(&manifest),
            "PodDisruptionBudget" => typed::<PodDisruptionBudget>(&manifest),
            "Role" => typed::<Role>(&manifest),
            "RoleBinding" => typed::<RoleBinding>(&manifest),
            "Service" => typed::<Service>(&manifest),
            "ServiceAccount" => typed::<ServiceAccount>(&manifest),
            kind => panic!("{kind}"),
        };
        assert_eq!(again, manifest);
        kinds.insert(manifest["kind"].to_string());
    }
    assert_eq!(kinds.len(), 10, "{kinds:?}");
}
