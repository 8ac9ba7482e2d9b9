//! What can go wrong, on which object, and what to do about it.

use std::error::Error as _;
use std::io;
use std::path::{Path, PathBuf};

/// Why a test cluster could not be built, started, or stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no Go compiler.
    #[error(
        "cannot build {component}: there is no `go` command in PATH; install Go {needed} or \
         newer, or set KUBEBUILDER_ASSETS to a folder that holds the binaries"
    )]
    GoMissing {
        /// What was to be built.
        component: &'static str,
        /// The oldest version that will do.
        needed: String,
    },
    /// There is a Go compiler, but an old one.
    #[error("cannot build {component}: Go {needed} or newer is needed; install it\n{output}")]
    GoTooOld {
        /// What was to be built.
        component: &'static str,
        /// The oldest version that will do.
        needed: String,
        /// What `go` said.
        output: String,
    },
    /// A Go module could not be fetched.
    #[error(
        "cannot build {component}: its Go modules could not be downloaded; check the network and \
         `go env GOPROXY`, then try again\n{output}"
    )]
    Download {
        /// What was to be built.
        component: &'static str,
        /// What `go` said.
        output: String,
    },
    /// The compiler failed.
    #[error("cannot build {component}: `go build` failed with {status}\n{output}")]
    Build {
        /// What was to be built.
        component: &'static str,
        /// How `go` ended.
        status: std::process::ExitStatus,
        /// What `go` said.
        output: String,
    },
    /// `KUBEBUILDER_ASSETS` names a folder that lacks a binary.
    #[error(
        "KUBEBUILDER_ASSETS is {}, which has no executable {name}; unset it to have everything \
         built, or put {name} there{}", folder.display(), controllers_hint(name)
    )]
    AssetMissing {
        /// The binary's name.
        name: &'static str,
        /// Where it should have been.
        folder: PathBuf,
    },
    /// There is no place for the built binaries.
    #[error("there is no cache folder: set HOME, or XDG_CACHE_HOME to an absolute path")]
    NoCacheFolder,
    /// An operation on a file or folder failed.
    #[error("cannot {action} {}", path.display())]
    File {
        /// What was tried, as in "create".
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The operating system refused something that is no file.
    #[error("cannot {action}")]
    System {
        /// What was tried.
        action: &'static str,
        /// Why not.
        source: io::Error,
    },
    /// A key or certificate could not be made.
    #[error("cannot make the {subject}")]
    Certificate {
        /// Which one.
        subject: String,
        /// Why not.
        source: rcgen::Error,
    },
    /// The TLS client that watches the API server could not be set up.
    #[error("cannot set up the TLS client for the API server")]
    Tls(#[source] rustls::Error),
    /// A program could not be started.
    #[error("cannot start {}", program.display())]
    Spawn {
        /// The program.
        program: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A component ended while the cluster was coming up.
    #[error("{name} ended early, {status}; the end of {}:\n{tail}", log.display())]
    Exited {
        /// The component.
        name: &'static str,
        /// How it ended.
        status: std::process::ExitStatus,
        /// Its log.
        log: PathBuf,
        /// The log's last lines.
        tail: String,
    },
    /// The cluster did not come up in time.
    #[error(
        "{goal} did not happen within {seconds} s, last: {last}; the end of {}:\n{tail}",
        log.display()
    )]
    NotReady {
        /// What was waited for.
        goal: &'static str,
        /// How long.
        seconds: u64,
        /// What the last attempt said.
        last: String,
        /// The log of the component at fault.
        log: PathBuf,
        /// The log's last lines.
        tail: String,
    },
    /// The folder belongs to a cluster that is running.
    #[error("{} belongs to a cluster that is running; stop it, or give another --dir", .0.display())]
    DirectoryInUse(PathBuf),
    /// The folder holds somebody's files.
    #[error(
        "{} is neither empty nor a test cluster's; a cluster removes its folder when it stops, so \
         give a --dir that doesn't exist", .0.display()
    )]
    DirectoryTaken(PathBuf),
    /// The folder is still there although the cluster stopped.
    #[error("{} could not be removed; remove it by hand", .0.display())]
    DirectoryRemains(PathBuf),
    /// More nodes were asked for than a cluster can have.
    #[error("{wanted} nodes were asked for, but a cluster has {most} at most")]
    TooManyNodes {
        /// How many were asked for.
        wanted: u8,
        /// How many are possible.
        most: u8,
    },
    /// Nodes need rights that this user lacks.
    #[error(
        "real nodes need root, for their namespaces and mounts; run this as root, or do without \
         nodes{}",
        leave_out_hint()
    )]
    NodesNeedRoot,
    /// Programs that nodes are made of are missing, and can't be installed.
    #[error(
        "real nodes need {programs}, which this machine lacks; install them (Debian has them in \
         the packages {packages}), or do without nodes{}",
        leave_out_hint()
    )]
    ProgramsMissing {
        /// The programs.
        programs: String,
        /// What they are called in Debian.
        packages: String,
    },
    /// As many clusters with nodes run as the address range has room for.
    #[error("{0} clusters with nodes run on this machine already, and there is no room for more")]
    NoRoomForNodes(u8),
    /// A program of the machine failed.
    #[error("`{command}` failed, {status}\n{output}")]
    Command {
        /// The program and its arguments.
        command: String,
        /// How it ended.
        status: std::process::ExitStatus,
        /// What it said.
        output: String,
    },
    /// An image can't be made or loaded.
    #[error("image {image}: {reason}")]
    Image {
        /// The image's name.
        image: String,
        /// Why not.
        reason: String,
    },
    /// A client certificate can't name so many groups.
    #[error("user {user} is to be in more groups than the {most} that a test user can have")]
    TooManyGroups {
        /// The user.
        user: String,
        /// How many groups are possible.
        most: usize,
    },
    /// A user's name can't be a file name.
    #[error("{0:?} can't name a user's kubeconfig: it is empty, starts with a dot, or has a slash")]
    UserName(String),
}

impl Error {
    pub(crate) fn file(
        action: &'static str,
        path: impl AsRef<Path>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.as_ref().to_owned();
        move |source| Self::File {
            action,
            path,
            source,
        }
    }

    pub(crate) fn system<E: Into<io::Error>>(action: &'static str) -> impl FnOnce(E) -> Self {
        move |source| Self::System {
            action,
            source: source.into(),
        }
    }
}

fn controllers_hint(name: &str) -> &'static str {
    match name {
        crate::components::CONTROLLER_MANAGER => ", or start without controllers",
        _ => "",
    }
}

fn leave_out_hint() -> String {
    format!(
        " ({}=0 leaves out the tests that need one)",
        crate::NODES_VARIABLE
    )
}

/// The error with all its causes, on one line but for logs that it quotes.
pub fn report(error: &Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

/// The end of a log or another long text, to quote it.
pub(crate) fn last_lines(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_lines_are_the_end() {
        assert_eq!(last_lines("a\nb\nc\n", 2), "b\nc");
        assert_eq!(last_lines("a", 2), "a");
    }

    #[test]
    fn a_report_has_the_causes() {
        let error = Error::file("open", "/f")(io::Error::other("it is haunted"));
        assert_eq!(report(&error), "cannot open /f: it is haunted");
    }
}
