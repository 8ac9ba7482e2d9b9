//! A watch over rules of a test, and how it must end.

use http::{Method, Uri};
use rustix::process::Signal;

use crate::sandbox::{Fault, Proxy, Running, Sandbox};

/// What a watch says once all is read.
pub const WATCHES: &str = "watching for changes; stop with Ctrl-C\n";

impl Sandbox {
    /// A corner with a source, some target namespaces, and a `regcred` in the source.
    pub async fn with_source(prefix: &str, targets: &[&str]) -> Self {
        Self::new(prefix).await.and_source(targets).await
    }

    /// The same, on a cluster that has the definition of rules.
    pub async fn ruled_with_source(prefix: &str, targets: &[&str]) -> Self {
        Self::ruled(prefix).await.and_source(targets).await
    }

    pub async fn and_source(self, targets: &[&str]) -> Self {
        self.namespaces(&["source"]).await;
        self.namespaces(targets).await;
        self.create_regcred("x").await;
        self
    }

    /// Watches rules given on standard input.
    pub async fn watch(&self, rules: &str) -> Running {
        self.watch_with(rules, &[]).await
    }

    /// Watches rules given on standard input, with more arguments.
    pub async fn watch_with(&self, rules: &str, arguments: &[&str]) -> Running {
        let arguments = [&["sync", "--watch", "-f", "-"], arguments].concat();
        begin(self.program(&arguments).stdin(rules).start().await).await
    }

    /// Watches the test's rules of these names, with more arguments.
    pub async fn watch_rules(&self, names: &[&str], arguments: &[&str]) -> Running {
        let names: Vec<String> = names.iter().map(|name| self.name(name)).collect();
        let names = names.iter().map(String::as_str);
        let words = ["sync", "--watch"].into_iter();
        let words: Vec<&str> = words
            .chain(names)
            .chain(arguments.iter().copied())
            .collect();
        begin(self.program(&words).start().await).await
    }

    /// Asserts that a sync of the test's rules of these names succeeds without a single write.
    pub async fn is_in_step_by_name(&self, names: &[&str]) {
        let names: Vec<String> = names.iter().map(|name| self.name(name)).collect();
        let names = names.iter().map(String::as_str);
        let words: Vec<&str> = ["sync"].into_iter().chain(names).collect();
        let (ran, writes) = self.writes_of(&words, "").await;
        ran.wrote_nothing();
        assert_eq!(writes, [""; 0]);
    }

    /// A watch over rules on standard input, through a proxy with these faults.
    pub async fn watch_through(
        &self,
        rules: &str,
        faults: impl Fn(&Method, &Uri) -> Fault + Send + Sync + 'static,
    ) -> (Proxy, Running) {
        self.watch_through_with(rules, &[], faults).await
    }

    pub async fn watch_through_with(
        &self,
        rules: &str,
        arguments: &[&str],
        faults: impl Fn(&Method, &Uri) -> Fault + Send + Sync + 'static,
    ) -> (Proxy, Running) {
        let proxy = self.proxy(faults).await;
        let arguments = [&["sync", "--watch", "-f", "-"], arguments].concat();
        let started = proxy.program(&arguments).stdin(rules).start().await;
        (proxy, begin(started).await)
    }
}

pub async fn begin(running: Running) -> Running {
    running.says(WATCHES).await;
    running
}

/// Stops a watch, and asserts that it left nothing undone.
pub async fn ends(running: Running) {
    let ran = running.stop(Signal::INT).await.failed_with(130);
    assert!(!ran.stderr.contains("not reached"), "{ran:#?}");
}

/// Whether a request writes.
pub fn is_write(request: &str) -> bool {
    !request.starts_with("GET ")
}

/// The requests that write.
pub fn writes(requests: &[String]) -> Vec<&str> {
    let writes = requests.iter().map(String::as_str);
    writes.filter(|request| is_write(request)).collect()
}

/// Whether a request begins to follow something.
pub fn is_watch(request: &str) -> bool {
    request.starts_with("GET ") && request.contains("watch=1")
}
