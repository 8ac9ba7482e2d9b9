//! The Lease of an installation: it is there before the first controller, and nobody but controllers changes who
//! holds it.

use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use kube::{
    Api,
    api::{Patch, PatchParams, PostParams},
};
use rustix::process::Signal;
use serde_json::json;

use super::chart::{chart, helm};
use crate::sandbox::{Ran, Running, Sandbox};

/// An installation of the test's own, in a namespace of the test's own.
struct Installation(Sandbox);

impl Installation {
    async fn new(prefix: &str) -> Self {
        let sandbox = Sandbox::new(prefix).await;
        sandbox.namespaces(&["system"]).await;
        Self(sandbox)
    }

    fn name(&self) -> String {
        self.0.name("it")
    }

    fn namespace(&self) -> String {
        self.0.name("system")
    }

    async fn deploy(&self, more: &[&str]) -> Ran {
        let (name, namespace) = (self.name(), self.namespace());
        let arguments = ["deploy", "--name", &name, "-n", &namespace];
        let ran = self.0.run(&[&arguments, more].concat()).await;
        ran.succeeded()
    }

    /// Runs helm on the release of the installation.
    fn helm(&self, verb: &str, more: &[&str]) {
        let (name, namespace) = (self.name(), self.namespace());
        let kubeconfig = self.0.kubeconfig().to_str().expect("the path is text");
        let always = [verb, &name, "-n", &namespace, "--kubeconfig", kubeconfig];
        let (content, text) = helm(&[&always, more].concat());
        assert!(content, "helm {verb} {more:?}: {text}");
    }

    /// A controller like those of the installation's pods.
    async fn controller(&self) -> Running {
        let (name, namespace, rule) = (self.name(), self.namespace(), self.0.name("rule"));
        let arguments = [
            "controller",
            "run",
            "--leader-elect",
            "--health-address=127.0.0.1:0",
            "--only=rules",
            "--rule",
            &rule,
            "--lease-name",
            &name,
            "-n",
            &namespace,
        ];
        self.0.program(&arguments).start().await
    }

    fn leases(&self) -> Api<Lease> {
        self.0.api("system")
    }

    async fn lease(&self) -> Lease {
        let lease = self.leases().get(&self.name()).await;
        lease.expect("the Lease is there")
    }

    /// Writes a holder into the Lease, as a controller does.
    async fn hold(&self) -> Lease {
        let spec = json!({
            "holderIdentity": "somebody",
            "leaseDurationSeconds": 15,
            "renewTime": "2026-07-01T00:00:00.000000Z",
            "leaseTransitions": 3,
        });
        let controller = PatchParams {
            field_manager: Some("kubectl-copyrator".to_owned()),
            ..PatchParams::default()
        };
        let held = Patch::Merge(json!({"spec": spec}));
        let patched = self.leases().patch(&self.name(), &controller, &held).await;
        patched.expect("the Lease can be held")
    }
}

fn is_held_by_nobody(lease: &Lease) -> bool {
    lease
        .spec
        .as_ref()
        .is_none_or(|spec| *spec == LeaseSpec::default())
}

#[tokio::test]
async fn whatever_is_deployed_a_held_lease_stays_as_it_is() {
    let installation = Installation::new("lease-held").await;
    installation.deploy(&[]).await;
    assert!(is_held_by_nobody(&installation.lease().await));
    let held = installation.hold().await;
    let unchanged = format!(
        "lease.coordination.k8s.io/{} unchanged",
        installation.name()
    );
    for flags in [&[][..], &["--replicas=3"], &["--force-conflicts"]] {
        installation.deploy(flags).await.prints(&unchanged);
        assert_eq!(installation.lease().await, held, "{flags:?}");
    }
    for flags in [&["--mode=cronjob"][..], &["--remove"], &[]] {
        installation.deploy(flags).await;
        assert_eq!(installation.lease().await, held, "{flags:?}");
    }
}

#[tokio::test]
async fn a_lease_that_a_controller_made_is_taken_into_the_installation() {
    let installation = Installation::new("lease-made").await;
    let lease = json!({"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": installation.name()}});
    let lease = serde_json::from_value(lease).expect("it is a Lease");
    let made = installation
        .leases()
        .create(&PostParams::default(), &lease)
        .await;
    made.expect("the Lease can be made");
    let held = installation.hold().await;
    installation.deploy(&[]).await;
    let lease = installation.lease().await;
    assert_eq!(lease.spec, held.spec);
    let labels = lease.metadata.labels.unwrap_or_default();
    assert_eq!(
        labels.get("copyrator.dev/installed-in"),
        Some(&installation.namespace())
    );
}

#[tokio::test]
async fn the_first_controller_leads_without_waiting_and_a_second_call_does_not_disturb_it() {
    let installation = Installation::new("lease-first").await;
    installation.deploy(&[]).await;
    let controller = installation.controller().await;
    controller.says("leading").await;
    let before = installation.lease().await.spec.expect("it is held");
    let unchanged = format!(
        "lease.coordination.k8s.io/{} unchanged",
        installation.name()
    );
    installation.deploy(&[]).await.prints(&unchanged);
    let after = installation.lease().await.spec.expect("it is held");
    assert_eq!(after.holder_identity, before.holder_identity);
    assert_eq!(after.acquire_time, before.acquire_time);
    let ran = controller.stop(Signal::TERM).await;
    let ran = ran.says("handed over");
    for told in ["waiting, in case", "leading no more"] {
        assert!(!ran.stderr.contains(told), "{}", ran.stderr);
    }
}

#[tokio::test]
async fn whatever_helm_does_a_held_lease_stays_as_it_is() {
    let installation = Installation::new("lease-helm").await;
    let path = chart();
    let path = path.to_str().expect("the path is text");
    // The definitions are the whole cluster's, which other tests use as well.
    installation.helm("install", &[path, "--skip-crds"]);
    assert!(is_held_by_nobody(&installation.lease().await));
    let held = installation.hold().await.spec;
    for values in ["replicas=3", "mode=cronjob", "mode=controller"] {
        let set = format!("--set={values}");
        installation.helm("upgrade", &[path, "--skip-crds", &set]);
        assert_eq!(installation.lease().await.spec, held, "{values}");
    }
    installation.helm("uninstall", &[]);
    assert_eq!(installation.lease().await.spec, held);
    installation.helm("install", &[path, "--skip-crds"]);
    assert_eq!(installation.lease().await.spec, held);
    installation.helm("uninstall", &[]);
}
