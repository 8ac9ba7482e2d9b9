//! What runs the program now and then.

use k8s_openapi::api::batch::v1::{CronJob, CronJobSpec, JobSpec, JobTemplateSpec};

use super::{
    CronJobs, Installed, RateSettings, Settings, Timetable,
    container::{container, rate_arguments},
    identity::Component,
    pod,
    resources::CRON_JOBS,
};

/// What the name of the CronJob has at its end that publishes rates.
pub const RATES_SUFFIX: &str = "-rates";

/// How often a run that failed is begun anew before the next one is due.
const RETRIES: i32 = 2;

/// How long a run may take, in seconds: one that hangs would keep the next ones from coming.
const LONGEST_RUN: i64 = 3600;

/// How long a run that is over can be looked at, in seconds.
const KEPT: i32 = 86_400;

/// How late a run may begin, in seconds: without a bound, a control plane that was away for long gives it up.
const LATEST_START: i64 = 300;

/// The CronJobs: one that copies and one that publishes rates.
pub fn objects(settings: &Settings, cron_jobs: &CronJobs) -> Vec<Installed> {
    let name = settings.identity.name.as_str();
    let copying = settings.parts.rules().map(|rules| {
        let words = ["sync".to_owned()].into_iter();
        let arguments: Vec<_> = words.chain(rules.iter().map(ToString::to_string)).collect();
        cron_job(settings, cron_jobs, name, "sync", arguments)
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
    let container = container(settings, Component::CronJob, container_name, arguments);
    let job = JobSpec {
        backoff_limit: Some(RETRIES),
        active_deadline_seconds: Some(LONGEST_RUN),
        ttl_seconds_after_finished: Some(KEPT),
        template: pod::template(settings, Component::CronJob, container),
        ..JobSpec::default()
    };
    let cron_job = CronJob {
        metadata: settings.identity.own_metadata(name),
        spec: Some(spec(&cron_jobs.timetable, job)),
        status: None,
    };
    Installed::new(&CRON_JOBS, &cron_job)
}

fn spec(timetable: &Timetable, job: JobSpec) -> CronJobSpec {
    CronJobSpec {
        schedule: timetable.schedule.to_string(),
        time_zone: timetable.time_zone.as_deref().map(str::to_owned),
        concurrency_policy: Some("Forbid".to_owned()),
        starting_deadline_seconds: Some(LATEST_START),
        successful_jobs_history_limit: Some(1),
        failed_jobs_history_limit: Some(3),
        job_template: JobTemplateSpec {
            spec: Some(job),
            metadata: None,
        },
        suspend: None,
    }
}
