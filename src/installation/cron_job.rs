//! What runs the program now and then.

use serde_json::json;

use super::{
    CronJobs, Installed, RateSettings, Settings,
    container::{container, rate_arguments},
    pod::{self, Keeping},
    resources::CRON_JOBS,
};

/// What the name of the CronJob has at its end that publishes rates.
pub const RATES_SUFFIX: &str = "-rates";

/// How often a run that failed is begun anew before the next one is due.
const RETRIES: u8 = 2;

/// How long a run may take, in seconds: one that hangs would keep the next ones from coming.
const LONGEST_RUN: u32 = 3600;

/// How long a run that is over can be looked at, in seconds.
const KEPT: u32 = 86_400;

/// How late a run may begin, in seconds: without a bound, a control plane that was away for long gives it up.
const LATEST_START: u32 = 300;

/// The CronJobs: one that copies and one that publishes rates.
pub fn objects(settings: &Settings, cron_jobs: &CronJobs) -> Vec<Installed> {
    let name = settings.identity.name.as_str();
    let copying = settings.parts.rules().map(|rules| {
        let words = ["sync".to_owned()].into_iter();
        let arguments: Vec<_> = words.chain(rules.iter().map(ToString::to_string)).collect();
        cron_job(settings, cron_jobs, name, "sync", &arguments)
    });
    let publishing = settings.parts.rates().map(|rates| {
        let name = format!("{name}{RATES_SUFFIX}");
        cron_job(settings, cron_jobs, &name, "rates", &refresh(rates))
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
    arguments: &[String],
) -> Installed {
    let container = container(settings, container_name, arguments, false);
    let spec = json!({
        "schedule": cron_jobs.timetable.schedule,
        "timeZone": cron_jobs.timetable.time_zone,
        "concurrencyPolicy": "Forbid",
        "startingDeadlineSeconds": LATEST_START,
        "successfulJobsHistoryLimit": 1,
        "failedJobsHistoryLimit": 3,
        "jobTemplate": {"spec": {
            "backoffLimit": RETRIES,
            "activeDeadlineSeconds": LONGEST_RUN,
            "ttlSecondsAfterFinished": KEPT,
            "template": pod::template(settings, &container, Keeping::Once),
        }},
    });
    settings.identity.workload(&CRON_JOBS, name, &spec)
}
