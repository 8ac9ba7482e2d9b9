//! The generated reference under `docs/reference`: it must say what the program says.
//!
//! `UPDATE_REFERENCE=1 cargo test reference` writes it anew.

mod commands;

use std::{env, fs, path::Path};

use kubectl_copyrator::api::{custom_resource_definitions, yaml::to_yaml_documents};

/// Asserts that a file under `docs/reference` holds this text, or writes it when asked to.
fn assert_fresh(file: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("docs/reference")
        .join(file);
    if env::var_os("UPDATE_REFERENCE").is_some() {
        fs::write(&path, text).expect("the reference can be written");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == text,
        "docs/reference/{file} is stale; write it anew: UPDATE_REFERENCE=1 cargo test reference"
    );
}

#[test]
fn the_commands_are_those_of_the_program() {
    assert_fresh("commands.md", &commands::reference());
}

#[test]
fn the_definitions_are_those_of_the_program() {
    let definitions = custom_resource_definitions();
    assert_fresh(
        "crds.yaml",
        &to_yaml_documents(&definitions).expect("definitions are YAML"),
    );
}
