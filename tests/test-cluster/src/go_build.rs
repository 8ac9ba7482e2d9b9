//! Compiles one component with the Go tool chain.
//!
//! Without cgo, so that no C compiler is needed and the binaries need no shared libraries.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::components::{Component, Module};
use crate::error::{Error, last_lines};

/// Flags of every build; they are part of what a cached binary depends on.
pub(crate) const FLAGS: [&str; 2] = ["-trimpath", "-mod=readonly"];

const QUOTED_LINES: usize = 20;

/// Builds a component from its module, whose files are put under `sources`, as `output`.
pub(crate) fn build(
    component: &'static Component,
    sources: &Path,
    output: &Path,
) -> Result<(), Error> {
    let module = sources.join(component.module.name);
    write_module(component.module, &module)?;
    let result = command(component, &module, output)
        .output()
        .map_err(|source| match source.kind() {
            ErrorKind::NotFound => Error::GoMissing {
                component: component.name,
                needed: needed_go(component.module),
            },
            _ => Error::Spawn {
                program: "go".into(),
                source,
            },
        })?;
    if result.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&result.stderr);
    Err(explain(component, &said, result.status))
}

fn write_module(module: &Module, folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(Error::file("create", folder))?;
    for (name, text) in [("go.mod", module.go_mod), ("go.sum", module.go_sum)] {
        let path = folder.join(name);
        fs::write(&path, text).map_err(Error::file("write", &path))?;
    }
    Ok(())
}

fn command(component: &Component, module: &Path, output: &Path) -> Command {
    let mut command = Command::new("go");
    command
        .arg("build")
        .args(FLAGS)
        .args(["-ldflags", &component.module.linker_flags(), "-o"])
        .arg(output)
        .arg(component.package)
        .current_dir(module)
        .env("CGO_ENABLED", "0")
        // A workspace above the cache would replace the pinned versions.
        .env("GOWORK", "off")
        .env_remove("GOOS")
        .env_remove("GOARCH")
        .stdin(Stdio::null());
    command
}

/// The oldest Go that the module accepts, from its `go` line.
fn needed_go(module: &Module) -> String {
    let line = module
        .go_mod
        .lines()
        .find_map(|line| line.strip_prefix("go "));
    line.unwrap_or_default().trim().to_owned()
}

fn explain(component: &Component, said: &str, status: std::process::ExitStatus) -> Error {
    const NETWORK: [&str; 7] = [
        "dial tcp",
        "i/o timeout",
        "connection refused",
        "no such host",
        "proxyconnect",
        "reading http",
        "module lookup disabled",
    ];
    let name = component.name;
    let output = last_lines(said, QUOTED_LINES);
    if said.contains("requires go >=") || said.contains("invalid go version") {
        return Error::GoTooOld {
            component: name,
            needed: needed_go(component.module),
            output,
        };
    }
    if NETWORK.iter().any(|sign| said.contains(sign)) {
        return Error::Download {
            component: name,
            output,
        };
    }
    Error::Build {
        component: name,
        status,
        output,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::{COMPONENTS, ETCD, KUBERNETES};

    fn explained(said: &str) -> Error {
        explain(&COMPONENTS[0], said, std::process::ExitStatus::default())
    }

    #[test]
    fn an_old_go_is_named() {
        let said = "go: go.mod requires go >= 1.26.0 (running go 1.24.1; GOTOOLCHAIN=local)";
        let error = explained(said);
        assert!(matches!(error, Error::GoTooOld { .. }), "{error}");
        assert!(
            error.to_string().contains("Go 1.26.0 or newer is needed"),
            "{error}"
        );
    }

    #[test]
    fn a_failed_download_is_named() {
        let said = "go: example.com/m@v1.0.0: Get \"https://proxy/m\": dial tcp: lookup failed";
        let error = explained(said);
        assert!(matches!(error, Error::Download { .. }), "{error}");
    }

    #[test]
    fn other_failures_quote_the_compiler() {
        let error = explained("main.go:1: syntax error");
        assert!(matches!(error, Error::Build { .. }), "{error}");
        assert!(error.to_string().contains("syntax error"), "{error}");
    }

    #[test]
    fn the_needed_go_is_in_the_modules() {
        assert!(needed_go(&ETCD).starts_with("1."));
        assert!(needed_go(&KUBERNETES).starts_with("1."));
    }
}
