//! Imports go one way: what each room may know of the others, and of the world outside.

use super::{
    paths::{self, Path},
    sources::{self, Source},
};

/// The domains, which know the engine and the resources, and never each other.
const DOMAINS: [&str; 4] = ["copy", "mirror", "pods", "rates"];

/// What a room may know of the others; none for a room without a place here.
fn known_to(room: &str) -> Option<&'static [&'static str]> {
    const ROOMS: &[&str] = &[
        "api",
        "cli",
        "cluster",
        "commands",
        "copy",
        "leadership",
        "installation",
        "mirror",
        "output",
        "pods",
        "rates",
        "reconcile",
        "telemetry",
    ];
    Some(match room {
        "api" | "reconcile" => &[],
        "installation" | "leadership" | "output" => &["api", "reconcile"],
        // It keeps the Lease that an election is about.
        "cluster" => &["api", "leadership", "reconcile"],
        "telemetry" => &["reconcile"],
        domain if DOMAINS.contains(&domain) => &["api", "reconcile"],
        // Flags such as `-o` and `--dry-run` parse into what the output is told.
        "cli" => &["output"],
        "commands" => &[
            "api",
            "cli",
            "cluster",
            "copy",
            "exit",
            "leadership",
            "logging",
            "installation",
            "mirror",
            "output",
            "pods",
            "rates",
            "reconcile",
            "telemetry",
        ],
        // The files beside lib.rs, which are part of it.
        "exit" | "logging" => ROOMS,
        _ => return None,
    })
}

/// What of kube is no client, and so may be named outside of `cluster`.
const HARMLESS_KUBE: [&str; 6] = [
    "core",
    "CustomResource",
    "CustomResourceExt",
    "KubeSchema",
    "Resource",
    "ResourceExt",
];

/// What a source file does that its room may not.
fn violations(source: &Source) -> Vec<String> {
    let module = module(&source.path);
    let room = module.first().copied().unwrap_or("lib");
    let complain = |path: &Path, why: &str| format!("{}: {}: {why}", source.path, path.join("::"));
    let mentioned = paths::mentioned(&source.text, &module);
    let checks = [may_know, may_name_kube, may_take_streams];
    mentioned
        .iter()
        .flat_map(|path| {
            checks
                .iter()
                .filter_map(move |check| Some((path, check(room, path)?)))
        })
        .map(|(path, why)| complain(path, &why))
        .collect()
}

/// Where in the crate a file under `src` is. A file of tests belongs to the file that it tests.
fn module(path: &str) -> Vec<&str> {
    let inner = path.trim_start_matches("src/").trim_end_matches(".rs");
    let mut module: Vec<&str> = inner.split('/').collect();
    match module.last().copied() {
        Some("mod") => {
            module.pop();
        }
        Some("lib") if module.len() == 1 => module.clear(),
        Some(name) => {
            if let Some(tested) = name.strip_suffix("_tests") {
                module.pop();
                module.extend([tested, "tests"]);
            }
        }
        None => {}
    }
    module
}

/// Which room of the crate may know which.
fn may_know(room: &str, path: &Path) -> Option<String> {
    if room == "main" {
        let known = ["kubectl_copyrator", "std"];
        return (!known.contains(&path[0].as_str()))
            .then(|| "main.rs only starts the library".to_owned());
    }
    if path[0] != "crate" || room == "lib" {
        return None;
    }
    let Some(known) = known_to(room) else {
        return Some(format!(
            "the room {room} has no place in tests/architecture/imports.rs"
        ));
    };
    let other = path.get(1).map_or("*", String::as_str);
    (other != room && !known.contains(&other)).then(|| format!("{room} must not know {other}"))
}

/// Only `cluster` talks to the API server.
fn may_name_kube(room: &str, path: &Path) -> Option<String> {
    let harmless = path
        .get(1)
        .is_some_and(|name| HARMLESS_KUBE.contains(&name.as_str()));
    (room != "cluster" && path[0] == "kube" && !harmless)
        .then(|| "only cluster names kube's client".to_owned())
}

