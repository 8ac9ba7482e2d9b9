//! How the user's own program is run, with programs that every system has.

use super::*;
use crate::output::{
    Document,
    fixtures::{PLANTED, captured, desired, planted, secret},
};

fn run_on_creation(
    command: &str,
    secrecy: Secrecy,
) -> (Result<bool, ExternalDiffError>, String, String) {
    let key = secret("team-a", "regcred");
    let wanted = desired(key.clone(), planted());
    let change = Change {
        key: &key,
        before: None,
        after: Some(Document::desired(&wanted)),
    };
    let (mut streams, out, err) = captured();
    let result = external_diff(command, &[change], secrecy, &mut streams);
    (result, out.text(), err.text())
}

#[test]
fn exit_code_one_means_differences() {
    let (result, out, _) = run_on_creation("diff -u -N --label ; rm", Secrecy::Masked);
    assert!(result.unwrap());
    assert!(
        out.contains("+  password: '***'") || out.contains("+  password: \"***\""),
        "{out}"
    );
    assert!(!out.contains(PLANTED));
}

#[test]
fn exit_code_zero_means_none() {
    assert!(!run_on_creation("true", Secrecy::Masked).0.unwrap());
}

#[test]
fn higher_exit_codes_are_failures() {
    let (result, _, err) = run_on_creation("diff --no-such-option", Secrecy::Masked);
    assert!(matches!(result, Err(ExternalDiffError::Failed { .. })));
    assert!(err.contains("no-such-option"), "{err}");
}

#[test]
fn a_missing_program_is_named() {
    let (result, ..) = run_on_creation("no-such-program-anywhere -u", Secrecy::Masked);
    assert_eq!(
        result.unwrap_err().to_string(),
        "failed to run \"no-such-program-anywhere\", which KUBECTL_EXTERNAL_DIFF names"
    );
}

#[test]
fn arguments_are_those_that_kubectl_accepts() {
    let accepted: Vec<_> = "-u --color=always a;b $(x) ../y  -N"
        .split(' ')
        .filter(|word| is_accepted(word))
        .collect();
    assert_eq!(accepted, ["-u", "--color=always", "-N"]);
}

#[cfg(unix)]
#[test]
fn files_are_private_and_removed() {
    use std::os::unix::fs::PermissionsExt;
    let key = secret("team-a", "regcred");
    let wanted = desired(key.clone(), planted());
    let change = Change {
        key: &key,
        before: None,
        after: Some(Document::desired(&wanted)),
    };
    let (live, merged) = write_states(&[change], Secrecy::Shown).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let file = merged.path().join("v1.Secret.team-a.regcred");
    assert_eq!(
        (mode(live.path()), mode(merged.path()), mode(&file)),
        (0o700, 0o700, 0o600)
    );
    assert!(fs::read_to_string(&file).unwrap().contains(PLANTED));
    drop((live, merged));
    assert!(!file.exists());
}
