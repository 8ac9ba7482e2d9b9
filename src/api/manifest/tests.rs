//! Tests of reading rule files: what is found, and every message in full.

use std::fmt::Write as _;
use std::fs;
use std::io::Cursor;
use std::path::PathBuf;

use insta::assert_snapshot;
use kube::ResourceExt;
use proptest::prelude::*;

use super::{MAX_BYTES, load, parse};
use crate::api::CopyratorRule;

const GOOD: &str = r#"apiVersion: copyrator.dev/v1alpha1
kind: CopyratorRule
metadata:
  name: pull-secrets
spec:
  resource: Secret
  source:
    namespaces: [default]
    names: [regcred]
  target:
    namespaces: ["team-*"]
"#;

/// What a person reads about a text: the names of its rules, or its problems.
fn shown(text: &str) -> String {
    let lines: Vec<String> = match parse::<CopyratorRule>("rules.yaml", text) {
        Ok(rules) => rules
            .iter()
            .map(|rule| format!("{}: {}", rule.place, rule.item.name_any()))
            .collect(),
        Err(problems) => problems.iter().map(ToString::to_string).collect(),
    };
    lines.join("\n")
}

/// What a person reads about the good rule after a replacement in its text.
fn shown_with(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from));
    shown(&GOOD.replace(from, to))
}

fn named(name: &str) -> String {
    GOOD.replace("pull-secrets", name)
}

