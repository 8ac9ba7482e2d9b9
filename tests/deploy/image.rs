//! The image: it runs as whom the pods run as, and is built with the compiler that the program needs.

use std::{fs, path::Path};

use crate::sandbox::Invocation;

fn dockerfile() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/Dockerfile");
    fs::read_to_string(path).expect("there is a Dockerfile")
}

#[tokio::test]
async fn the_user_of_the_image_is_that_of_the_pods() {
    let nowhere = Path::new("/nonexistent/kubeconfig");
    let printed = Invocation::new(nowhere, &["deploy", "-o", "yaml"])
        .run()
        .await;
    let printed = printed.succeeded().stdout;
    let user = |line: &str| line.trim().strip_prefix("runAsUser: ").map(str::to_owned);
    let user = printed
        .lines()
        .find_map(user)
        .expect("the pods have a user");
    let group = printed.contains(&format!("runAsGroup: {user}\n"));
    assert!(group, "{printed}");
    assert!(dockerfile().contains(&format!("\nUSER {user}:{user}\n")));
}

#[test]
fn the_compiler_is_the_oldest_that_will_do() {
    let needed = env!("CARGO_PKG_RUST_VERSION");
    assert!(dockerfile().contains(&format!("\nFROM rust:{needed}-alpine AS build\n")));
}

/// What the lock file says, and nothing newer.
#[test]
fn the_image_is_built_from_what_is_locked() {
    assert!(dockerfile().contains(" --release --locked"));
}
