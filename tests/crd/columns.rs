//! The columns of `kubectl get copyratorrules`.

use http::Request;
use serde_json::Value;

use super::command::RULES;
use crate::sandbox::Sandbox;

#[tokio::test]
async fn a_rule_is_one_line_that_tells_from_where_to_where() {
    let sandbox = Sandbox::blank("crd-columns").await;
    sandbox.crd("install").await;
    sandbox.apply_rule(&sandbox.rule()).await;
    let request = Request::get(RULES)
        .header("Accept", "application/json;as=Table;g=meta.k8s.io;v=v1")
        .body(Vec::new())
        .expect("a valid request");
    let table: Value = sandbox
        .client
        .request(request)
        .await
        .expect("the rules are listed");
    let columns = table["columnDefinitions"]
        .as_array()
        .expect("a table has columns");
    let shown: Vec<(&Value, &Value)> = columns
        .iter()
        .zip(
            table["rows"][0]["cells"]
                .as_array()
                .expect("a row has cells"),
        )
        .filter(|(column, _)| column["priority"] == 0)
        .map(|(column, cell)| (&column["name"], cell))
        .filter(|(name, _)| *name != "Age")
        .collect();
    let shown = serde_json::to_string(&shown).expect("cells are JSON");
    assert_eq!(
        shown,
        r#"[["Name","crd-columns-rule"],["Resource","Secret"],["From","[\"crd-columns-source\"]"],["Names","[\"regcred\"]"],["To","[\"crd-columns-team-*\"]"]]"#
    );
    let names: Vec<_> = columns
        .iter()
        .map(|column| column["name"].as_str())
        .collect();
    assert_eq!(names.len(), 11, "{names:?}");
}
