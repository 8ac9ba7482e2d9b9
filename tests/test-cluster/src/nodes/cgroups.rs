//! The control groups of a cluster's nodes: one folder in each hierarchy, named after the
//! cluster's folder, so that whoever removes the one knows the other.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use crate::digest;
use crate::directory::PREFIX;
use crate::error::Error;

const ROOT: &str = "/sys/fs/cgroup";

/// What version 1's cpuset leaves empty in a new group, which can't hold a process until then.
const INHERITED: [&str; 2] = ["cpuset.cpus", "cpuset.mems"];

/// What version 2 has to pass on to pods' groups, where there is such a controller.
const DELEGATED: [&str; 6] = ["cpu", "cpuset", "hugetlb", "io", "memory", "pids"];

/// The name of the control group of a cluster in this folder.
pub(crate) fn name(folder: &Path) -> String {
    let digest = digest::of_bytes(folder.as_os_str().as_bytes());
    format!("{PREFIX}{}", &digest[..12])
}

/// Makes the groups of one node: `CLUSTER/NODE` for pods, and `system` in it for the node itself.
pub(crate) fn create(cluster: &str, node: &str) -> Result<(), Error> {
    let root = Path::new(ROOT);
    if is_unified(root) {
        return create_in(root, &[cluster, node, "system"], delegate);
    }
    let entries = fs::read_dir(root).map_err(Error::file("read", root))?;
    for hierarchy in entries.flatten().map(|entry| entry.path()) {
        if is_hierarchy(&hierarchy) {
            create_in(&hierarchy, &[cluster, node, "system"], inherit)?;
        }
    }
    Ok(())
}

/// Version 2 has all controllers in one hierarchy.
fn is_unified(root: &Path) -> bool {
    root.join("cgroup.controllers").exists()
}

/// Not a link to one, as `cpu` is where it shares a hierarchy with `cpuacct`.
fn is_hierarchy(path: &Path) -> bool {
    !path.is_symlink() && path.join("cgroup.procs").exists()
}

fn create_in(
    hierarchy: &Path,
    names: &[&str],
    prepare: fn(&Path, &Path) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut group = hierarchy.to_owned();
    for name in names {
        let parent = group.clone();
        group.push(name);
        fs::create_dir_all(&group).map_err(Error::file("create", &group))?;
        prepare(&parent, &group)?;
    }
    Ok(())
}

fn inherit(parent: &Path, group: &Path) -> Result<(), Error> {
    for file in INHERITED {
        let (from, to) = (parent.join(file), group.join(file));
        if from.exists() {
            copy(&from, &to)?;
        }
    }
    Ok(())
}

/// Version 2 has a group's controllers only where its parent passes them on.
fn delegate(parent: &Path, _group: &Path) -> Result<(), Error> {
    let controllers = read(&parent.join("cgroup.controllers"))?;
    let switch = parent.join("cgroup.subtree_control");
    for controller in controllers
        .split_whitespace()
        .filter(|name| DELEGATED.contains(name))
    {
        write(&switch, &format!("+{controller}"))?;
    }
    Ok(())
}

fn copy(from: &PathBuf, to: &PathBuf) -> Result<(), Error> {
    write(to, read(from)?.trim())
}

fn read(path: &PathBuf) -> Result<String, Error> {
    fs::read_to_string(path).map_err(Error::file("read", path))
}

fn write(path: &PathBuf, text: &str) -> Result<(), Error> {
    fs::write(path, text).map_err(Error::file("write", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_named_after_its_cluster_s_folder() {
        let one = name(Path::new("/tmp/a"));
        assert_eq!(one, name(Path::new("/tmp/a")));
        assert_ne!(one, name(Path::new("/tmp/b")));
        assert!(one.starts_with(PREFIX), "{one}");
    }

    #[test]
    fn a_new_cpuset_gets_what_its_parent_has() {
        let parent = tempfile::tempdir().expect("a temporary folder");
        for file in INHERITED {
            fs::write(parent.path().join(file), "0-1\n").expect("a written file");
        }
        create_in(parent.path(), &["a", "b"], inherit).expect("groups");
        let copied = parent.path().join("a/b/cpuset.mems");
        assert_eq!(fs::read_to_string(copied).expect("a file"), "0-1");
    }

    #[test]
    fn version_2_passes_its_controllers_on() {
        let parent = tempfile::tempdir().expect("a temporary folder");
        fs::write(parent.path().join("cgroup.controllers"), "memory rdma\n")
            .expect("a written file");
        create_in(parent.path(), &["a"], delegate).expect("a group");
        let switched = fs::read_to_string(parent.path().join("cgroup.subtree_control"));
        assert_eq!(switched.expect("a file"), "+memory");
    }
}
