//! The chart: well made, and the same as what `deploy` applies.

use std::{
    collections::BTreeMap,
    env, fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use clap::Parser as _;
use kubectl_copyrator::{
    api::{custom_resource_definitions, yaml::to_yaml_documents},
    cli::Cli,
    reconcile::MANAGED_BY,
};
use serde_json::{Value, json};
use test_cluster::TestCluster;

use crate::sandbox::Invocation;

const NAMESPACE: &str = "copyrator-system";

pub fn chart() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/helm/kubectl-copyrator")
}

/// What helm says, and whether it is content.
pub fn helm(arguments: &[&str]) -> (bool, String) {
    let folder = tempfile::tempdir().expect("a folder of its own");
    let helm = test_cluster::helm().expect("helm can be built");
    let ran = Command::new(helm)
        .args(arguments)
        .env_clear()
        .env("HOME", folder.path())
        .output()
        .expect("helm runs");
    let text = [ran.stdout, ran.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    (ran.status.success(), text.concat())
}

fn rendered(more: &[&str]) -> Vec<Value> {
    let chart = chart();
    let chart = chart.to_str().expect("the path is text");
    let arguments = ["template", MANAGED_BY, chart, "-n", NAMESPACE];
    let arguments: Vec<&str> = arguments.iter().chain(more).copied().collect();
    let (content, text) = helm(&arguments);
    assert!(content, "{text}");
    documents(&text)
}

async fn printed(more: &[&str]) -> Vec<Value> {
    let arguments = [&["deploy", "-o", "yaml"], more].concat();
    let nowhere = Path::new("/nonexistent/kubeconfig");
    let ran = Invocation::new(nowhere, &arguments).run().await;
    documents(&ran.succeeded().stdout)
}

fn documents(text: &str) -> Vec<Value> {
    let documents = serde_saphyr::from_multiple::<Value>(text).expect("the text is YAML");
    let mut documents: Vec<Value> = documents.into_iter().collect();
    documents.retain(|document| !document.is_null());
    documents
}

/// What objects ask for, by their kinds and names: labels tell who installed them, and so differ, and Helm has
/// to be told what stays. Helm makes the namespace itself.
fn asked_for(objects: Vec<Value>) -> BTreeMap<String, Value> {
    let mut asked_for = BTreeMap::new();
    for mut object in objects {
        if object["kind"] == "Namespace" {
            continue;
        }
        let metadata = &mut object["metadata"];
        if let Some(metadata) = metadata.as_object_mut() {
            metadata.remove("labels");
            if metadata.get("annotations") == Some(&json!({"helm.sh/resource-policy": "keep"})) {
                metadata.remove("annotations");
            }
        }
        let key = format!("{} {}", object["kind"], object["metadata"]["name"]);
        let former = asked_for.insert(key.clone(), object);
        assert_eq!(former, None, "{key} comes twice");
    }
    asked_for
}

#[tokio::test]
async fn the_chart_installs_what_deploy_does() {
    for (values, flags) in [
        (&[][..], &[][..]),
        (
            &["--set=mode=cronjob,schedule=0 6 * * *,timeZone=Europe/Berlin"],
            &["--mode=cronjob", "--schedule=0 6 * * * Europe/Berlin"],
        ),
        (
            &["--set=only={rules},rules={a,b},replicas=1,metricsService=true"],
            &[
                "--only=rules",
                "--rule=a",
                "--rule=b",
                "--replicas=1",
                "--metrics-service",
            ],
        ),
        (
            &[
                "--set=only={rates},allowSecrets=false,allowUrls={https://a.example,https://b.example}",
            ],
            &[
                "--only=rates",
                "--allow-secrets=false",
                "--allow-urls=https://a.example",
                "--allow-urls=https://b.example",
            ],
        ),
        (
            &[
                "--set=only={rates},mode=cronjob,image.pullPolicy=Always,imagePullSecrets[0].name=pull",
            ],
            &[
                "--only=rates",
                "--mode=cronjob",
                "--image-pull-policy=Always",
                "--image-pull-secret=pull",
            ],
        ),
        (
            &["--set=name=other,image.repository=a.example/b,image.tag=c"],
            &["--name=other", "--image=a.example/b:c"],
        ),
    ] {
        let (rendered, printed) = (asked_for(rendered(values)), asked_for(printed(flags).await));
        let kinds = |objects: &BTreeMap<String, Value>| objects.keys().cloned().collect::<Vec<_>>();
        assert_eq!(kinds(&rendered), kinds(&printed), "{flags:?}");
        for (key, printed) in printed {
            assert_eq!(rendered[&key], printed, "{flags:?}: {key}");
        }
    }
}

/// The arguments of every container among these values, wherever it is.
fn arguments(value: &Value) -> Vec<Vec<String>> {
    if let Some(arguments) = value.get("args") {
        return vec![serde_json::from_value(arguments.clone()).expect("arguments are texts")];
    }
    match value {
        Value::Object(fields) => fields.values().flat_map(arguments).collect(),
        Value::Array(items) => items.iter().flat_map(arguments).collect(),
        _ => Vec::new(),
    }
}

#[tokio::test]
async fn the_program_takes_the_arguments_that_its_pods_give_it() {
    for flags in [
        &[][..],
        &["--only=rules", "--rule=a", "--rule=b"],
        &[
            "--only=rates",
            "--allow-secrets=false",
            "--allow-urls=public",
        ],
        &["--mode=cronjob", "--rule=a"],
        &["--mode=cronjob", "--allow-urls=https://a.example"],
    ] {
        let objects = Value::Array(printed(flags).await);
        let containers = arguments(&objects);
        assert!(!containers.is_empty(), "{flags:?}");
        for arguments in containers {
            let words = ["kubectl-copyrator".to_owned()]
                .into_iter()
                .chain(arguments);
            if let Err(error) = Cli::try_parse_from(words) {
                panic!("{flags:?}: {error}");
            }
        }
    }
}

#[test]
fn helm_finds_nothing_wrong_with_the_chart() {
    let chart = chart();
    let (content, text) = helm(&["lint", "--strict", chart.to_str().expect("text")]);
    assert!(content, "{text}");
}

#[test]
fn values_that_make_no_sense_are_refused() {
    let chart = chart();
    let chart = chart.to_str().expect("text");
    for value in [
        "replicas=0",
        "mode=daemon",
        "only={all}",
        "nonsense=1",
        "image.digest=x",
    ] {
        let set = format!("--set={value}");
        let (content, text) = helm(&["template", "x", chart, &set]);
        assert!(!content && text.contains("schema"), "{value}: {text}");
    }
    let long = format!("--set=name={}", "a".repeat(47));
    assert!(!helm(&["template", "x", chart, &long]).0);
}

#[test]
fn the_definitions_are_those_of_the_program() {
    let text = to_yaml_documents(&custom_resource_definitions()).expect("definitions are YAML");
    let path = chart().join("crds/crds.yaml");
    if env::var_os("UPDATE_REFERENCE").is_some() {
        fs::write(&path, &text).expect("the chart can be written");
    }
    assert!(
        fs::read_to_string(&path).unwrap_or_default() == text,
        "the chart's definitions are stale; write them anew: UPDATE_REFERENCE=1 cargo test deploy"
    );
}

#[test]
fn the_chart_has_the_version_of_the_program() {
    let text = fs::read_to_string(chart().join("Chart.yaml")).expect("the chart has one");
    let chart: Value = serde_saphyr::from_str(&text).expect("it is YAML");
    assert_eq!(chart["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(chart["appVersion"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn helm_s_objects_are_taken_by_the_api_server() {
    let objects = rendered(&["--set=metricsService=true"]);
    let objects: Vec<String> = objects.iter().map(Value::to_string).collect();
    let text = objects.join("\n---\n");
    let namespace = format!("{{apiVersion: v1, kind: Namespace, metadata: {{name: {NAMESPACE}}}}}");
    kubectl_apply(&namespace);
    let ran = kubectl(&["apply", "--dry-run=server", "-f", "-"], &text);
    assert!(ran.contains("deployment.apps/kubectl-copyrator"), "{ran}");
    assert!(!ran.contains("Warning"), "{ran}");
}

/// Has kubectl apply manifests on the shared cluster, and gives what it says.
pub fn kubectl_apply(manifests: &str) -> String {
    kubectl(&["apply", "-f", "-"], manifests)
}

fn kubectl(arguments: &[&str], input: &str) -> String {
    let mut kubectl = TestCluster::shared().kubectl();
    kubectl.args(arguments).stdin(Stdio::piped());
    let mut child = kubectl
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("kubectl starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(input.as_bytes()).expect("kubectl reads");
    drop(stdin);
    let ran = child.wait_with_output().expect("kubectl ends");
    let [out, err] = [&ran.stdout, &ran.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(ran.status.success(), "{out}{err}");
    format!("{out}{err}")
}
