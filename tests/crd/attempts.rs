//! Objects that the API server is only asked about: whether it accepts them, and as what.

use std::{
    fs,
    path::{Path, PathBuf},
};

use http::Request;
use serde_json::Value;

use crate::sandbox::Sandbox;

impl Sandbox {
    /// Has the API server check an object as kubectl would, without keeping it; the refusal is its words.
    pub async fn attempt(&self, collection: &str, object: &Value) -> Result<Value, String> {
        let uri = format!("{collection}?dryRun=All&fieldValidation=Strict");
        let request = Request::post(uri)
            .header("Content-Type", "application/json")
            .body(object.to_string().into_bytes())
            .expect("a valid request");
        match self.client.request(request).await {
            Ok(object) => Ok(object),
            Err(kube::Error::Api(status)) => Err(status.message.clone()),
            Err(error) => panic!("{error}"),
        }
    }

    /// Asserts that each object of a folder is refused as its first lines expect.
    pub async fn refuses_all(&self, collection: &str, folder: &str) {
        let mut failures = Vec::new();
        for path in fixtures(folder) {
            failures.extend(self.unexpected(collection, &path).await);
        }
        failures.sort();
        assert!(failures.is_empty(), "{}", failures.join("\n"));
    }

    /// Asserts that each object of a folder is accepted, and kept as it is.
    pub async fn accepts_all(&self, collection: &str, folder: &str) {
        for path in fixtures(folder) {
            let text = fs::read_to_string(&path).expect("the fixture can be read");
            let object: Value = serde_saphyr::from_str(&text).expect("the fixture is YAML");
            let accepted = self.attempt(collection, &object).await;
            let accepted =
                accepted.unwrap_or_else(|refusal| panic!("{}: {refusal}", path.display()));
            assert_eq!(accepted["spec"], object["spec"], "{}", path.display());
        }
    }

    /// How the API server fails to refuse a fixture as its first lines expect.
    async fn unexpected(&self, collection: &str, path: &Path) -> Option<String> {
        let text = fs::read_to_string(path).expect("the fixture can be read");
        let expected: Vec<&str> = ["# expect-server: ", "# expect: "]
            .iter()
            .filter_map(|prefix| text.lines().find_map(|line| line.strip_prefix(prefix)))
            .collect();
        let object: Value = serde_saphyr::from_str(&text).expect("the fixture is YAML");
        let told = match self.attempt(collection, &object).await {
            Err(refusal) if expected.iter().any(|text| refusal.contains(text)) => return None,
            Err(refusal) => format!("refused with {refusal:?}"),
            Ok(_) => "accepted".to_owned(),
        };
        Some(format!("{}: expected {expected:?}, {told}", path.display()))
    }
}

fn fixtures(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new("tests/fixtures").join(folder);
    let entries = fs::read_dir(folder).expect("the fixtures are there");
    entries
        .map(|entry| entry.expect("the fixtures can be listed").path())
        .collect()
}
