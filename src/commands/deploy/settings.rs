//! From the flags to the settings of an installation, with a clear word about each that is wrong.

use std::{fmt::Display, num::NonZeroU16};

use crate::{
    cli::{
        KubeFlags, Part, PartFlags,
        deploy::{DeployArguments, Mode},
    },
    commands::{CommandError, rates::urls},
    installation::{
        Controller, CronJobs, Identity, Parts, PullPolicy, RateSettings, Running, Settings, label,
        name, subdomain,
    },
    reconcile::{Name, Namespace},
};

/// Where an installation is by default.
const NAMESPACE: &str = "copyrator-system";

const REPLICAS: i64 = 2;

const SCHEDULE: &str = "*/15 * * * *";

/// Where an installation is: as the flag says, or else the default, whatever the context's namespace is.
pub fn namespace(kube: &KubeFlags, default: Option<Namespace>) -> Result<Namespace, CommandError> {
    match kube.namespace.as_deref().filter(|name| !name.is_empty()) {
        Some(given) => {
            label("a namespace", given).map_err(wrong("--namespace"))?;
            Ok(Namespace::from(given))
        }
        None => Ok(default.unwrap_or_else(|| Namespace::from(NAMESPACE))),
    }
}

/// The settings that the flags describe.
pub fn settings(arguments: &DeployArguments, kube: &KubeFlags) -> Result<Settings, CommandError> {
    let secret = arguments.image_pull_secret.as_deref();
    if let Some(secret) = secret {
        subdomain("a Secret", secret).map_err(wrong("--image-pull-secret"))?;
    }
    name(&arguments.name).map_err(wrong("--name"))?;
    Ok(Settings {
        identity: Identity {
            name: Name::from(&*arguments.name),
            namespace: namespace(kube, None)?,
        },
        image: arguments.image.parse().map_err(wrong("--image"))?,
        pull_policy: arguments.image_pull_policy.as_deref().and_then(pull_policy),
        pull_secret: secret.map(Name::from),
        requests: arguments.requests.parse().map_err(wrong("--requests"))?,
        limits: arguments.limits.parse().map_err(wrong("--limits"))?,
        parts: parts(&arguments.parts, &arguments.allow_urls)?,
        running: running(arguments)?,
    })
}

/// What is wrong with a flag.
fn wrong<E: Display>(flag: &'static str) -> impl Fn(E) -> CommandError {
    move |problem| CommandError::Arguments(format!("{flag}: {problem}"))
}

fn pull_policy(text: &str) -> Option<PullPolicy> {
    let all = [
        PullPolicy::Always,
        PullPolicy::IfNotPresent,
        PullPolicy::Never,
    ];
    all.into_iter()
        .find(|policy| policy.name().eq_ignore_ascii_case(text))
}

fn parts(flags: &PartFlags, allowed: &[String]) -> Result<Parts, CommandError> {
    urls(allowed)?;
    let (copies, publishes) = [Part::Rules, Part::Rates]
        .map(|part| flags.only.contains(&part))
        .into();
    for rule in &flags.rules {
        subdomain("a rule", rule).map_err(wrong("--rule"))?;
    }
    let rules = flags.rules.iter().map(|name| Name::from(&**name)).collect();
    let rates = RateSettings {
        urls: allowed.to_vec(),
        secrets: flags.allow_secrets,
    };
    match (copies, publishes) {
        (true, true) => Ok(Parts::Both(rules, rates)),
        (true, false) => Ok(Parts::Rules(rules)),
        (false, _) if !flags.rules.is_empty() => Err(CommandError::Arguments(
            "--rule and --only=rates contradict each other; leave one of them out".to_owned(),
        )),
        (false, _) => Ok(Parts::Rates(rates)),
    }
}

fn running(arguments: &DeployArguments) -> Result<Running, CommandError> {
    match arguments.mode {
        Mode::Controller => {
            belongs("--schedule", arguments.schedule.is_some(), "cronjob")?;
            Ok(Running::Controller(Controller {
                replicas: replicas(arguments.replicas.unwrap_or(REPLICAS))?,
                metrics_service: arguments.metrics_service,
            }))
        }
        Mode::CronJob => {
            belongs("--replicas", arguments.replicas.is_some(), "controller")?;
            belongs("--metrics-service", arguments.metrics_service, "controller")?;
            let schedule = arguments.schedule.as_deref().unwrap_or(SCHEDULE);
            let timetable = schedule.parse().map_err(wrong("--schedule"))?;
            Ok(Running::CronJobs(CronJobs { timetable }))
        }
    }
}

fn replicas(given: i64) -> Result<NonZeroU16, CommandError> {
    let replicas = u16::try_from(given).ok().and_then(NonZeroU16::new);
    replicas.ok_or_else(|| {
        CommandError::Arguments(match given {
            0 => "--replicas=0 would install a controller that never runs; to remove it, use --remove"
                .to_owned(),
            _ => format!("--replicas={given} is no number of pods; give one from 1 to {}", u16::MAX),
        })
    })
}

fn belongs(flag: &str, given: bool, mode: &str) -> Result<(), CommandError> {
    if !given {
        return Ok(());
    }
    Err(CommandError::Arguments(format!(
        "{flag} is for --mode={mode}; leave one of them out"
    )))
}
