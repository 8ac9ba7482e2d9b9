//! Rates: published by a run of a CronJob, and kept as they should be by a controller.

use std::collections::BTreeMap;

use jiff::{Timestamp, tz::TimeZone};
use k8s_openapi::api::core::v1::{ConfigMap, Pod};
use kube::{
    Api, ResourceExt,
    api::{DeleteParams, ListParams, Patch, PatchParams},
};
use serde_json::json;
use test_cluster::BUSYBOX_IMAGE;

use super::{
    super::pods::wait_for,
    cron_job::SELDOM,
    installation::{Installation, is_ready},
};
use crate::sandbox::{configmap, eventually};

/// One installation after the other, since each has all `ExchangeRate`s of the cluster to look after.
#[tokio::test]
async fn they_are_published_by_a_run_and_then_kept_by_a_controller() {
    let Some(installation) = Installation::new("node-rates").await else {
        return;
    };
    let url = installation.serve_rates("1.0812").await;
    installation.want_rates(&url);
    let allowed = format!("--allow-urls={url}");
    let flags = ["--only=rates", &allowed];
    let as_jobs = ["--mode=cronjob", SELDOM];
    installation
        .deploy(&[&flags[..], &as_jobs].concat())
        .await
        .succeeded();
    let name = format!("{}-rates", installation.name());
    let log = Box::pin(installation.run_of(&name, "first")).await;
    assert!(!log.to_lowercase().contains("cache"), "{log}");
    installation.are_consumed("1.0812\n").await;
    let as_controller = ["--replicas=1"];
    installation
        .deploy(&[&flags[..], &as_controller].concat())
        .await
        .succeeded();
    installation.keeps_rates().await;
}

impl Installation {
    /// Asserts that a pod has this from the published rates.
    async fn are_consumed(&self, expected: &str) {
        let container = json!({
            "image": BUSYBOX_IMAGE,
            "command": ["sh", "-c", "echo $USD"],
            "envFrom": [{"configMapRef": {"name": "eur"}}],
        });
        let ground = self.ground();
        ground.start("consumer", container, json!([])).await;
        assert_eq!(ground.finished("consumer").await, expected);
    }

    /// Asserts that the controller puts right what somebody deletes or edits.
    async fn keeps_rates(&self) {
        // The pod of the run that has ended is the installation's, too, and never becomes ready.
        let is_there = |pods: &[&Pod]| pods.iter().any(|pod| is_ready(pod));
        eventually(&self.pods(), self.own_pods(), is_there).await;
        let first = self.published(|_| true).await;
        let configmaps: Api<ConfigMap> = self.sandbox().api("shop");
        let deleted = configmaps.delete("eur", &DeleteParams::default()).await;
        deleted.expect("the ConfigMap is deleted");
        let second = self.published(|found| found.uid() != first.uid()).await;
        assert_eq!(rates(&second), rates(&first));
        let edit = Patch::Merge(json!({"data": {"USD": "2"}}));
        let edited = configmaps
            .patch("eur", &PatchParams::default(), &edit)
            .await;
        assert_eq!(usd(&edited.expect("the ConfigMap is edited")), Some("2"));
        let third = self.published(|found| usd(found) != Some("2")).await;
        assert_eq!(rates(&third), rates(&first));
        assert_eq!(third.uid(), second.uid(), "it is changed, not made anew");
    }
}

/// The values that are published of the dollar.
fn rates(configmap: &ConfigMap) -> BTreeMap<&str, &str> {
    let data = configmap.data.iter().flatten();
    let data = data.map(|(key, value)| (key.as_str(), value.as_str()));
    data.filter(|(key, _)| key.starts_with("USD")).collect()
}

fn usd(configmap: &ConfigMap) -> Option<&str> {
    rates(configmap).get("USD").copied()
}

impl Installation {
    /// The ConfigMap of the rates, as soon as there is one of which this holds.
    async fn published(&self, holds: impl Fn(&ConfigMap) -> bool) -> ConfigMap {
        let configmaps: Api<ConfigMap> = self.sandbox().api("shop");
        let selection = ListParams::default().fields("metadata.name=eur");
        eventually(&configmaps, selection, |found| {
            found.first().copied().is_some_and(&holds)
        })
        .await;
        configmaps.get("eur").await.expect("it is there")
    }

    /// Serves today's rate of the dollar from a pod; the address.
    pub async fn serve_rates(&self, usd: &str) -> String {
        let date = Timestamp::now().to_zoned(TimeZone::UTC).date();
        let rates = json!({"base": "EUR", "date": date.to_string(), "rates": {"USD": usd}});
        let served = configmap("served", &[("rates.json", &rates.to_string())]);
        self.sandbox().create_configmap("shop", &served).await;
        let container = json!({
            "image": BUSYBOX_IMAGE,
            "command": ["httpd", "-f", "-p", "8000", "-h", "/served"],
            "volumeMounts": [{"name": "served", "mountPath": "/served"}],
            "readinessProbe": {"tcpSocket": {"port": 8000}, "periodSeconds": 1},
        });
        let volumes = json!([{"name": "served", "configMap": {"name": "served"}}]);
        self.ground().start("provider", container, volumes).await;
        let pods: Api<Pod> = self.sandbox().api("shop");
        let pod = wait_for(&pods, "provider", is_ready).await;
        let address = pod.status.and_then(|status| status.pod_ip);
        format!(
            "http://{}:8000/rates.json",
            address.expect("it has an address")
        )
    }

    /// Makes an `ExchangeRate` that asks this address.
    pub fn want_rates(&self, url: &str) {
        let namespace = self.sandbox().name("shop");
        let manifest = format!(
            "apiVersion: copyrator.dev/v1alpha1\nkind: ExchangeRate\n\
             metadata: {{name: eur, namespace: {namespace}}}\n\
             spec: {{currency: USD, providers: [{{type: URL, url: '{url}'}}]}}\n"
        );
        self.kubectl(&["apply", "-f", "-"], &manifest);
    }
}
