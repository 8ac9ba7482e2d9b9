//! Provisional.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    clippy::all,
    missing_docs
)]
use crate::{api::manifest, cluster::*, copy::*, reconcile::*};
use clap::Parser;
use tokio_util::sync::CancellationToken;

#[derive(Parser)]
pub enum Provisional {
    Sync {
        names: Vec<String>,
        #[arg(short = 'f')]
        files: Vec<std::path::PathBuf>,
        #[arg(long, default_value = "true", action = clap::ArgAction::Set)]
        prune: bool,
        #[arg(long)]
        verify: bool,
        #[arg(long, default_value = "none")]
        dry_run: String,
        #[arg(long, default_value = "24")]
        parallelism: usize,
    },
    Crd {
        what: String,
    },
}

struct Printer(Tally);
impl Reporter for Printer {
    fn planned(&mut self, _: usize, in_step: usize) {
        self.0.unchanged += in_step;
    }
    fn outcome(&mut self, outcome: Outcome) {
        self.0.count(&outcome.event);
        let line = format!("{}/{}", outcome.key.resource.singular, outcome.key.name);
        match &outcome.event {
            Event::Created => println!("{line} created"),
            Event::Configured(_) => println!("{line} configured"),
            Event::Pruned => println!("{line} pruned"),
            Event::Unchanged | Event::Skipped(_) => (),
            Event::Conflict(conflict) => eprintln!("{}: {conflict:?}", outcome.key),
            Event::Failed(error) => eprintln!("{error}"),
        }
    }
    fn finding(&mut self, finding: Finding) {
        eprintln!("{:?}: {}", finding.severity, finding.message);
        if finding.severity == Severity::Error {
            self.0.failed += 1;
        }
    }
}

pub async fn run(arguments: Provisional) -> i32 {
    let mut config = kube::Config::infer().await.unwrap();
    config.default_retry = false;
    let client = kube::Client::try_from(config).unwrap();
    match arguments {
        Provisional::Crd { .. } => {
            use kube::api::*;
            let api: Api<k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition> = Api::all(client);
            for crd in crate::api::custom_resource_definitions() {
                api.patch(
                    &crd.metadata.name.clone().unwrap(),
                    &PatchParams::apply("x").force(),
                    &Patch::Apply(crd),
                )
                .await
                .unwrap();
            }
            tokio::time::sleep(std::time::Duration::from_secs(2)).await;
            0
        }
        Provisional::Sync {
            names,
            files,
            prune,
            verify,
            dry_run,
            parallelism,
        } => {
            let source = if files.is_empty() {
                RuleSource::Cluster {
                    names: names.iter().map(|n| n.as_str().into()).collect(),
                }
            } else {
                match manifest::load(&files, &mut std::io::stdin()) {
                    Ok(rules) => RuleSource::Files {
                        rules: rules.into_iter().map(|r| r.item).collect(),
                    },
                    Err(problems) => {
                        eprintln!("{problems}");
                        return 1;
                    }
                }
            };
            let mut copies = Copies::new(source, prune);
            let server = ApiServer::new(
                client,
                ApiServerOptions {
                    request_timeout: None,
                    dry_run: dry_run == "server",
                    owner_label: OWNER_LABEL,
                },
            );
            let mut printer = Printer(Tally::default());
            let token = CancellationToken::new();
            let options = Options {
                parallelism,
                verify,
            };
            let begun = std::time::Instant::now();
            let run = if dry_run == "client" {
                once(
                    &mut copies,
                    &Rehearsal::new(&server),
                    options,
                    &token,
                    &mut printer,
                )
                .await
            } else {
                once(&mut copies, &server, options, &token, &mut printer).await
            };
            if let Err(error) = run {
                eprintln!("error: {error}");
                return 1;
            }
            let t = &printer.0;
            for (n, w) in [
                (t.created, "created"),
                (t.configured, "configured"),
                (t.unchanged, "unchanged"),
                (t.pruned, "pruned"),
                (t.conflicts, "conflicts"),
                (t.failed, "failed"),
            ] {
                if n > 0 {
                    eprint!("{n} {w}, ");
                }
            }
            eprintln!("in {:?}", begun.elapsed());
            i32::from(t.conflicts + t.failed > 0)
        }
    }
}
