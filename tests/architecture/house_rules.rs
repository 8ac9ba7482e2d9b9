//! How a source file looks, wherever it is.

use proc_macro2::{TokenStream, TokenTree};

use super::sources::{self, Source};

/// More lines than this want to be two files.
const MOST_LINES: usize = 400;

/// Names that say nothing of what is inside, so that everything ends up there.
const EMPTY_NAMES: [&str; 6] = ["common", "helper", "helpers", "misc", "util", "utils"];

/// What is wrong with the look of a file.
fn violations(source: &Source) -> Vec<String> {
    let checks = [is_documented, is_short, is_well_named, only_declares];
    checks
        .iter()
        .filter_map(|check| check(source))
        .map(|why| format!("{}: {why}", source.path))
        .collect()
}

fn is_documented(source: &Source) -> Option<String> {
    (!source.text.starts_with("//!"))
        .then(|| "begins without a `//!` that says what it is for".to_owned())
}

fn is_short(source: &Source) -> Option<String> {
    let lines = source.text.lines().count();
    (lines > MOST_LINES).then(|| format!("has {lines} lines, more than {MOST_LINES}"))
}

fn is_well_named(source: &Source) -> Option<String> {
    let path = source.path.trim_end_matches(".rs");
    path.split('/')
        .find(|part| EMPTY_NAMES.contains(part))
        .map(|part| format!("`{part}` says nothing of what is inside"))
}

fn only_declares(source: &Source) -> Option<String> {
    if !source.path.ends_with("/mod.rs") {
        return None;
    }
    let tokens: TokenStream = source.text.parse().expect("the source is Rust");
    let item = first_other_item(tokens)?;
    Some(format!(
        "a mod.rs only declares and re-exports, and this one has `{item}`"
    ))
}

/// The first word of the first item that is neither `mod name;` nor `use`.
fn first_other_item(tokens: TokenStream) -> Option<String> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    tokens
        .split(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';'))
        .find_map(|item| {
            let item = after_attributes(item);
            let keyword = item.iter().find(|token| !is_visibility(token))?;
            let has_body = item
                .iter()
                .any(|token| matches!(token, TokenTree::Group(_)));
            match keyword.to_string().as_str() {
                "use" => None,
                "mod" if !has_body => None,
                other => Some(other.to_owned()),
            }
        })
}

/// `#[…]` and `#![…]`, which doc comments are too.
fn after_attributes(mut item: &[TokenTree]) -> &[TokenTree] {
    while let [TokenTree::Punct(hash), rest @ ..] = item
        && hash.as_char() == '#'
    {
        let inner = matches!(rest.first(), Some(TokenTree::Punct(_)));
        item = rest.get(1 + usize::from(inner)..).unwrap_or_default();
    }
    item
}

fn is_visibility(token: &TokenTree) -> bool {
    match token {
        TokenTree::Ident(word) => word == "pub",
        TokenTree::Group(_) => true,
        _ => false,
    }
}

#[test]
fn every_file_keeps_the_house_rules() {
    let violations: Vec<String> = sources::in_folders(&["src", "tests", "examples", "benches"])
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

    #[test]
    fn a_file_without_a_purpose_or_an_end_is_refused() {
        assert_eq!(
            violations_of("src/a.rs", "//! A.\nfn a() {}\n"),
            Vec::<String>::new()
        );
        let undocumented = violations_of("src/a.rs", "fn a() {}\n");
        assert!(
            undocumented[0].contains("begins without"),
            "{undocumented:?}"
        );
        let long = violations_of("src/a.rs", &format!("//! A.\n{}", "\n".repeat(MOST_LINES)));
        assert!(long[0].contains("has 401 lines"), "{long:?}");
    }

    #[test]
    fn an_empty_name_is_refused_wherever_it_is() {
        for path in [
            "src/utils.rs",
            "src/copy/helpers/a.rs",
            "tests/common/mod.rs",
        ] {
            let violations = violations_of(path, "//! A.\n");
            assert!(violations[0].contains("says nothing"), "{violations:?}");
        }
        assert_eq!(
            violations_of("src/commonality.rs", "//! A.\n"),
            Vec::<String>::new()
        );
    }

    #[test]
    fn a_mod_rs_with_an_item_is_refused() {
        let declarations = "//! A.\n#![expect(x)]\n#[cfg(test)]\nmod a;\npub mod b;\npub(in crate::c) use a::{B, C};\n";
        assert_eq!(
            violations_of("src/a/mod.rs", declarations),
            Vec::<String>::new()
        );
        for (item, word) in [
            ("fn f() {}", "fn"),
            ("/// Doc.\npub(super) static S: u8 = 0;", "static"),
            ("mod a { }", "mod"),
            ("use a::b; impl B { }", "impl"),
        ] {
            let violations = violations_of("src/a/mod.rs", &format!("//! A.\n{item}\n"));
            assert!(
                violations[0].ends_with(&format!("has `{word}`")),
                "{violations:?}"
            );
        }
    }
}
