//! The namespace that the controller itself is in.

use std::env;

use crate::{cli::KubeFlags, reconcile::Namespace};

/// A Deployment tells its Pods by this variable.
const VARIABLE: &str = "NAMESPACE";

/// The namespace of the flag, or else of the environment, or else of the connection.
pub fn own_namespace(flags: &KubeFlags, of_connection: &str) -> Namespace {
    chosen(
        flags.namespace.as_deref(),
        env::var(VARIABLE).ok().as_deref(),
        of_connection,
    )
}

fn chosen(flag: Option<&str>, variable: Option<&str>, of_connection: &str) -> Namespace {
    let said = [flag, variable].into_iter().flatten();
    let said = said.map(str::trim).find(|name| !name.is_empty());
    Namespace::from(said.unwrap_or(of_connection))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flag_comes_before_the_environment_and_that_before_the_connection() {
        let chosen = |flag, variable| chosen(flag, variable, "default").to_string();
        assert_eq!(chosen(Some("flag"), Some("variable")), "flag");
        assert_eq!(chosen(Some(""), Some("variable")), "variable");
        assert_eq!(chosen(None, Some("")), "default");
        assert_eq!(chosen(None, None), "default");
    }
}
