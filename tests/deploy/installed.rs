//! `deploy` against the API server: applied, applied again, changed and removed.

use k8s_openapi::api::{apps::v1::Deployment, batch::v1::CronJob, rbac::v1::ClusterRole};
use kube::{
    Api,
    api::{Patch, PatchParams},
};
use serde_json::json;

use crate::sandbox::{Ran, Sandbox};

/// The lines about what an installation of the default kind is made of, with a word for each.
fn lines(name: &str, word: &str) -> String {
    let lines = [
        "serviceaccount",
        "clusterrole.rbac.authorization.k8s.io",
        "clusterrolebinding.rbac.authorization.k8s.io",
        "role.rbac.authorization.k8s.io",
        "rolebinding.rbac.authorization.k8s.io",
        "lease.coordination.k8s.io",
        "deployment.apps",
        "poddisruptionbudget.policy",
    ]
    .map(|resource| format!("{resource}/{name} {word}\n"));
    lines.concat()
}

/// Runs `deploy` for an installation of the test's own, in a namespace of the test's own.
async fn deploy(sandbox: &Sandbox, more: &[&str]) -> Ran {
    let (name, namespace) = (sandbox.name("it"), sandbox.name("system"));
    let arguments = ["deploy", "--name", &name, "-n", &namespace];
    let arguments: Vec<&str> = arguments.iter().chain(more).copied().collect();
    sandbox.run(&arguments).await
}

#[tokio::test]
async fn a_second_call_changes_nothing() {
    let sandbox = Sandbox::new("deployed-twice").await;
    let (name, namespace) = (sandbox.name("it"), sandbox.name("system"));
    let first = deploy(&sandbox, &[]).await.succeeded();
    let made = format!("namespace/{namespace} created\n{}", lines(&name, "created"));
    assert_eq!(first.stdout, made);
    let second = deploy(&sandbox, &[]).await.succeeded();
    let same = format!(
        "namespace/{namespace} unchanged\n{}",
        lines(&name, "unchanged")
    );
    assert_eq!(second.stdout, same);
}

#[tokio::test]
async fn a_change_is_made_and_a_conflict_is_told() {
    let sandbox = Sandbox::new("deployed-anew").await;
    let name = sandbox.name("it");
    deploy(&sandbox, &[]).await.succeeded();
    let more = deploy(&sandbox, &["--replicas=3"]).await.succeeded();
    more.prints(&format!("deployment.apps/{name} configured"));
    let deployments: Api<Deployment> = sandbox.api("system");
    let scaled = Patch::Merge(json!({"spec": {"replicas": 5}}));
    let somebody = PatchParams {
        field_manager: Some("scaler".to_owned()),
        ..PatchParams::default()
    };
    let patched = deployments.patch(&name, &somebody, &scaled).await;
    patched.expect("the deployment can be scaled");
    let refused = deploy(&sandbox, &[]).await.failed_with(1);
    refused
        .says("conflict with \"scaler\"")
        .says("--force-conflicts");
    deploy(&sandbox, &["--force-conflicts"]).await.succeeded();
    let deployment = deployments.get(&name).await.expect("it is there");
    assert_eq!(deployment.spec.and_then(|spec| spec.replicas), Some(2));
}

#[tokio::test]
async fn another_mode_takes_the_place_of_the_first() {
    let sandbox = Sandbox::new("deployed-otherwise").await;
    let name = sandbox.name("it");
    deploy(&sandbox, &[]).await.succeeded();
    let ran = deploy(&sandbox, &["--mode=cronjob", "--schedule=@hourly"]).await;
    let ran = ran
        .succeeded()
        .prints(&format!("cronjob.batch/{name} created"));
    let gone = format!("deployment.apps \"{name}\" deleted from namespace");
    ran.prints(&gone);
    let jobs: Api<CronJob> = sandbox.api("system");
    let job = jobs
        .get(&format!("{name}-rates"))
        .await
        .expect("it is there");
    assert_eq!(job.spec.expect("a spec").schedule, "@hourly");
    let deployments: Api<Deployment> = sandbox.api("system");
    assert!(
        deployments
            .get_opt(&name)
            .await
            .expect("an answer")
            .is_none()
    );
}

