//! What runs the program now and then.

use k8s_openapi::api::{
    batch::v1::{CronJob, CronJobSpec, JobSpec, JobTemplateSpec},
    core::v1::PodTemplateSpec,
};

use super::{
    CronJobs, Installed, RateSettings, Settings,
    container::{container, rate_arguments},
    pod,
    resources::CRON_JOBS,
};
use crate::reconcile::Name;

/// What the name of the CronJob has at its end that publishes rates.
pub const RATES_SUFFIX: &str = "-rates";

/// How often a run that failed is begun anew before the next one is due.
const RETRIES: i32 = 2;

/// How long a run may take: one that hangs would keep the next ones from coming.
const LONGEST_RUN: i64 = 3600;

/// How long a run that is over can be looked at.
const KEPT: i32 = 86_400;

/// How late a run may begin: without a bound, a controller that was away for long gives it up.
const LATEST_START: i64 = 300;

/// The CronJobs: one that copies and one that publishes rates.
pub fn objects(settings: &Settings, cron_jobs: &CronJobs) -> Vec<Installed> {
    let name = settings.identity.name.as_str();
    let copying = settings.parts.rules().map(|rules| {
        let words = ["sync".to_owned()].into_iter();
        let arguments = words.chain(rules.iter().map(ToString::to_string));
        cron_job(settings, cron_jobs, name, "sync", arguments.collect())
    });
    let publishing = settings.parts.rates().map(|rates| {
        let name = format!("{name}{RATES_SUFFIX}");
        cron_job(settings, cron_jobs, &name, "rates", refresh(rates))
    });
    copying.into_iter().chain(publishing).collect()
}

fn refresh(rates: &RateSettings) -> Vec<String> {
    let words = ["rates", "refresh", "--all-namespaces"].into_iter();
    let words = words.map(str::to_owned);
    words.chain(rate_arguments(rates)).collect()
}

fn cron_job(
    settings: &Settings,
    cron_jobs: &CronJobs,
    name: &str,
    container_name: &str,
    arguments: Vec<String>,
) -> Installed {
    let identity = &settings.identity;
    let timetable = &cron_jobs.timetable;
    let object = CronJob {
        metadata: identity.metadata_in(&identity.namespace, name),
        spec: Some(CronJobSpec {
            schedule: timetable.schedule.to_string(),
            time_zone: timetable.time_zone.as_deref().map(str::to_owned),
            concurrency_policy: Some("Forbid".to_owned()),
            starting_deadline_seconds: Some(LATEST_START),
            successful_jobs_history_limit: Some(1),
            failed_jobs_history_limit: Some(3),
            job_template: JobTemplateSpec {
                spec: Some(job(template(settings, container_name, arguments))),
                ..JobTemplateSpec::default()
            },
            ..CronJobSpec::default()
        }),
        ..CronJob::default()
    };
    let namespace = Some(identity.namespace.clone());
    Installed::new(&CRON_JOBS, namespace, Name::from(name), &object)
}

fn job(template: PodTemplateSpec) -> JobSpec {
    JobSpec {
        backoff_limit: Some(RETRIES),
        active_deadline_seconds: Some(LONGEST_RUN),
        ttl_seconds_after_finished: Some(KEPT),
        template,
        ..JobSpec::default()
    }
}

fn template(settings: &Settings, name: &str, arguments: Vec<String>) -> PodTemplateSpec {
    let mut template = pod::template(settings, container(settings, name, arguments));
    if let Some(spec) = &mut template.spec {
        // A new pod for each try, so that the log of one that failed can be read.
        spec.restart_policy = Some("Never".to_owned());
    }
    template
}
