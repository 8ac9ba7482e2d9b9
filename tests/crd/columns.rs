//! The columns of `kubectl get copyratorrules`.

use http::Request;
use serde_json::{Value, json};

use super::command::RULES;
use crate::sandbox::Sandbox;

impl Sandbox {
    /// The only object of a collection as a table shows it: names and cells of the columns of one
    /// priority, but for the age.
    pub async fn row(&self, collection: &str, priority: u32) -> String {
        let request = Request::get(collection)
            .header("Accept", "application/json;as=Table;g=meta.k8s.io;v=v1")
            .body(Vec::new())
            .expect("a valid request");
        let table: Value = self
            .client
            .request(request)
            .await
            .expect("the objects are listed");
        let columns = table["columnDefinitions"].as_array();
        let cells = table["rows"][0]["cells"].as_array();
        let columns = columns.expect("a table has columns").iter();
        let shown: Vec<(&Value, &Value)> = columns
            .zip(cells.expect("a row has cells"))
            .filter(|(column, _)| column["priority"] == priority)
            .map(|(column, cell)| (&column["name"], cell))
            .filter(|(name, _)| *name != "Age")
            .collect();
        serde_json::to_string(&shown).expect("cells are JSON")
    }
}

#[tokio::test]
async fn a_rule_is_one_line_that_tells_from_where_to_where() {
    let sandbox = Sandbox::blank("crd-columns").await;
    sandbox.crd("install").await;
    sandbox.apply_rule(&sandbox.rule()).await;
    assert_eq!(
        sandbox.row(RULES, 0).await,
        r#"[["Name","crd-columns-rule"],["Ready",null],["Copies",null],["Resource","Secret"],["From","[\"crd-columns-source\"]"],["Names","[\"regcred\"]"],["To","[\"crd-columns-team-*\"]"]]"#
    );
}

#[tokio::test]
async fn a_rule_with_a_status_tells_how_its_copies_are() {
    let sandbox = Sandbox::blank("crd-columns-status").await;
    sandbox.crd("install").await;
    let rule = sandbox.rule_with(
        "Secret",
        "names: [a]",
        "exclude: [b], name: \"{name}-copy\"",
    );
    sandbox
        .apply_rule(&format!("{rule}  suspend: true\n"))
        .await;
    let ready = json!({
        "type": "Ready", "status": "False", "reason": "CopiesFailed", "message": "",
        "lastTransitionTime": "2026-01-01T00:00:00Z",
    });
    let other = json!({
        "type": "Other", "status": "True", "reason": "Other", "message": "",
        "lastTransitionTime": "2026-01-01T00:00:00Z",
    });
    let status = json!({
        "conditions": [other, ready],
        "copies": {"wanted": 3, "inStep": 2, "conflicts": 0, "failed": 1},
        "lastSyncTime": "9999-01-01T00:00:00Z",
    });
    sandbox
        .put_status(&status)
        .await
        .expect("the status is accepted");
    let row = sandbox.row(RULES, 0).await;
    assert!(row.contains(r#"["Ready","False"],["Copies",2],"#), "{row}");
    assert_eq!(
        sandbox.row(RULES, 1).await,
        r#"[["Wanted",3],["Last-Sync","<invalid>"],["Suspended",true],["Source-Selector",null],["Types",null],["Target-Selector",null],["Exclude","[\"b\"]"],["Copy-Name","{name}-copy"],["Conflicts","Skip"],["Prune","Delete"]]"#
    );
}
