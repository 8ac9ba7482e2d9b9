//! What the cluster is filled with.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use crate::raw::Request;

/// How long the values of an original are: 1 KiB in three keys.
const LENGTHS: [(&str, usize); 3] = [("ca.crt", 700), ("token", 256), ("url", 68)];

/// Makes a namespace.
pub fn namespace(name: &str) -> Request {
    let body = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}});
    Request::post("/api/v1/namespaces", &body)
}

/// Makes a Secret that no rule selects.
pub fn unrelated(index: usize, bytes: usize) -> Request {
    let value = STANDARD.encode(text(index, bytes));
    let body = json!({
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": format!("unrelated-{index}")},
        "data": {"value": value},
    });
    Request::post("/api/v1/namespaces/unrelated/secrets", &body)
}

/// Makes an original.
pub fn original(index: usize, generation: usize) -> Request {
    let body = json!({
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": original_name(index)},
        "data": data(generation),
    });
    Request::post("/api/v1/namespaces/source/secrets", &body)
}

/// Gives an original the content of a later generation.
pub fn changed_original(index: usize, generation: usize) -> Request {
    let uri = format!("/api/v1/namespaces/source/secrets/{}", original_name(index));
    let body = json!({"data": data(generation)}).to_string();
    Request::write("PATCH", uri, "application/merge-patch+json", body)
}

/// What an original is called, and its copies with it.
pub fn original_name(index: usize) -> String {
    format!("original-{index}")
}

/// The data of an original; each generation has its own, and all have one length.
pub fn data(generation: usize) -> Value {
    let values = LENGTHS.iter().map(|(key, length)| {
        let value = STANDARD.encode(text(generation, *length));
        ((*key).to_owned(), Value::String(value))
    });
    Value::Object(values.collect())
}

fn text(seed: usize, bytes: usize) -> String {
    let mut text = format!("{seed:032}").repeat(bytes.div_ceil(32));
    text.truncate(bytes);
    text
}
