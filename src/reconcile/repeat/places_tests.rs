//! Which changes are somebody else's, and which are our own.

use std::sync::Arc;

use serde_json::json;

use super::*;
use crate::reconcile::{
    CONFIG_MAPS, Carried, Content, Depth, Name, Namespace, Observer, OwnerKind, Policies,
    Precedence, RawObject, Template, Value,
};

static KIND: OwnerKind = OwnerKind {
    resource: &CONFIG_MAPS,
    label: "example.dev/owner",
    noun: "owner",
    is_namespaced: true,
};

fn owner() -> Owner {
    Owner {
        kind: &KIND,
        set: SetName::cluster(),
        namespace: Some(Namespace::from("shop")),
        name: "eur".into(),
    }
}

fn place(name: &str) -> ObjectKey {
    ObjectKey::namespaced(&CONFIG_MAPS, Namespace::from("shop"), Name::from(name))
}

fn desired(name: &str, rate: &str) -> Desired {
    let content = Content {
        data: [("rate".into(), Value::new(rate))].into(),
        ..Content::default()
    };
    let precedence = Precedence {
        created: "".into(),
        source: 0,
    };
    let template = Template::new(
        owner(),
        "shop/eur".into(),
        Arc::new(content),
        Carried::default(),
        Policies::default(),
        precedence,
    );
    Desired {
        key: place(name),
        template: Arc::new(template),
    }
}

/// An object in this version as we write it for this rate, and last written by this manager.
fn written(name: &str, version: u32, rate: &str, manager: &str) -> Found {
    let wanted = desired(name, rate);
    let object = json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {
            "name": name,
            "namespace": "shop",
            "uid": "1",
            "resourceVersion": version.to_string(),
            "labels": {
                "app.kubernetes.io/managed-by": "kubectl-copyrator",
                "copyrator.dev/set": "cluster",
                "example.dev/owner": "eur",
            },
            "annotations": {
                "copyrator.dev/owner": "cluster/shop/eur",
                "copyrator.dev/source": "shop/eur",
                "copyrator.dev/target": format!("shop/{name}"),
                "copyrator.dev/prune": "Delete",
                "copyrator.dev/content": wanted.template.hash().to_string(),
            },
            "managedFields": [{
                "manager": manager,
                "operation": "Update",
                "fieldsType": "FieldsV1",
                "fieldsV1": {"f:data": {".": {}, "f:rate": {}}},
            }],
        },
    });
    let object = object.to_string();
    let mut observer = Observer::new(&KIND);
    let found = observer.observe(&CONFIG_MAPS, RawObject::new(&object), Depth::Metadata);
    Box::new(found.unwrap())
}

fn ours(version: u32, rate: &str) -> Found {
    written("eur", version, rate, "kubectl-copyrator")
}

fn theirs(version: u32) -> Found {
    written("eur", version, "1", "somebody")
}

/// Hears of the owner's object, with or without a run under way.
fn hear(places: &mut Places, state: impl Into<Option<Found>>, is_busy: bool) -> bool {
    places.hear(&place("eur"), state.into(), |_| is_busy) == Some(owner())
}

fn settle(places: &mut Places, rate: &str, wrote: &[&str]) -> bool {
    let wrote = wrote.iter().map(|name| place(name)).collect();
    places.settle(&owner(), Some(desired("eur", rate)), &wrote)
}

/// A run has published the rate 1, and its echo has been heard.
fn published() -> Places {
    let mut places = Places::default();
    assert!(!settle(&mut places, "1", &["eur"]));
    assert!(!hear(&mut places, ours(1, "1"), false), "it is the echo");
    places
}

#[test]
fn what_others_change_or_delete_is_heard() {
    let mut places = published();
    assert!(hear(&mut places, theirs(2), false));
    assert!(!hear(&mut places, theirs(2), false), "that is known");
    assert!(hear(&mut places, None, false));
    assert!(!hear(&mut places, ours(3, "1"), false), "it is mended");
}

#[test]
fn an_echo_that_comes_while_the_run_goes_on_is_no_damage() {
    let mut places = published();
    assert!(!hear(&mut places, ours(2, "2"), true));
    assert!(!settle(&mut places, "2", &["eur"]));
}

#[test]
fn what_was_changed_before_our_write_is_no_damage() {
    let mut places = published();
    assert!(!hear(&mut places, theirs(2), true));
    assert!(
        !settle(&mut places, "1", &["eur"]),
        "the echo is still to come"
    );
    assert!(!hear(&mut places, ours(3, "1"), false));
}

#[test]
fn what_was_changed_after_our_write_is_damage() {
    for last in [Some(theirs(3)), None] {
        let mut places = published();
        hear(&mut places, ours(2, "2"), true);
        hear(&mut places, last, true);
        assert!(settle(&mut places, "2", &["eur"]));
    }
}

#[test]
fn what_was_changed_while_a_run_that_wrote_nothing_went_on_may_be_damage() {
    let mut places = published();
    hear(&mut places, theirs(2), true);
    assert!(settle(&mut places, "1", &[]));
    hear(&mut places, theirs(3), true);
    hear(&mut places, ours(4, "1"), true);
    assert!(!settle(&mut places, "1", &[]));
}

#[test]
fn what_its_owner_has_left_may_go() {
    let mut places = published();
    let moved = Some(desired("other", "1"));
    let wrote = [place("eur"), place("other")].into();
    assert!(!places.settle(&owner(), moved, &wrote));
    assert!(!hear(&mut places, None, false));
}

#[test]
fn what_is_there_when_nothing_is_expected_yet_is_known_from_then_on() {
    let mut places = Places::default();
    let collection = Collection::everywhere(&CONFIG_MAPS);
    let all = |version| vec![ours(version, "1")];
    // Whoever asks knows that this is the beginning.
    places.hear_all(&collection, all(1), |_| false);
    let nobody = BTreeSet::new();
    assert_eq!(places.hear_all(&collection, all(1), |_| false), nobody);
    let somebody: BTreeSet<Owner> = [owner()].into();
    assert_eq!(places.hear_all(&collection, all(2), |_| false), somebody);
    assert_eq!(
        places.hear_all(&collection, Vec::new(), |_| false),
        somebody
    );
    assert_eq!(places.hear_all(&collection, Vec::new(), |_| false), nobody);
}

#[test]
fn of_other_collections_a_list_says_nothing() {
    let mut places = published();
    let bank = Collection {
        namespace: Some(Namespace::from("bank")),
        ..Collection::everywhere(&CONFIG_MAPS)
    };
    assert_eq!(
        places.hear_all(&bank, Vec::new(), |_| false),
        BTreeSet::new()
    );
}
