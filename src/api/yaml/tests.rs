//! Tests of what scalars are read as, and of what is written.

use serde_json::json;

use super::scalar::resolve;
use super::{read, to_yaml, to_yaml_documents};

#[test]
fn scalars_are_read_as_kubectl_reads_them() {
    for (text, value) in [
        ("", json!(null)),
        ("~", json!(null)),
        ("on", json!(true)),
        ("No", json!(false)),
        ("y", json!(true)),
        ("0x1F", json!(31)),
        ("0777", json!(511)),
        ("0o17", json!(15)),
        ("0b11", json!(3)),
        ("1_000", json!(1000)),
        ("-7", json!(-7)),
        ("1e3", json!(1000.0)),
        ("12e4", json!(120_000.0)),
        (".5", json!(0.5)),
        ("+.inf", json!(0)),
        ("1.2.3", json!("1.2.3")),
        ("089", json!(89.0)),
        ("0x", json!("0x")),
        ("-", json!("-")),
        (".", json!(".")),
        ("1-2", json!("1-2")),
        ("2026-01-02", json!("2026-01-02")),
        ("onwards", json!("onwards")),
        ("0x+1", json!("0x+1")),
    ] {
        assert_eq!(resolve(text), value, "{text}");
    }
}

#[test]
fn a_tag_makes_a_scalar_a_text() {
    let (documents, refusals) = read("[!!str on, 'on', on]");
    assert!(refusals.is_empty());
    assert_eq!(documents[0].to_json(), json!(["on", "on", true]));
}

#[test]
fn yaml_is_written_in_the_style_of_kubectl() {
    let value = json!({"b": ["x: y", "on"], "a": {"z": 1, "y": null}, "long": "word ".repeat(30)});
    insta::assert_snapshot!(to_yaml(&value).unwrap(), @r#"
    a:
      "y": null
      z: 1
    b:
    - "x: y"
    - "on"
    long: "word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word "
    "#);
    assert_eq!(to_yaml_documents(&[1, 2]).unwrap(), "1\n---\n2\n");
}

#[test]
fn what_is_written_is_read_again() {
    let value = json!({"a": ["on", "0777", "", "# x", "a\nb\n", "{", "*"], "é": {"x/y": -1}});
    let (documents, refusals) = read(&to_yaml(&value).unwrap());
    assert!(refusals.is_empty());
    assert_eq!(documents[0].to_json(), value);
}
