//! Who stands for election: a name that no other process has, this one's next start included.

use std::{
    env, fmt, fs,
    hash::{BuildHasher, Hasher, RandomState},
};

/// Where Linux tells the machine's name; in a Pod, the Pod's.
const HOST_NAME: &str = "/proc/sys/kernel/hostname";

/// The name of a process in an election.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity(String);

impl Identity {
    /// A new name for this process: the machine's, so that a person finds it, and a suffix of chance.
    pub fn of_process() -> Self {
        Self::on_host(&host_name())
    }

    fn on_host(host: &str) -> Self {
        Self(format!("{host}_{:016x}", chance()))
    }

    /// The name as the Lease holds it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Identity {
    fn from(name: &str) -> Self {
        Self(name.to_owned())
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.0)
    }
}

/// The operating system gives a thread's first `RandomState` its keys, and every further one has others.
fn chance() -> u64 {
    RandomState::new().build_hasher().finish()
}

fn host_name() -> String {
    let told = ["HOSTNAME", "COMPUTERNAME"]
        .into_iter()
        .find_map(|variable| env::var(variable).ok());
    let name = told.or_else(|| fs::read_to_string(HOST_NAME).ok());
    let name = name.unwrap_or_default();
    match name.trim() {
        "" => "unnamed".to_owned(),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_processes_on_a_machine_differ() {
        let (one, other) = (Identity::on_host("node"), Identity::on_host("node"));
        assert!(one.as_str().starts_with("node_"), "{one}");
        assert_ne!(one, other);
    }
}
