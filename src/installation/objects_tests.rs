//! What an installation consists of.

use std::num::NonZeroU16;

use k8s_openapi::api::{apps::v1::Deployment, batch::v1::CronJob};
use serde::de::DeserializeOwned;
use serde_json::json;

use super::*;
use crate::{
    api::yaml,
    installation::{Controller, CronJobs, Identity, Parts, PullPolicy, RateSettings, own_rights},
    reconcile::{CONFIG_MAPS, LEASES, Manner, Objects, SECRETS, Verb},
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

/// All that an installation may consist of, as a controller and as CronJobs.
fn all() -> Vec<Installed> {
    let parts = || Parts::Both(vec!["pull".into()], rates());
    let each = [controller(2), cron_jobs("0 6 * * * UTC")]
        .map(|running| objects(&settings(parts(), running), &permissions()));
    each.concat()
}

#[test]
fn what_is_left_open_is_not_in_a_manifest() {
    for Installed { key, manifest } in all() {
        assert!(!manifest.to_string().contains("null"), "{key}: {manifest}");
    }
}

#[test]
fn a_lease_says_nothing_about_its_holder() {
    let is_lease = |object: &Installed| object.key.resource == &LEASES;
    let objects = all();
    let (lease, deployment) = (
        objects.iter().position(is_lease).unwrap(),
        objects
            .iter()
            .position(|object| object.key.resource.kind == "Deployment")
            .unwrap(),
    );
    assert!(lease < deployment, "it is there before the first pod");
    assert_eq!(objects[lease].manifest.get("spec"), None);
    let leases = objects.iter().filter(|object| is_lease(object));
    assert_eq!(leases.count(), 1, "CronJobs have none");
}

/// The object of this kind that all have.
fn read<T: DeserializeOwned>(kind: &str) -> T {
    let all = all();
    let mut found = all.iter().filter(|object| object.key.resource.kind == kind);
    serde_json::from_value(found.next().unwrap().manifest.clone()).unwrap()
}

#[test]
fn what_selects_the_pods_of_a_controller_selects_none_of_a_cron_job() {
    let cron_job: CronJob = read("CronJob");
    let template = cron_job.spec.unwrap().job_template.spec.unwrap().template;
    let labels = json!(template.metadata.unwrap().labels);
    let deployment: Deployment = read("Deployment");
    let deployed = deployment.spec.unwrap().template.metadata.unwrap().labels;
    let mut selectors = 0;
    for Installed { key, manifest } in all() {
        let spec = &manifest["spec"];
        let spread = &spec["template"]["spec"]["topologySpreadConstraints"][0];
        let selected = [
            &spec["selector"]["matchLabels"],
            &spread["labelSelector"]["matchLabels"],
        ];
        let service = (key.resource.kind == "Service").then_some(&spec["selector"]);
        let selected = selected.into_iter().chain(service);
        for selected in selected.filter_map(Value::as_object) {
            let selects = |labels: &Value| {
                let mut wanted = selected.iter();
                wanted.all(|(key, value)| labels[key] == *value)
            };
            assert!(selects(&json!(deployed)), "{key}");
            assert!(!selects(&labels), "{key}");
            selectors += 1;
        }
    }
    assert_eq!(selectors, 4, "of Deployment, spread, budget and Service");
}