#[test]
fn rules_are_found_in_documents_and_lists() {
    let stream = format!(
        "# a comment\n---\n{GOOD}---\n---\nnull\n---\n{}...\n",
        named("second")
    );
    assert_snapshot!(shown(&stream), @r"
    rules.yaml:3:1: pull-secrets
    rules.yaml:18:1: second
    ");
    let mut list = "apiVersion: v1\nkind: List\nitems:\n".to_owned();
    for line in GOOD.lines() {
        let indent = if line.starts_with("apiVersion") {
            "- "
        } else {
            "  "
        };
        writeln!(list, "{indent}{line}").unwrap();
    }
    assert_snapshot!(shown(&list), @r"rules.yaml:4:3: pull-secrets");
    assert_snapshot!(shown("apiVersion: v1\nkind: List\nitems: []\n"), @r"");
    assert_snapshot!(shown(&format!("\u{feff}{GOOD}")), @r"rules.yaml:1:1: pull-secrets");
    assert_snapshot!(shown(&GOOD.replace('\n', "\r\n")), @r"rules.yaml:1:1: pull-secrets");
}

#[test]
fn json_is_read_with_tabs_and_escapes() {
    let rule = &parse::<CopyratorRule>("rules.yaml", GOOD).unwrap()[0].item;
    let json = serde_json::to_string_pretty(rule)
        .unwrap()
        .replace("  ", "\t");
    assert_snapshot!(shown(&json), @r"rules.yaml:1:1: pull-secrets");
    assert_snapshot!(shown(&json.replace("team-", r"\u0074eam\/\ud83d\ude00")), @r#"rules.yaml:19:5: spec.target.namespaces[0]: a glob has only lowercase letters, digits, "-", "." and the wildcards *, ?, [a-z] and {a,b}; close every bracket, and leave no choice empty"#);
}

#[test]
fn anchors_and_merge_keys_are_expanded() {
    let text = GOOD
        .replace(
            "names: [regcred]",
            "<<: {names: &names [regcred], namespaces: [lost]}",
        )
        .replace("namespaces: [\"team-*\"]", "namespaces: *names");
    let rule = parse::<CopyratorRule>("rules.yaml", &text)
        .unwrap()
        .remove(0)
        .item;
    assert_eq!(rule.spec.source.namespaces, ["default"]);
    assert_eq!(rule.spec.source.names, rule.spec.target.namespaces);
}

#[test]
fn every_problem_of_a_file_is_named_at_once() {
    let text = GOOD
        .replace("name: pull", "nmae: pull")
        .replace("resource: Secret", "resource: secret")
        .replace(
            "names: [regcred]",
            "names: [on, TLS, '[z-a]']\n    tpyes: [Opaque]",
        )
        .replace("namespaces: [\"team-*\"]", "selector: {}");
    assert_snapshot!(shown(&format!("{text}---\nkind: Secret\napiVersion: v1\n")), @r#"
    rules.yaml:4:3: metadata.nmae: unknown field "nmae"; did you mean "name"?
    rules.yaml:6:13: spec.resource: Unsupported value: "secret": supported values: "Secret", "ConfigMap"
    rules.yaml:9:13: spec.source.names[0]: must be of type string, but on is read as a boolean; quote it: "on"
    rules.yaml:9:17: spec.source.names[1]: a glob has only lowercase letters, digits, "-", "." and the wildcards *, ?, [a-z] and {a,b}; close every bracket, and leave no choice empty
    rules.yaml:9:22: spec.source.names[2]: the range z-a runs backwards; write a-z
    rules.yaml:10:5: spec.source.tpyes: unknown field "tpyes"; did you mean "types"?
    rules.yaml:12:15: spec.target.selector: an empty selector would select everything and is refused; give matchLabels or matchExpressions, or leave the selector out
    rules.yaml:14:7: kind: the kind "Secret" is no rule: only objects with kind: CopyratorRule and apiVersion: copyrator.dev/v1alpha1 are read; move this one to another file
    "#);
}

#[test]
fn syntax_errors_come_with_a_way_out() {
    assert_snapshot!(shown_with("[\"team-*\"]", "[*]"), @r#"rules.yaml:11:18: not valid YAML: while scanning an anchor or alias, did not find expected alphabetic or numeric character; an unquoted * starts an alias: quote a glob ("*"), or define the anchor before its use"#);
    assert_snapshot!(shown_with("[\"team-*\"]", "*all"), @r#"rules.yaml:11:17: not valid YAML: while parsing node, found unknown anchor; an unquoted * starts an alias: quote a glob ("*"), or define the anchor before its use"#);
    assert_snapshot!(shown_with("[\"team-*\"]", "[\"team-*\""), @r"rules.yaml:11:17: not valid YAML: unclosed bracket '['; close the bracket");
    assert_snapshot!(shown_with("[\"team-*\"]", "[\"team-*]"), @r"rules.yaml:11:18: not valid YAML: unclosed quote; close the quote before the end of the line");
    assert_snapshot!(shown_with("  source:", "\tsource:"), @r"rules.yaml:6:13: not valid YAML: while scanning a plain scalar, found a tab; indent with spaces, not with tabs");
    assert_snapshot!(shown_with("resource: Secret", "resource: Secret: v1"), @r#"rules.yaml:6:19: not valid YAML: mapping values are not allowed in this context; check the indentation, or quote a text that contains ": ""#);
    assert_snapshot!(shown_with("metadata:\n", "metadata:\n   labels: {}\n"), @r#"rules.yaml:5:3: not valid YAML: while parsing a block mapping, did not find expected key; check the indentation and the ":" after the key"#);
    assert_snapshot!(shown_with("resource: Secret", "resource: !secret Secret"), @r"rules.yaml:6:21: spec.resource: the YAML tag !secret has no meaning here; remove it");
    assert_snapshot!(shown_with("namespaces: [default]", "namespaces: &a [*a]"), @r"rules.yaml:8:21: spec.source.namespaces[0]: the alias is inside the value that it refers to");
    assert_snapshot!(shown(&"[".repeat(10_000)), @r"rules.yaml:1:65: not valid YAML: recursion limit exceeded; the document is nested too deeply");
}

#[test]
fn keys_are_texts_and_come_once() {
    assert_snapshot!(shown_with("resource: Secret", "resource: Secret\n  resource: ConfigMap"), @r#"rules.yaml:7:3: spec: the key "resource" is given twice, first in line 6; keep one"#);
    assert_snapshot!(shown_with("resource: Secret", "resource: Secret\n  on: true"), @r#"rules.yaml:7:3: spec: the key on is read as a boolean; quote it: "on""#);
    assert_snapshot!(shown_with("resource: Secret", "resource: Secret\n  [a]: true"), @r"rules.yaml:7:3: spec: a key must be a string, not an array; quote it");
}

#[test]
fn values_of_the_wrong_type_say_how_they_are_read() {
    assert_snapshot!(shown_with("[regcred]", "[yes, 0777, 1e3, ~, {a: b}]"), @r#"
    rules.yaml:9:13: spec.source.names[0]: must be of type string, but yes is read as a boolean; quote it: "yes"
    rules.yaml:9:18: spec.source.names[1]: must be of type string, but 0777 is read as an integer; quote it: "0777"
    rules.yaml:9:24: spec.source.names[2]: must be of type string, but 1e3 is read as a number; quote it: "1e3"
    rules.yaml:9:29: spec.source.names[3]: must be of type string, but there is no value; write one or remove the line
    rules.yaml:9:32: spec.source.names[4]: must be of type string, but this is an object
    "#);
    assert_snapshot!(shown_with("[regcred]", "regcred"), @r#"rules.yaml:9:12: spec.source.names: must be of type array, but this is a string; write a list: ["regcred"]"#);
    assert_snapshot!(shown_with("  name: pull-secrets", "  name: 2026"), @r#"rules.yaml:4:9: metadata.name: must be of type string, but 2026 is read as an integer; quote it: "2026""#);
    assert_snapshot!(shown_with("metadata:\n  name: pull-secrets", "metadata: pull-secrets"), @r"rules.yaml:3:11: metadata: must be of type object, but this is a string");
}

#[test]
fn other_kinds_and_versions_are_refused_by_name() {
    assert_snapshot!(shown_with("copyrator.dev/v1alpha1", "flant.com/v1"), @r"rules.yaml:1:13: apiVersion: a CopyratorRule of flant.com/v1 has other fields (ruleType, selector, namespace); rewrite it with apiVersion: copyrator.dev/v1alpha1, and spec.resource, spec.source and spec.target");
    assert_snapshot!(shown_with("copyrator.dev/v1alpha1", "test.com/v1"), @r"rules.yaml:1:13: apiVersion: a CopyratorRule of test.com/v1 has other fields (ruleType, selector, namespace); rewrite it with apiVersion: copyrator.dev/v1alpha1, and spec.resource, spec.source and spec.target");
    assert_snapshot!(shown_with("copyrator.dev/v1alpha1", "copyrator.dev/v1beta1"), @r"rules.yaml:1:13: apiVersion: the version copyrator.dev/v1beta1 is unknown to this program, which reads copyrator.dev/v1alpha1; write that, or use the release of kubectl-copyrator that the file was written for");
    assert_snapshot!(shown_with("copyrator.dev/v1alpha1", "v1"), @r#"rules.yaml:1:13: apiVersion: there is no CopyratorRule of "v1"; write apiVersion: copyrator.dev/v1alpha1"#);
    assert_snapshot!(shown_with("kind: CopyratorRule", "kind: copyratorrule"), @r#"rules.yaml:2:7: kind: unknown kind "copyratorrule"; did you mean "CopyratorRule"?"#);
    assert_snapshot!(shown_with("kind: CopyratorRule", "kind: Secret"), @r#"rules.yaml:2:7: kind: the kind "Secret" is no rule: only objects with kind: CopyratorRule and apiVersion: copyrator.dev/v1alpha1 are read; move this one to another file"#);
    assert_snapshot!(shown_with("kind: CopyratorRule\n", ""), @r"rules.yaml:1:1: kind: Required value: write kind: CopyratorRule");
    assert_snapshot!(shown_with("apiVersion: copyrator.dev/v1alpha1\n", ""), @r"rules.yaml:1:1: apiVersion: Required value: write apiVersion: copyrator.dev/v1alpha1");
    assert_snapshot!(shown("just text\n"), @r"rules.yaml:1:1: must be of type object: write apiVersion, kind, metadata and spec");
    assert_snapshot!(shown("apiVersion: v1\nkind: List\nitems:\n- kind: Pod\n  apiVersion: v1\n"), @r#"rules.yaml:4:9: items[0].kind: the kind "Pod" is no rule: only objects with kind: CopyratorRule and apiVersion: copyrator.dev/v1alpha1 are read; move this one to another file"#);
}

#[test]
fn metadata_is_checked_like_the_rest() {
    assert_snapshot!(shown_with("name: pull-secrets", "name: Pull_Secrets"), @r"rules.yaml:4:9: metadata.name: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'pull-secrets')");
    assert_snapshot!(shown_with("name: pull-secrets", "generateName: pull-"), @r"rules.yaml:4:3: metadata.name: Required value: write a name of the rule's own, such as pull-secrets");
    assert_snapshot!(shown_with("name: pull-secrets", "name: a\n  namespace: team-a"), @r"rules.yaml:5:14: metadata.namespace: a CopyratorRule belongs to no namespace and works on the whole cluster; remove the namespace");
    assert_snapshot!(shown_with("name: pull-secrets", "name: a\n  creationTimestamp: null"), @r"rules.yaml:1:1: a");
    assert_snapshot!(shown_with("name: pull-secrets", "name: a\n  labels: {a: b c}"), @r#"rules.yaml:5:15: metadata.labels[a]: a label's value has at most 63 letters, digits, "-", "_" or ".", and starts and ends with a letter or digit"#);
}

#[test]
fn aliases_cannot_fill_the_memory() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..9 {
        let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
        writeln!(text, "a{level}: &a{level} [{aliases}]").unwrap();
    }
    assert_snapshot!(shown(&text), @r"rules.yaml:5:9: a5[7]: too many values; split the file or use fewer aliases");
    let mut deep = "a0: &a0 [x]\n".to_owned();
    for level in 1..200 {
        writeln!(deep, "a{level}: &a{level} [*a{}]", level - 1).unwrap();
    }
    assert_snapshot!(shown(&deep), @r"rules.yaml:63:11: a63[0]: nested too deeply; use fewer aliases");
    assert_snapshot!(shown(&" ".repeat(MAX_BYTES + 1)), @r"rules.yaml: larger than 10 MiB; split it");
}

#[test]
fn two_rules_of_one_name_are_refused_across_files() {
    assert_snapshot!(shown(&format!("{GOOD}---\n{GOOD}")), @r#"rules.yaml:13:1: metadata.name: the rule at rules.yaml:1:1 has the name "pull-secrets" already; rename one of the two"#);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("b.yml"), GOOD).unwrap();
    fs::write(folder.path().join("a.yaml"), named("other")).unwrap();
    fs::write(folder.path().join("notes.txt"), "not: [read").unwrap();
    let paths = [folder.path().to_owned(), PathBuf::from("-")];
    let problems = load::<CopyratorRule>(&paths, &mut Cursor::new(GOOD))
        .unwrap_err()
        .to_string();
    let problems = problems.replace(folder.path().to_str().unwrap(), "FOLDER");
    assert_snapshot!(problems, @r#"standard input:1:1: metadata.name: the rule at FOLDER/b.yml:1:1 has the name "pull-secrets" already; rename one of the two"#);
    let rules = load::<CopyratorRule>(&paths[..1], &mut Cursor::new("")).unwrap();
    assert_eq!(
        rules
            .iter()
            .map(|rule| rule.item.name_any())
            .collect::<Vec<_>>(),
        ["other", "pull-secrets"]
    );
}

#[test]
fn what_cannot_be_read_is_named_and_the_rest_is_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("empty")).unwrap();
    fs::write(path("latin1.yaml"), b"a: b\nc: \xe4\n").unwrap();
    fs::write(path("large.yaml"), vec![b' '; MAX_BYTES + 1]).unwrap();
    fs::write(
        path("wrong.json"),
        GOOD.replace("resource: Secret", "resource: Pod"),
    )
    .unwrap();
    let paths = [
        "absent.yaml",
        "empty",
        "latin1.yaml",
        "large.yaml",
        "wrong.json",
    ]
    .map(path);
    let problems = load::<CopyratorRule>(&paths, &mut Cursor::new(""))
        .unwrap_err()
        .to_string();
    let problems = problems.replace(folder.path().to_str().unwrap(), "FOLDER");
    assert_snapshot!(problems, @r#"
    FOLDER/absent.yaml: can't be read: No such file or directory (os error 2)
    FOLDER/empty: the directory has no .json, .yaml or .yml file; subdirectories are not searched
    FOLDER/latin1.yaml: line 2 is not UTF-8; save the file as UTF-8
    FOLDER/large.yaml: larger than 10 MiB; split it
    FOLDER/wrong.json:6:13: spec.resource: Unsupported value: "Pod": supported values: "Secret", "ConfigMap"
    "#);
}

#[test]
fn no_rules_at_all_is_an_error() {
    let problems =
        load::<CopyratorRule>(&[PathBuf::from("-")], &mut Cursor::new("# empty\n")).unwrap_err();
    assert_snapshot!(problems, @r"standard input: no CopyratorRule found; give a file that has one");
}

#[test]
fn the_order_of_fields_does_not_matter() {
    let reversed = r#"
spec:
  target: {namespaces: ["team-*"]}
  source: {names: [regcred], namespaces: [default]}
  resource: Secret
metadata: {name: pull-secrets}
kind: CopyratorRule
apiVersion: copyrator.dev/v1alpha1
"#;
    let item = |text| {
        parse::<CopyratorRule>("rules.yaml", text)
            .unwrap()
            .remove(0)
            .item
    };
    assert_eq!(item(reversed), item(GOOD));
}

proptest! {
    #[test]
    fn no_text_makes_the_parser_panic(text in "\\PC{0,200}") {
        let _ = parse::<CopyratorRule>("any", &text);
    }

    #[test]
    fn no_yaml_like_text_makes_the_parser_panic(text in "[a-c&*!<:{}\\[\\]'\"|>\\-?,#% \t\n~0-9.]{0,200}") {
        let _ = parse::<CopyratorRule>("any", &text);
    }

    #[test]
    fn no_damage_to_a_rule_makes_the_parser_panic(at in 0..GOOD.len(), with in "\\PC{0,3}", drop in 0..9_usize) {
        let end = (at + drop).min(GOOD.len());
        let _ = parse::<CopyratorRule>("any", &format!("{}{with}{}", &GOOD[..at], &GOOD[end..]));
    }
}