#[tokio::test]
async fn what_was_made_is_removed_and_the_namespace_stays() {
    let sandbox = Sandbox::new("undeployed").await;
    let (name, namespace) = (sandbox.name("it"), sandbox.name("system"));
    deploy(&sandbox, &[]).await.succeeded();
    for rehearsal in ["client", "server"] {
        let flag = format!("--dry-run={rehearsal}");
        let ran = deploy(&sandbox, &["--remove", &flag]).await.succeeded();
        assert_eq!(ran.stdout.lines().count(), 7, "{}", ran.stdout);
        ran.prints("dry run)");
    }
    let ran = deploy(&sandbox, &["--remove"]).await.succeeded();
    assert_eq!(ran.stdout.lines().count(), 7, "{}", ran.stdout);
    ran.says(&format!(
        "namespace {namespace} and a controller's Lease stay"
    ));
    let roles: Api<ClusterRole> = Api::all(sandbox.client.clone());
    assert!(roles.get_opt(&name).await.expect("an answer").is_none());
    let again = deploy(&sandbox, &["--remove"]).await.failed_with(1);
    again.says("nothing is installed as");
}

#[tokio::test]
async fn a_rehearsal_by_the_api_server_keeps_nothing() {
    let sandbox = Sandbox::new("deployed-dry").await;
    let (name, namespace) = (sandbox.name("it"), sandbox.name("system"));
    let ran = deploy(&sandbox, &["--dry-run=server"]).await.succeeded();
    let ran = ran.prints(&format!("namespace/{namespace} created (server dry run)"));
    ran.says("couldn't check what goes into it");
    sandbox.namespaces(&["system"]).await;
    let ran = deploy(&sandbox, &["--dry-run=server"]).await.succeeded();
    let made = lines(&name, "created (server dry run)");
    let kept = format!("namespace/{namespace} unchanged (server dry run)\n");
    assert_eq!(ran.stdout, kept + &made);
    let deployments: Api<Deployment> = sandbox.api("system");
    assert!(
        deployments
            .get_opt(&name)
            .await
            .expect("an answer")
            .is_none()
    );
}

#[tokio::test]
async fn the_pods_pass_the_restricted_standard() {
    let sandbox = Sandbox::new("deployed-restricted").await;
    let enforced = ("pod-security.kubernetes.io/enforce", "restricted");
    let warned = ("pod-security.kubernetes.io/warn", "restricted");
    sandbox.namespace("system", &[enforced, warned]).await;
    for mode in [&["--mode=controller"][..], &["--mode=cronjob"]] {
        let printed = deploy(&sandbox, &[mode, &["-o", "yaml"]].concat()).await;
        let manifest = printed.succeeded().stdout;
        // kubectl tells the API server's warnings, which a workload of other pods would have.
        let ran = super::chart::kubectl_apply(&manifest);
        assert!(!ran.contains("would violate PodSecurity"), "{ran}");
        let loose = manifest.replace("runAsNonRoot: true", "runAsNonRoot: false");
        let ran = super::chart::kubectl_apply(&loose);
        assert!(ran.contains("would violate PodSecurity"), "{ran}");
    }
}

#[tokio::test]
async fn a_name_that_is_taken_elsewhere_is_refused_before_anything_is_written() {
    let sandbox = Sandbox::new("deployed-elsewhere").await;
    let name = sandbox.name("it");
    deploy(&sandbox, &[]).await.succeeded();
    let other = sandbox.name("other");
    let ran = sandbox
        .run(&["deploy", "--name", &name, "-n", &other])
        .await;
    let ran = ran.failed_with(1).says("another --name");
    assert_eq!(ran.stdout, "");
    let namespaces: Api<k8s_openapi::api::core::v1::Namespace> = Api::all(sandbox.client.clone());
    assert!(
        namespaces
            .get_opt(&other)
            .await
            .expect("an answer")
            .is_none()
    );
}
