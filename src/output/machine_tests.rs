//! What YAML and JSON look like, and that they can be read back.

use std::collections::BTreeMap;

use insta::assert_snapshot;
use proptest::prelude::*;

use super::*;

#[test]
fn strings_that_look_like_something_else_are_quoted() {
    let document: BTreeMap<_, _> = [
        ("bool", "on"),
        ("bool-upper", "NO"),
        ("date", "2001-01-01"),
        ("empty", ""),
        ("float", "1e3"),
        ("hex", "0x1F"),
        ("indicator", "- x: y # z"),
        ("letter", "y"),
        ("null", "null"),
        ("octal", "0644"),
        ("plain", "regcred"),
        ("sexagesimal", "1:30"),
        ("tilde", "~"),
    ]
    .into();
    assert_snapshot!(to_yaml(&document).unwrap(), @r#"
    bool: "on"
    bool-upper: "NO"
    date: "2001-01-01"
    empty: ""
    float: "1e3"
    hex: "0x1F"
    indicator: "- x: y # z"
    letter: "y"
    "null": "null"
    octal: "0644"
    plain: regcred
    sexagesimal: "1:30"
    tilde: "~"
    "#);
}

#[test]
fn text_of_several_lines_is_a_literal_block() {
    let long = "x ".repeat(90);
    let document: BTreeMap<_, _> = [
        ("a", "one\ntwo\n"),
        ("b", "one\ntwo"),
        ("c", "  indented\nnot\n"),
        ("d", "tab\there\nand \u{1b}[31m escape"),
        ("e", &long),
    ]
    .into();
    assert_snapshot!(to_yaml(&document).unwrap(), @r#"
    a: |
      one
      two
    b: |-
      one
      two
    c: |2
        indented
      not
    d: "tab\there\nand \e[31m escape"
    e: "x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x "
    "#);
}

#[test]
fn json_is_indented_like_kubectl() {
    assert_snapshot!(to_json(&serde_json::json!({"a": {"b": [1]}, "c": {}})).unwrap(), @r#"
    {
        "a": {
            "b": [
                1
            ]
        },
        "c": {}
    }
    "#);
}

proptest! {
    #[test]
    fn yaml_gives_back_what_went_in(
        document in prop::collection::btree_map("[-._a-zA-Z0-9]{1,8}", "(?s).{0,40}", 0..4),
        lines in prop::collection::btree_map("[-._a-zA-Z0-9]{1,8}", "[ \t\r\na:#-]{0,12}", 0..4),
    ) {
        for map in [document, lines] {
            let text = to_yaml(&map).unwrap();
            let back: BTreeMap<String, String> = serde_saphyr::from_str(&text).unwrap();
            prop_assert_eq!(back, map);
        }
    }
}
