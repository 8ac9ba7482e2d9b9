//! CronJobs, of which a run is begun by hand, and a controller that takes their place.

use k8s_openapi::{
    api::batch::v1::{CronJob, Job},
    apimachinery::pkg::apis::meta::v1::ObjectMeta,
};
use kube::{
    Api,
    api::{ListParams, LogParams, PostParams},
};
use serde_json::json;
use test_cluster::BUSYBOX_IMAGE;

use super::{super::pods::wait_for, installation::Installation};
use crate::sandbox::planted;

/// Hardly ever: the runs of these tests are begun by hand.
const SELDOM: &str = "--schedule=0 0 29 2 *";

#[tokio::test]
async fn a_run_copies_with_all_rights_and_with_the_fewest() {
    let Some(installation) = Installation::new("node-cronjob").await else {
        return;
    };
    let sandbox = installation.sandbox();
    sandbox.namespaces(&["source", "team-a"]).await;
    sandbox.create_regcred(&planted("first")).await;
    sandbox.apply_rule(&sandbox.rule()).await;
    let rule = sandbox.name("rule");
    let flags = ["--mode=cronjob", SELDOM, "--only=rules", "--rule", &rule];
    installation.deploy(&flags).await.succeeded();
    let log = Box::pin(installation.run_of(&installation.name(), "first")).await;
    let copied = |team: &str| {
        format!(
            "secret/regcred created in namespace {}\n",
            sandbox.name(team)
        )
    };
    assert!(log.contains(&copied("team-a")), "{log}");
    assert_eq!(sandbox.password("team-a").await, Some(planted("first")));
    installation
        .deploy(&[&flags[..], &["--roles=minimal"]].concat())
        .await
        .succeeded();
    sandbox.namespaces(&["team-b"]).await;
    let log = Box::pin(installation.run_of(&installation.name(), "second")).await;
    assert!(log.contains(&copied("team-b")), "{log}");
    assert_eq!(sandbox.password("team-b").await, Some(planted("first")));
}

#[tokio::test]
async fn rates_are_published_by_a_run() {
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
    let container = json!({
        "image": BUSYBOX_IMAGE,
        "command": ["sh", "-c", "echo $USD"],
        "envFrom": [{"configMapRef": {"name": "eur"}}],
    });
    installation
        .ground()
        .start("consumer", container, json!([]))
        .await;
    assert_eq!(installation.ground().finished("consumer").await, "1.0812\n");
}

impl Installation {
    /// Begins a run of a CronJob as `kubectl create job --from=cronjob/...` does it, waits until it has
    /// succeeded, and gives what it printed.
    async fn run_of(&self, cron_job: &str, name: &str) -> String {
        let cron_jobs: Api<CronJob> = self.sandbox().api("system");
        let cron_job = cron_jobs.get(cron_job).await.expect("it is there");
        let template = cron_job.spec.expect("it has a spec").job_template;
        let job = Job {
            metadata: ObjectMeta {
                name: Some(name.to_owned()),
                ..template.metadata.unwrap_or_default()
            },
            spec: template.spec,
            status: None,
        };
        let jobs: Api<Job> = self.sandbox().api("system");
        let created = jobs.create(&PostParams::default(), &job).await;
        created.expect("the Job is made");
        let has_ended = |job: &Job| succeeded(job) + failed(job) > 0;
        let job = wait_for(&jobs, name, has_ended).await;
        let log = self.log_of_job(name).await;
        assert_eq!(succeeded(&job), 1, "{log}\n{job:#?}");
        log
    }

    async fn log_of_job(&self, name: &str) -> String {
        let selection =
            ListParams::default().labels(&format!("batch.kubernetes.io/job-name={name}"));
        let pods = self
            .pods()
            .list(&selection)
            .await
            .expect("pods can be listed");
        let mut all = String::new();
        for pod in pods {
            let name = pod.metadata.name.expect("a pod has a name");
            let log = self.pods().logs(&name, &LogParams::default()).await;
            all.push_str(&log.expect("the log can be read"));
        }
        all
    }
}

fn succeeded(job: &Job) -> i32 {
    let status = job.status.as_ref();
    status
        .and_then(|status| status.succeeded)
        .unwrap_or_default()
}

fn failed(job: &Job) -> i32 {
    let status = job.status.as_ref();
    status.and_then(|status| status.failed).unwrap_or_default()
}
