//! CronJobs, of which a run is begun by hand.

use k8s_openapi::{
    api::batch::v1::{CronJob, Job},
    apimachinery::pkg::apis::meta::v1::ObjectMeta,
};
use kube::{
    Api,
    api::{ListParams, LogParams, PostParams},
};

use super::{super::pods::wait_for, installation::Installation};
use crate::sandbox::planted;

/// Hardly ever: the runs of these tests are begun by hand.
pub const SELDOM: &str = "--schedule=0 0 29 2 *";

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

impl Installation {
    /// Begins a run of a CronJob as `kubectl create job --from=cronjob/...` does it, waits until it has
    /// succeeded, and gives what it printed.
    pub async fn run_of(&self, cron_job: &str, name: &str) -> String {
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
