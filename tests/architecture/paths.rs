//! Reads the paths that a source file mentions, such as `crate::api::Refusal` or `std::io::stdout`.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The segments of a path; one that begins with `crate` is absolute within this crate.
pub type Path = Vec<String>;

/// All paths that a file mentions: in `use`, in expressions and types, and in what macros are given.
///
/// `self` and `super` are resolved, so `module` says where in the crate the file is.
pub fn mentioned(text: &str, module: &[&str]) -> Vec<Path> {
    let tokens: TokenStream = text.parse().expect("the source is Rust");
    let mut reader = Reader {
        module: module.iter().map(ToString::to_string).collect(),
        found: Vec::new(),
    };
    reader.walk(tokens);
    reader.found
}

struct Reader {
    module: Path,
    found: Vec<Path>,
}

impl Reader {
    fn walk(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut rest = tokens.as_slice();
        while let Some((first, after)) = rest.split_first() {
            rest = match first {
                TokenTree::Ident(word) if word == "use" => self.declaration(after),
                TokenTree::Ident(word) if word == "mod" => self.inline_module(after),
                TokenTree::Ident(_) => self.expression(rest),
                TokenTree::Group(group) => {
                    self.walk(group.stream());
                    after
                }
                _ => after,
            };
        }
    }

    /// `mod name { … }`: `self` and `super` mean something else in there.
    fn inline_module<'a>(&mut self, tokens: &'a [TokenTree]) -> &'a [TokenTree] {
        let [TokenTree::Ident(name), TokenTree::Group(body), rest @ ..] = tokens else {
            return tokens;
        };
        self.module.push(name.to_string());
        self.walk(body.stream());
        self.module.pop();
        rest
    }

    /// What follows `use`. It isn't always a declaration: `impl Trait + use<'a>` captures.
    fn declaration<'a>(&mut self, tokens: &'a [TokenTree]) -> &'a [TokenTree] {
        let end = tokens.iter().position(|token| is_punct(token, ';'));
        match (tokens.first(), end) {
            (Some(first), Some(end)) if !is_punct(first, '<') => {
                self.tree(&[], &tokens[..end]);
                &tokens[end..]
            }
            _ => tokens,
        }
    }

    /// One branch of a `use` declaration: `a::b`, `a::{b, c}`, `a::*` or `a as b`.
    fn tree(&mut self, prefix: &[String], tokens: &[TokenTree]) {
        let mut path = prefix.to_vec();
        for token in tokens {
            match token {
                TokenTree::Ident(word) if word == "as" => break,
                TokenTree::Ident(word) if word == "self" && !path.is_empty() => {}
                TokenTree::Ident(word) => path.push(word.to_string()),
                TokenTree::Punct(punct) if punct.as_char() == '*' => path.push("*".to_owned()),
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    let branches: Vec<TokenTree> = group.stream().into_iter().collect();
                    let branches = branches.split(|token| is_punct(token, ','));
                    for branch in branches.filter(|branch| !branch.is_empty()) {
                        self.tree(&path, branch);
                    }
                    return;
                }
                _ => {}
            }
        }
        self.found(path);
    }

    /// A path in an expression or a type; a word alone is none.
    fn expression<'a>(&mut self, tokens: &'a [TokenTree]) -> &'a [TokenTree] {
        let mut path = Path::new();
        let mut rest = tokens;
        while let [TokenTree::Ident(word), after @ ..] = rest {
            path.push(word.to_string());
            rest = after;
            match after {
                [colon, second, after @ ..] if is_punct(colon, ':') && is_punct(second, ':') => {
                    rest = after;
                }
                _ => break,
            }
        }
        if path.len() > 1 {
            self.found(path);
        }
        rest
    }

    fn found(&mut self, path: Path) {
        let supers = path.iter().take_while(|word| *word == "super").count();
        let relative = supers > 0 || path.first().is_some_and(|word| word == "self");
        let path = if relative {
            let here = &self.module[..self.module.len().saturating_sub(supers)];
            let there = path
                .iter()
                .skip_while(|word| *word == "super" || *word == "self");
            let crate_root = ["crate".to_owned()];
            crate_root
                .iter()
                .chain(here)
                .chain(there)
                .cloned()
                .collect()
        } else {
            path
        };
        if !path.is_empty() {
            self.found.push(path);
        }
    }
}

fn is_punct(token: &TokenTree, character: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == character)
}

#[cfg(test)]
mod tests {
    use super::mentioned;

    fn paths(text: &str) -> Vec<String> {
        mentioned(text, &["copy", "rule"])
            .iter()
            .map(|path| path.join("::"))
            .collect()
    }

    #[test]
    fn a_use_tree_is_taken_apart() {
        assert_eq!(
            paths("use crate::{api::{self, Refusal as R}, copy::*,}; pub use std::fmt;"),
            [
                "crate::api",
                "crate::api::Refusal",
                "crate::copy::*",
                "std::fmt"
            ]
        );
    }

    #[test]
    fn self_and_super_are_resolved() {
        assert_eq!(
            paths("use super::{names::Globs, super::output}; use self::inner::x;"),
            [
                "crate::copy::names::Globs",
                "crate::output",
                "crate::copy::rule::inner::x"
            ]
        );
        assert_eq!(
            paths("mod tests { use super::*; fn f() { super::super::g() } }"),
            ["crate::copy::rule::*", "crate::copy::g"]
        );
    }

    #[test]
    fn paths_in_code_and_in_macros_count() {
        assert_eq!(
            paths("fn f() -> crate::api::T { vec![kube::Api::<K>::all(client)] }"),
            ["crate::api::T", "kube::Api"]
        );
        assert_eq!(
            paths("fn f() -> <X as kube::Resource>::Y {}"),
            ["kube::Resource"]
        );
    }

    #[test]
    fn comments_strings_and_captures_do_not_count() {
        let text = r#"
            //! Says `crate::output::x`.
            /// And [`crate::cluster`].
            fn f<'a>(text: &'a str) -> impl Ord + use<'a> { g("crate::commands::x"); 0 }
        "#;
        assert_eq!(paths(text), Vec::<String>::new());
    }
}
