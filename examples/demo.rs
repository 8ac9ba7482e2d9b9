//! The main job on a throwaway control plane, as a newcomer would do it: install the CRD, write a
//! rule, see the plan, sync, sync again, and heal what somebody broke.
//!
//! `cargo run --example demo` needs nothing but Rust and Go.

use std::{
    error::Error,
    ffi::OsString,
    io::{self, Write},
    process::ExitCode,
};

use kubectl_copyrator::output::Streams;
use test_cluster::TestCluster;

/// The folder of the rule that is applied.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/");

type Outcome = Result<(), Box<dyn Error>>;

fn main() -> Outcome {
    let demo = Demo {
        cluster: TestCluster::start()?,
    };
    demo.copy()?;
    demo.heal()?;
    demo.clean_up()?;
    Ok(demo.cluster.stop()?)
}

struct Demo {
    cluster: TestCluster,
}

impl Demo {
    fn copy(&self) -> Outcome {
        say("A cluster with a pull secret in `default`, and three teams that need it:")?;
        for team in ["team-a", "team-b", "team-c"] {
            self.kubectl(&["create", "namespace", team])?;
        }
        let password = "--from-literal=password=hunter2";
        self.kubectl(&["create", "secret", "generic", "regcred", password])?;

        say("Let the cluster hold rules, and give it one:")?;
        self.copyrator(&["crd", "install"], 0)?;
        self.kubectl(&["apply", "-f", "examples/pull-secrets.yaml"])?;

        say("What would happen? The values of Secrets are masked:")?;
        self.copyrator(&["diff"], 1)?;

        say("Do it, and do it again: the second run writes nothing.")?;
        self.copyrator(&["sync"], 0)?;
        self.copyrator(&["sync"], 0)
    }

    fn heal(&self) -> Outcome {
        say("Somebody edits one copy, deletes another, and team-c goes away:")?;
        let edit = r#"{"stringData":{"password":"oops"}}"#;
        self.kubectl(&["patch", "secret", "regcred", "-n", "team-a", "-p", edit])?;
        self.kubectl(&["delete", "secret", "regcred", "-n", "team-b"])?;
        self.kubectl(&["delete", "namespace", "team-c"])?;
        self.copyrator(&["sync", "-o", "wide"], 0)?;

        say("A secret that is somebody else's is left alone, and told:")?;
        self.kubectl(&["create", "namespace", "team-d"])?;
        self.kubectl(&["create", "secret", "generic", "regcred", "-n", "team-d"])?;
        self.copyrator(&["sync"], 1)
    }

    fn clean_up(&self) -> Outcome {
        say("Without the rule its copies go, and only they:")?;
        self.kubectl(&["delete", "copyratorrule", "pull-secrets"])?;
        self.copyrator(&["sync"], 0)?;
        self.kubectl(&["get", "secrets", "-A"])
    }

    fn kubectl(&self, arguments: &[&str]) -> Outcome {
        show("kubectl", arguments)?;
        let status = self
            .cluster
            .kubectl()
            .current_dir(FOLDER)
            .args(arguments)
            .status()?;
        if status.success() {
            Ok(())
        } else {
            Err(format!("kubectl ended with {status}").into())
        }
    }

    /// Runs the program within this process, and checks that it ends as announced.
    fn copyrator(&self, arguments: &[&str], expected: u8) -> Outcome {
        show("kubectl copyrator", arguments)?;
        let mut words: Vec<OsString> = vec!["kubectl-copyrator".into()];
        words.extend(arguments.iter().map(OsString::from));
        words.extend(["--kubeconfig".into(), self.cluster.kubeconfig().into()]);
        let code = kubectl_copyrator::run_with(&words, &mut Streams::standard());
        if code == ExitCode::from(expected) {
            Ok(())
        } else {
            Err(format!("it ended with {code:?} instead of {expected}").into())
        }
    }
}

fn say(text: &str) -> Outcome {
    Ok(writeln!(io::stdout(), "\n# {text}")?)
}

/// Shows a command as it would be typed.
fn show(program: &str, arguments: &[&str]) -> Outcome {
    let words: Vec<String> = arguments.iter().map(|word| quoted(word)).collect();
    Ok(writeln!(io::stdout(), "$ {program} {}", words.join(" "))?)
}

fn quoted(word: &str) -> String {
    let is_plain =
        |character: char| character.is_ascii_alphanumeric() || "-_./=:".contains(character);
    if word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{word}'")
    }
}
