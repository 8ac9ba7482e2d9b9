//! `test-cluster up`: a cluster in the foreground.

use std::path::PathBuf;
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::cluster::{Options, TestCluster};
use crate::error::Error;
use crate::output;

const POLL_INTERVAL: Duration = Duration::from_millis(100);

pub(crate) fn up(nodes: u8, dir: Option<PathBuf>) -> Result<(), Error> {
    // Until it has started, a signal may just end this process: the cluster goes with it.
    let cluster = TestCluster::start_with(Options {
        nodes,
        dir,
        ..Options::default()
    })?;
    let mut signals =
        Signals::new([SIGHUP, SIGINT, SIGTERM]).map_err(Error::system("wait for signals"))?;
    output::result(&format!("KUBECONFIG={}", cluster.kubeconfig().display()))
        .map_err(Error::system("print the result"))?;
    output::note(&format!(
        "the cluster runs at {}; Ctrl-C stops it",
        cluster.url()
    ));
    if nodes > 0 {
        output::note("its pods can run the image busybox:test-cluster");
    }
    while signals.pending().next().is_none() {
        cluster.check()?;
        std::thread::sleep(POLL_INTERVAL);
    }
    output::note("stopping ...");
    cluster.stop()
}