/// Only `output` writes to the standard streams; whoever starts the program may too.
fn may_take_streams(room: &str, path: &Path) -> Option<String> {
    let takes = path.contains(&"io".to_owned())
        && path
            .last()
            .is_some_and(|name| name == "stdout" || name == "stderr");
    (takes && !["logging", "output", "lib", "main"].contains(&room))
        .then(|| "only output and logging take the standard streams".to_owned())
}

#[test]
fn every_room_knows_only_what_it_may() {
    let violations: Vec<String> = sources::in_folders(&["src"])
        .iter()
        .flat_map(violations)
        .collect();
    assert!(violations.is_empty(), "\n{}", violations.join("\n"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn violations_of(path: &str, text: &str) -> Vec<String> {
        violations(&Source {
            path: path.to_owned(),
            text: text.to_owned(),
        })
    }

    #[track_caller]
    fn refused(path: &str, text: &str, why: &str) {
        let violations = violations_of(path, text);
        let [violation] = violations.as_slice() else {
            panic!("one violation was expected: {violations:?}");
        };
        assert!(violation.ends_with(why), "{violation}");
    }

    #[track_caller]
    fn allowed(path: &str, text: &str) {
        assert_eq!(violations_of(path, text), Vec::<String>::new());
    }

    #[test]
    fn domains_know_the_engine_and_never_each_other() {
        allowed(
            "src/copy/rule.rs",
            "use crate::{api::Source, reconcile::*}; use super::names;",
        );
        refused(
            "src/copy/rule.rs",
            "use crate::rates::Rate;",
            "copy must not know rates",
        );
        refused(
            "src/copy/rule.rs",
            "use super::super::output::escape;",
            "copy must not know output",
        );
        refused(
            "src/copy/rule.rs",
            "fn f() { crate::cluster::connect() }",
            "copy must not know cluster",
        );
    }

    #[test]
    fn the_engine_and_the_resources_know_nobody() {
        refused(
            "src/reconcile/plan.rs",
            "use crate::api::T;",
            "reconcile must not know api",
        );
        refused(
            "src/api/mod.rs",
            "use crate::reconcile::T;",
            "api must not know reconcile",
        );
        refused(
            "src/api/check/mod.rs",
            "use crate::*;",
            "api must not know *",
        );
    }

    #[test]
    fn nobody_knows_the_library_above_but_the_binary() {
        refused(
            "src/output/mod.rs",
            "use crate::commands::sync;",
            "output must not know commands",
        );
        refused(
            "src/commands/sync.rs",
            "use crate::run;",
            "commands must not know run",
        );
        refused(
            "src/main.rs",
            "use crate::reconcile::Plan;",
            "main.rs only starts the library",
        );
        allowed("src/main.rs", "fn main() { kubectl_copyrator::run(); }");
        allowed(
            "src/lib.rs",
            "fn run() { commands::sync(crate::cluster::connect()) }",
        );
        allowed("src/exit.rs", "use crate::copy::CopyError;");
    }

    #[test]
    fn a_new_room_needs_a_place() {
        let why = "the room misc has no place in tests/architecture/imports.rs";
        refused("src/misc/mod.rs", "use crate::api::T;", why);
    }

    #[test]
    fn only_the_cluster_names_the_client() {
        allowed(
            "src/cluster/request.rs",
            "use kube::{Client, client::Body};",
        );
        allowed(
            "src/api/crd.rs",
            "use kube::{CustomResource, core::Selector}; #[kube(group = 1)] struct S;",
        );
        refused(
            "src/commands/sync.rs",
            "use kube::{Api as A};",
            "only cluster names kube's client",
        );
        refused(
            "src/commands/sync.rs",
            "fn f(c: kube::Client) {}",
            "only cluster names kube's client",
        );
        refused(
            "src/copy/rule.rs",
            "use kube as k;",
            "only cluster names kube's client",
        );
    }

    #[test]
    fn only_the_output_takes_the_streams() {
        allowed("src/output/streams.rs", "fn f() { std::io::stdout(); }");
        allowed(
            "src/copy/rule.rs",
            "fn f(c: C) { c.stdout(Stdio::piped()); io::stdin(); }",
        );
        let why = "only output and logging take the standard streams";
        refused("src/copy/rule.rs", "fn f() { std::io::stderr(); }", why);
        refused(
            "src/cluster/request.rs",
            "use std::io::{self, stdout};",
            why,
        );
    }
}
