//! Whether tests that need real nodes take part.

use std::env;

use crate::nodes::LARGEST;
use crate::output;

/// The variable that leaves out tests which need real nodes, if it is 0. Another number is how many
/// nodes they get, instead of one.
pub const NODES_VARIABLE: &str = "TEST_CLUSTER_NODES";

/// How many nodes the test at hand gets; `None`, with a line on standard error that names it, if
/// such tests are left out.
///
/// # Panics
///
/// If the variable `TEST_CLUSTER_NODES` is no number of nodes that a cluster can have.
pub fn nodes_for_tests() -> Option<u8> {
    let wanted = wanted(env::var(NODES_VARIABLE).ok().as_deref());
    if wanted == 0 {
        let thread = std::thread::current();
        let test = thread.name().unwrap_or("a test");
        // Past the test harness, which would keep quiet about it.
        output::note(&format!(
            "{test} is left out: it needs a node, and {NODES_VARIABLE} is 0"
        ));
    }
    (wanted > 0).then_some(wanted)
}

fn wanted(variable: Option<&str>) -> u8 {
    let Some(text) = variable.filter(|text| !text.is_empty()) else {
        return 1;
    };
    text.parse()
        .ok()
        .filter(|nodes| *nodes <= LARGEST)
        .unwrap_or_else(|| panic!("{NODES_VARIABLE} is {text:?}, not a number up to {LARGEST}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_node_is_the_default() {
        assert_eq!(wanted(None), 1);
        assert_eq!(wanted(Some("")), 1);
        assert_eq!(wanted(Some("0")), 0);
        assert_eq!(wanted(Some("2")), 2);
    }

    #[test]
    #[should_panic(expected = "not a number up to 8")]
    fn nonsense_does_not_leave_tests_out() {
        wanted(Some("no"));
    }
}
