//! Starting, stopping and restarting clusters from the same process.

use std::net::TcpStream;

use test_cluster::{Error, Options, TestCluster};

use crate::shared::kubectl;
use crate::traces::{ports_of, processes_in, wait_until_gone};

fn without_controllers() -> TestCluster {
    TestCluster::start_with(Options {
        controllers: false,
        ..Options::default()
    })
    .expect("a started cluster")
}

fn port(cluster: &TestCluster) -> u16 {
    let url = cluster.url();
    url.rsplit(':')
        .next()
        .and_then(|port| port.parse().ok())
        .expect("a port in the URL")
}

#[test]
fn two_clusters_live_side_by_side_and_leave_nothing() {
    let (first, second) = std::thread::scope(|scope| {
        let first = scope.spawn(without_controllers);
        let second = scope.spawn(without_controllers);
        (
            first.join().expect("a cluster"),
            second.join().expect("a cluster"),
        )
    });
    assert_ne!(first.url(), second.url());
    assert_ne!(first.dir(), second.dir());
    let (folder, other) = (first.dir().to_owned(), second.dir().to_owned());
    let (ports, others) = (
        ports_of(&processes_in(&folder)),
        ports_of(&processes_in(&other)),
    );
    assert_eq!((ports.len(), others.len()), (3, 3));
    assert_eq!(first.process_ids().len(), 2, "etcd and the API server");
    first.stop().expect("a clean stop");
    assert!(!folder.exists());
    wait_until_gone(&folder, &ports);
    second.check().expect("the second is none the wiser");
    drop(second);
    assert!(!other.exists());
    wait_until_gone(&other, &others);
}

#[test]
fn a_killed_api_server_comes_back_on_its_port_with_its_data() {
    let cluster = without_controllers();
    let get = |arguments: &[&str]| kubectl(&cluster, cluster.kubeconfig(), arguments).status;
    assert!(get(&["create", "configmap", "kept", "--from-literal=a=b"]).success());
    cluster.kill_api_server().expect("a killed API server");
    TcpStream::connect(("127.0.0.1", port(&cluster))).expect_err("nobody listens");
    assert!(!get(&["get", "configmap", "kept"]).success());
    cluster.check().expect("its absence is on purpose");
    cluster.start_api_server().expect("a started API server");
    assert!(get(&["get", "configmap", "kept"]).success());
    cluster.start_api_server().expect("it runs already");
}

#[test]
fn a_bad_argument_is_reported_with_the_end_of_the_log() {
    let parent = tempfile::tempdir().expect("a temporary folder");
    let folder = parent.path().join("cluster");
    let options = Options {
        api_server_args: vec!["--no-such-flag".to_owned()],
        dir: Some(folder.clone()),
        ..Options::default()
    };
    let error = TestCluster::start_with(options).expect_err("it can't start");
    assert!(
        matches!(
            error,
            Error::Exited {
                name: "kube-apiserver",
                ..
            }
        ),
        "{error}"
    );
    assert!(
        error.to_string().contains("unknown flag: --no-such-flag"),
        "{error}"
    );
    wait_until_gone(&folder, &[]);
}
