//! JSON Patch documents (RFC 6902), written operation by operation.

use std::fmt::Write as _;

use serde::Serialize;

/// The operations of a JSON Patch.
#[derive(Default)]
pub struct Patch(String);

impl Patch {
    /// Sets a member of an object, whether or not it is there (RFC 6902 §4.1).
    pub fn add(&mut self, path: &str, value: &(impl Serialize + ?Sized)) {
        self.operation("add", path, value);
    }

    /// Replaces a value that is there.
    pub fn replace(&mut self, path: &str, value: &(impl Serialize + ?Sized)) {
        self.operation("replace", path, value);
    }

    /// Removes a member of an object, whether or not it is there: what isn't there can't be removed, so
    /// it is added first.
    pub fn remove(&mut self, path: &str) {
        self.add(path, "");
        self.remove_present(path);
    }

    /// Removes what is known to be there.
    pub fn remove_present(&mut self, path: &str) {
        let path = json(path);
        self.push(format_args!("{{\"op\":\"remove\",\"path\":{path}}}"));
    }

    /// Appends operations that were made by [`Self::into_operations`].
    pub fn operations(&mut self, operations: &str) {
        if !operations.is_empty() {
            self.push(format_args!("{operations}"));
        }
    }

    /// The operations, to be appended to those of others.
    pub fn into_operations(self) -> String {
        self.0
    }

    /// The whole document.
    pub fn into_body(self) -> String {
        format!("[{}]", self.0)
    }

    fn operation(&mut self, operation: &str, path: &str, value: &(impl Serialize + ?Sized)) {
        let (path, value) = (json(path), json(value));
        self.push(format_args!(
            "{{\"op\":\"{operation}\",\"path\":{path},\"value\":{value}}}"
        ));
    }

    fn push(&mut self, text: std::fmt::Arguments<'_>) {
        if !self.0.is_empty() {
            self.0.push(',');
        }
        self.0.write_fmt(text).expect("a String takes all writes");
    }
}

fn json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).expect("what we send has a JSON form")
}

/// The path of a member, whose name is escaped for a JSON Pointer (RFC 6901 §3).
pub fn member(path: &str, name: &str) -> String {
    format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_as_json_pointers() {
        assert_eq!(
            member("/metadata/labels", "app.kubernetes.io/managed-by"),
            "/metadata/labels/app.kubernetes.io~1managed-by"
        );
        assert_eq!(member("", "a~b/c"), "/a~0b~1c");
    }

    #[test]
    fn operations_are_one_json_document() {
        let mut constant = Patch::default();
        constant.add("/b", "\"");
        let mut patch = Patch::default();
        patch.replace("/a", &1);
        patch.operations(&constant.into_operations());
        patch.operations("");
        patch.remove("/c");
        let document: serde_json::Value = serde_json::from_str(&patch.into_body()).unwrap();
        assert_eq!(
            document,
            serde_json::json!([
                {"op": "replace", "path": "/a", "value": 1},
                {"op": "add", "path": "/b", "value": "\""},
                {"op": "add", "path": "/c", "value": ""},
                {"op": "remove", "path": "/c"},
            ])
        );
    }
}
