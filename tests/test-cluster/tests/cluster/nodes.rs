//! What tests can do with a cluster that has nodes; these share one.

use std::io::Write as _;
use std::process::{Command, Stdio};

use test_cluster::{BUSYBOX_IMAGE, Image, Options, TestCluster};

use crate::shared::kubectl;

/// What kubectl prints for the administrator.
fn admin(cluster: &TestCluster, arguments: &[&str]) -> String {
    let output = kubectl(cluster, cluster.kubeconfig(), arguments);
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Makes objects of a manifest.
fn create(cluster: &TestCluster, manifest: &str) {
    let mut command = cluster.kubectl();
    command.args(["create", "-f", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.spawn().expect("a run of kubectl");
    let mut stdin = child.stdin.take().expect("a piped stdin");
    stdin.write_all(manifest.as_bytes()).expect("it reads");
    drop(stdin);
    assert!(child.wait().expect("an end").success(), "{manifest}");
}

/// Runs a pod with busybox to its end and gives its log.
fn log_of(cluster: &TestCluster, name: &str, script: &str) -> String {
    let image = format!("--image={BUSYBOX_IMAGE}");
    let run = ["run", name, &image, "--restart=Never", "--command", "--"];
    admin(cluster, &[&run[..], &["sh", "-c", script]].concat());
    finished(cluster, name)
}

/// Waits until a pod has succeeded, and gives its log.
fn finished(cluster: &TestCluster, name: &str) -> String {
    let succeeded = "--for=jsonpath={.status.phase}=Succeeded";
    let pod = format!("pod/{name}");
    admin(cluster, &["wait", succeeded, &pod, "--timeout=60s"]);
    admin(cluster, &["logs", name])
}

#[test]
fn a_pod_runs_and_its_log_can_be_read() {
    let Some(cluster) = TestCluster::shared_with_nodes() else {
        return;
    };
    let log = log_of(cluster, "speaker", "echo I am $(id -u)");
    assert_eq!(log, "I am 65532\n");
    let node = admin(
        cluster,
        &["get", "pod", "speaker", "-o", "jsonpath={.spec.nodeName}"],
    );
    assert!(cluster.nodes().contains(&&*node), "{node}");
}

#[test]
fn a_service_and_the_api_server_are_reachable_from_a_pod() {
    let Some(cluster) = TestCluster::shared_with_nodes() else {
        return;
    };
    create(
        cluster,
        "\
apiVersion: v1
kind: Service
metadata: {name: server}
spec: {selector: {app: server}, ports: [{port: 80, targetPort: 8080}]}
---
apiVersion: v1
kind: Pod
metadata: {name: server, labels: {app: server}}
spec:
  containers:
  - name: server
    image: busybox:test-cluster
    command: [sh, -c, 'echo served >/served/index.html; exec httpd -f -p 8080 -h /served']
    readinessProbe: {httpGet: {port: 8080}, periodSeconds: 1}
    volumeMounts: [{name: served, mountPath: /served}]
  volumes: [{name: served, emptyDir: {}}]
",
    );
    let ready = ["wait", "--for=condition=Ready", "pod/server"];
    admin(cluster, &[&ready[..], &["--timeout=60s"]].concat());
    // kube-proxy learns of the server a moment later than we.
    let ask = "until wget -q -O - $SERVER_SERVICE_HOST; do sleep 0.1; done; \
               nc -w 5 $KUBERNETES_SERVICE_HOST $KUBERNETES_SERVICE_PORT -e true && echo reached";
    let log = log_of(cluster, "client", ask);
    assert!(log.ends_with("served\nreached\n"), "{log}");
}

#[test]
fn a_pod_has_no_way_out_of_the_cluster() {
    let Some(cluster) = TestCluster::shared_with_nodes() else {
        return;
    };
    // An address of TEST-NET-3, which nobody has. The answer is the node's own.
    let log = log_of(cluster, "hermit", "nc -w 5 203.0.113.1 80 2>&1 || true");
    assert!(log.contains("Network is unreachable"), "{log}");
}

#[test]
fn an_image_of_a_program_runs_as_its_user_with_its_variables() {
    let Some(cluster) = TestCluster::shared_with_nodes() else {
        return;
    };
    let image = Image::new("localhost/printer:1")
        .program("/usr/bin/env", "/usr/bin/env".as_ref())
        .expect("an image")
        .entrypoint(&["/usr/bin/env"])
        .user("65532:65532")
        .variable("GREETING", "hello \"you\"");
    cluster.load_image(&image).expect("a loaded image");
    create(
        cluster,
        "\
apiVersion: v1
kind: Pod
metadata: {name: printer}
spec:
  restartPolicy: Never
  containers:
  - name: printer
    image: localhost/printer:1
    imagePullPolicy: Never
    securityContext: {runAsNonRoot: true, readOnlyRootFilesystem: true}
",
    );
    let log = finished(cluster, "printer");
    assert!(log.contains("GREETING=hello \"you\"\n"), "{log}");
    assert!(log.contains("KUBERNETES_SERVICE_HOST=10.0.0.1\n"), "{log}");
}

#[test]
fn a_changed_config_map_arrives_in_a_mounted_volume() {
    let Some(cluster) = TestCluster::shared_with_nodes() else {
        return;
    };
    create(
        cluster,
        "\
apiVersion: v1
kind: ConfigMap
metadata: {name: mounted}
data: {word: before}
---
apiVersion: v1
kind: Pod
metadata: {name: reader}
spec:
  restartPolicy: Never
  containers:
  - name: reader
    image: busybox:test-cluster
    command: [sh, -c, 'cat /mounted/word; echo; until grep after /mounted/word; do sleep 0.1; done']
    volumeMounts: [{name: mounted, mountPath: /mounted}]
  volumes: [{name: mounted, configMap: {name: mounted}}]
",
    );
    let ready = ["wait", "--for=condition=Ready", "pod/reader"];
    admin(cluster, &[&ready[..], &["--timeout=60s"]].concat());
    let patch = r#"--patch={"data": {"word": "after"}}"#;
    admin(cluster, &["patch", "configmap", "mounted", patch]);
    assert_eq!(finished(cluster, "reader"), "before\nafter\n");
}

#[test]
fn left_out_tests_are_named() {
    let test = "nodes::a_pod_runs_and_its_log_can_be_read";
    let output = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", test])
        .env("TEST_CLUSTER_NODES", "0")
        .output()
        .expect("a run of this program");
    assert!(output.status.success());
    let said = String::from_utf8_lossy(&output.stderr);
    let line = format!("{test} is left out: it needs a node, and TEST_CLUSTER_NODES is 0");
    assert!(said.lines().any(|said| said == line), "{said}");
}

#[test]
fn more_nodes_than_possible_are_refused() {
    let options = Options {
        nodes: 9,
        ..Options::default()
    };
    let error = TestCluster::start_with(options).expect_err("that is too many");
    assert_eq!(
        error.to_string(),
        "9 nodes were asked for, but a cluster has 8 at most"
    );
}
