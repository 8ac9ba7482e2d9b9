//! What is made of an object as the API server sends it.

use serde_json::{Value, json};

use super::world::RULES;
use crate::reconcile::{
    Depth, Observed, Observer, OwnedFields, OwnerKind, Provenance, RawObject, SECRETS,
};

fn observe(object: &Value, depth: Depth) -> Observed {
    let text = object.to_string();
    Observer::new(&RULES)
        .observe(&SECRETS, RawObject::new(&text), depth)
        .unwrap()
}

fn copy(managed_fields: &Value) -> Value {
    json!({
        "metadata": {
            "name": "regcred", "namespace": "team-a", "uid": "u", "resourceVersion": "7",
            "labels": {
                "app.kubernetes.io/managed-by": "kubectl-copyrator",
                "copyrator.dev/rule": "pull-secrets", "copyrator.dev/set": "cluster",
            },
            "annotations": {
                "copyrator.dev/source": "default/regcred", "copyrator.dev/target": "team-a/regcred",
                "copyrator.dev/content": format!("v1:{}", "0".repeat(64)), "copyrator.dev/prune": "Delete",
            },
            "managedFields": managed_fields,
        },
        "type": "Opaque",
        "data": {"a": "eA=="},
    })
}

fn entry(manager: &str, operation: &str, fields: &Value) -> Value {
    json!({"manager": manager, "operation": operation, "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": fields})
}

fn ours() -> Value {
    let fields = json!({
        "f:data": {".": {}, "f:a": {}}, "f:type": {}, "f:metadata": {"f:labels": {".": {}}},
    });
    entry("kubectl-copyrator", "Update", &fields)
}

fn provenance(entries: &Value) -> Provenance {
    observe(&copy(entries), Depth::Metadata).provenance
}

#[test]
fn a_copy_that_only_we_wrote_is_known_by_its_keys() {
    let fields = OwnedFields::new(true, ["a"].into_iter(), [].into_iter());
    assert_eq!(provenance(&json!([ours()])), Provenance::OursAlone(fields));
}

#[test]
fn others_may_own_labels_but_nothing_of_the_content() {
    let labels = entry(
        "labeller",
        "Apply",
        &json!({"f:metadata": {"f:labels": {"f:team": {}}}}),
    );
    assert!(matches!(
        provenance(&json!([ours(), labels])),
        Provenance::OursAlone(_)
    ));
    for content in [
        "f:data",
        "f:binaryData",
        "f:stringData",
        "f:type",
        "f:immutable",
    ] {
        let other = entry("other", "Apply", &json!({content: {}}));
        assert_eq!(
            provenance(&json!([ours(), other])),
            Provenance::Doubtful,
            "{content}"
        );
    }
}

#[test]
fn missing_managed_fields_prove_nothing() {
    assert_eq!(provenance(&json!([])), Provenance::Doubtful);
    let mut object = copy(&json!([]));
    object["metadata"]
        .as_object_mut()
        .unwrap()
        .remove("managedFields");
    assert_eq!(
        observe(&object, Depth::Metadata).provenance,
        Provenance::Doubtful
    );
}

#[test]
fn an_apply_under_our_name_is_not_ours() {
    let apply = entry(
        "kubectl-copyrator",
        "Apply",
        &json!({"f:data": {"f:a": {}}}),
    );
    assert_eq!(provenance(&json!([ours(), apply])), Provenance::Doubtful);
}

#[test]
fn marks_are_read_and_the_target_is_checked() {
    let observed = observe(&copy(&json!([ours()])), Depth::Metadata);
    assert!(observed.marks.are_ours() && observed.marks.managed);
    let mut clone = copy(&json!([ours()]));
    clone["metadata"]["namespace"] = "team-b".into();
    assert!(!observe(&clone, Depth::Metadata).marks.are_ours());
}

#[test]
fn what_owners_of_another_kind_made_is_not_ours() {
    static RATES: OwnerKind = OwnerKind {
        resource: &crate::reconcile::NAMESPACES,
        label: "copyrator.dev/exchange-rate",
        noun: "exchangerate",
        is_namespaced: true,
    };
    let marked = |mark: &str| {
        let mut object = copy(&json!([ours()]));
        object["metadata"]["annotations"]["copyrator.dev/owner"] = mark.into();
        // Labels of either kind may be left over.
        object["metadata"]["labels"]["copyrator.dev/exchange-rate"] = "eur".into();
        object.to_string()
    };
    for (kind, its, strange) in [
        (&RULES, "cluster/pull-secrets", "cluster/team-a/eur"),
        (&RATES, "cluster/team-a/eur", "cluster/pull-secrets"),
    ] {
        let is_ours = |mark: &str| {
            let text = marked(mark);
            let observed =
                Observer::new(kind).observe(&SECRETS, RawObject::new(&text), Depth::Metadata);
            observed.unwrap().marks.are_ours()
        };
        assert!(is_ours(its) && is_ours("damaged"), "{its}");
        assert!(!is_ours(strange), "{strange}");
    }
}

#[test]
fn only_a_full_read_knows_the_content() {
    let object = copy(&json!([ours()]));
    assert_eq!(observe(&object, Depth::Metadata).actual, None);
    assert!(observe(&object, Depth::Full).actual.is_some());
}

#[test]
fn what_is_not_ours_names_the_managers_of_its_content() {
    let mut object = copy(&json!([
        entry("zz-controller", "Update", &json!({"f:data": {"f:a": {}}})),
        entry("helm", "Update", &json!({"f:data": {"f:b": {}}})),
        entry("labeller", "Apply", &json!({"f:metadata": {}})),
    ]));
    object["metadata"]["annotations"] = Value::Null;
    assert_eq!(
        observe(&object, Depth::Full).managers(),
        ["helm", "zz-controller"]
    );
}

#[test]
fn an_unexpected_shape_is_told_without_quoting_it() {
    let text = r#"{"metadata": {"name": "n", "uid": "u", "resourceVersion": "1"}, "data": {"a": ["hunter2"]}}"#;
    let error = Observer::new(&RULES)
        .observe(&SECRETS, RawObject::new(text), Depth::Full)
        .unwrap_err();
    assert!(!error.to_string().contains("hunter2"), "{error}");
}
