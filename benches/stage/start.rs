//! Starts the control plane, and fills it.

use std::{ffi::OsString, path::Path};

use serde_json::json;
use test_cluster::{Options, TestCluster};

use super::{content, server_cpu, user};
use crate::{
    error::Outcome,
    measured::{self, Measured},
    raw::{Job, Request, Sent, send, send_in_child},
};

/// How many Secrets are in the cluster that are no business of ours.
const UNRELATED: usize = 2_000;
const UNRELATED_BYTES: usize = 10 * 1024;
/// How many requests are in flight while the stage is set.
const SETTING_WORKERS: usize = 32;

/// A cluster with namespaces, originals and a rule.
pub struct Stage {
    cluster: TestCluster,
    port: u16,
    user: user::User,
    namespaces: usize,
    workers: usize,
    sync_flags: Vec<String>,
}

impl Stage {
    /// Starts a cluster with our resources and a user; `workers` is the yardstick's.
    pub fn start(workers: usize, sync_flags: &[String]) -> Outcome<Self> {
        let options = Options {
            controllers: false,
            ..Options::default()
        };
        let cluster = TestCluster::start_with(options)?;
        let port = cluster
            .url()
            .rsplit(':')
            .next()
            .unwrap_or_default()
            .parse()?;
        let mut stage = Self {
            cluster,
            port,
            user: user::User::default(),
            namespaces: 0,
            workers,
            sync_flags: sync_flags.to_vec(),
        };
        stage.install()?;
        stage.user = user::create(&stage)?;
        stage.set(vec![
            content::namespace("source"),
            content::namespace("unrelated"),
        ])?;
        Ok(stage)
    }

    fn install(&self) -> Outcome<()> {
        let arguments = ["crd", "install", "--kubeconfig"].map(OsString::from);
        let mut arguments = arguments.to_vec();
        arguments.push(self.cluster.kubeconfig().into());
        measured::run(env!("CARGO_BIN_EXE_kubectl-copyrator").as_ref(), &arguments)?;
        Ok(())
    }

    /// Makes namespaces until there are so many.
    pub fn grow(&mut self, namespaces: usize) -> Outcome<()> {
        let names = (self.namespaces..namespaces).map(target);
        self.set(names.map(|name| content::namespace(&name)).collect())?;
        self.namespaces = self.namespaces.max(namespaces);
        Ok(())
    }

    /// Makes one more namespace that gets copies; its name.
    pub fn make_one(&mut self) -> Outcome<String> {
        let name = target(self.namespaces);
        self.namespaces += 1;
        self.set(vec![content::namespace(&name)])?;
        Ok(name)
    }

    /// The namespaces that get copies.
    pub fn targets(&self) -> impl Iterator<Item = String> + use<> {
        (0..self.namespaces).map(target)
    }

    /// Makes Secrets that no rule selects.
    pub fn add_unrelated(&self) -> Outcome<()> {
        let secrets = (0..UNRELATED).map(|index| content::unrelated(index, UNRELATED_BYTES));
        self.set(secrets.collect()).map(drop)
    }

    /// Makes the rule, and the originals that it copies.
    pub fn add_rule(&self, originals: usize) -> Outcome<()> {
        let names: Vec<String> = (0..originals).map(content::original_name).collect();
        let rule = json!({
            "apiVersion": "copyrator.dev/v1alpha1",
            "kind": "CopyratorRule",
            "metadata": {"name": "bench"},
            "spec": {
                "resource": "Secret",
                "source": {"namespaces": ["source"], "names": names},
                "target": {"namespaces": ["target-*"]},
            },
        });
        self.set(vec![Request::post(
            "/apis/copyrator.dev/v1alpha1/copyratorrules",
            &rule,
        )])?;
        let originals = (0..originals).map(|index| content::original(index, 0));
        self.set(originals.collect()).map(drop)
    }

    /// Changes the originals.
    pub fn change_originals(&self, originals: usize, generation: usize) -> Outcome<()> {
        let changes = (0..originals).map(|index| content::changed_original(index, generation));
        self.set(changes.collect()).map(drop)
    }

    /// Sends requests as the administrator, without measuring.
    pub fn set(&self, requests: Vec<Request>) -> Outcome<Sent> {
        send(&Job {
            token: self.cluster.token().to_owned(),
            workers: SETTING_WORKERS.min(requests.len()),
            keep: true,
            ..self.job(requests)
        })
    }

    /// A job for the yardstick, as the user.
    fn job(&self, requests: Vec<Request>) -> Job {
        Job {
            port: self.port,
            ca: self.cluster.ca_pem().to_owned(),
            token: self.user.token.clone(),
            workers: self.workers,
            keep: false,
            gzip: false,
            requests,
        }
    }

    /// Has the yardstick send writes; also the CPU time of the control plane meanwhile.
    pub fn write_raw(&self, requests: Vec<Request>) -> Outcome<(Sent, f64)> {
        let job = self.job(requests);
        self.with_server_cpu(|| send_in_child(&job))
    }

    /// Has the yardstick read, one request after the other.
    pub fn read_raw(&self, requests: Vec<Request>) -> Outcome<(Sent, f64)> {
        let job = Job {
            workers: 1,
            gzip: true,
            ..self.job(requests)
        };
        self.with_server_cpu(|| send_in_child(&job))
    }

    /// Runs a program's `sync` as the user; also the CPU time of the control plane meanwhile.
    pub fn sync(&self, program: &Path) -> Outcome<(Measured, f64)> {
        let mut arguments = sync_arguments(&self.user.kubeconfig);
        arguments.extend(self.sync_flags.iter().map(OsString::from));
        self.run_counted(program, &arguments)
    }

    /// Runs a program; also the CPU time of the control plane meanwhile.
    pub(super) fn run_counted(
        &self,
        program: &Path,
        arguments: &[OsString],
    ) -> Outcome<(Measured, f64)> {
        self.with_server_cpu(|| measured::run(program, arguments))
    }

    /// Does something; also the CPU time of the control plane meanwhile.
    pub fn with_server_cpu<T>(&self, work: impl FnOnce() -> Outcome<T>) -> Outcome<(T, f64)> {
        let processes = self.cluster.process_ids();
        let before = server_cpu::seconds(&processes)?;
        let result = work()?;
        Ok((result, server_cpu::seconds(&processes)? - before))
    }

    /// Where requests of the administrator go.
    pub(super) fn administration(&self) -> Job {
        Job {
            token: self.cluster.token().to_owned(),
            ..self.job(Vec::new())
        }
    }

    /// Where requests of the user go.
    pub(super) fn usage(&self) -> Job {
        self.job(Vec::new())
    }

    pub(super) fn cluster(&self) -> &TestCluster {
        &self.cluster
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    pub(super) fn user(&self) -> &user::User {
        &self.user
    }
}

/// The arguments of a `sync` with this kubeconfig.
pub(super) fn sync_arguments(kubeconfig: &Path) -> Vec<OsString> {
    vec!["sync".into(), "--kubeconfig".into(), kubeconfig.into()]
}

fn target(index: usize) -> String {
    format!("target-{index:05}")
}
