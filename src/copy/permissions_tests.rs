//! What the rights are for each wording of a rule.

use serde_json::{Value, json};

use super::*;
use crate::reconcile::Permission;

fn rule(name: &str, source: &Value, target: &Value) -> CopyratorRule {
    let spec = json!({"resource": "Secret", "source": source, "target": target});
    CopyratorRule::new(name, serde_json::from_value(spec).unwrap())
}

/// The rights to the resources that are copied, one line each.
fn to_copied(needs: &RuleNeeds) -> Vec<String> {
    let permissions = needs.permissions.smallest();
    let copied = permissions
        .iter()
        .filter(|one| [&SECRETS, &CONFIG_MAPS].contains(&one.resource));
    copied.map(told).collect()
}

fn told(permission: &Permission) -> String {
    let verbs: Vec<String> = permission.verbs.iter().map(ToString::to_string).collect();
    let names: Vec<&str> = permission.names.iter().map(Name::as_str).collect();
    let place = permission.namespace.as_ref().map_or("*", Namespace::as_str);
    format!("{place}: {} [{}]", verbs.join(","), names.join(","))
}

fn needs(source: &Value, target: &Value) -> RuleNeeds {
    RuleNeeds::of_cluster(&[rule("r", source, target)], Manner::Once)
}

#[test]
fn exact_names_and_namespaces_need_no_more_than_those() {
    let needs = needs(
        &json!({"namespaces": ["ci"], "names": ["regcred", "tls"]}),
        &json!({"namespaces": ["a", "b"], "name": "ci-{name}"}),
    );
    assert_eq!(
        to_copied(&needs),
        [
            "*: get,list,update,patch,delete [ci-regcred,ci-tls]",
            "a: create []",
            "b: create []",
            "ci: get,list [regcred,tls]",
        ]
    );
    assert_eq!(needs.widths, []);
}

#[test]
fn originals_that_are_called_as_their_copies_need_nothing_more() {
    let needs = needs(
        &json!({"namespaces": ["ci"], "names": ["regcred"]}),
        &json!({"namespaces": ["a"]}),
    );
    assert_eq!(
        to_copied(&needs),
        ["*: get,list,update,patch,delete [regcred]", "a: create []"]
    );
}

#[test]
fn globs_need_all_and_are_named_as_the_reason() {
    let needs = needs(
        &json!({"namespaces": ["ci"], "names": ["regcred", "tls-*"]}),
        &json!({"namespaces": ["team-*"]}),
    );
    assert_eq!(
        to_copied(&needs),
        ["*: get,list,create,update,patch,delete []"]
    );
    let widths: Vec<String> = needs.widths.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(widths.join("\n"), @r"
    rule r: all Secrets in namespace ci can be read, because spec.source.names has tls-*; exact names narrow that
    rule r: all Secrets of the cluster can be read, changed and deleted, because spec.source.names has tls-*, so that nobody knows what the copies are called; exact names, or a spec.target.name without {name}, narrow that
    rule r: Secrets can be made in every namespace, because spec.target.namespaces has team-*; exact names in spec.target.namespaces narrow that
    ");
}

#[test]
fn a_fixed_name_of_the_copies_narrows_the_rights_of_a_glob() {
    let needs = needs(
        &json!({"namespaces": ["ci", "cd"], "names": ["tls-*"]}),
        &json!({"namespaces": ["a"], "name": "from-{namespace}"}),
    );
    assert_eq!(
        to_copied(&needs),
        [
            "*: get,list,update,patch,delete [from-cd,from-ci]",
            "a: create []",
            "cd: get,list []",
            "ci: get,list []",
        ]
    );
    assert_eq!(needs.widths.len(), 2);
}

#[test]
fn a_selector_reads_everything_even_beside_exact_names() {
    let selector = json!({"matchLabels": {"share": "yes"}});
    let needs = needs(
        &json!({"namespaces": ["ci"], "names": ["regcred"], "selector": selector}),
        &json!({"selector": selector}),
    );
    assert_eq!(
        to_copied(&needs),
        [
            "*: create []",
            "*: get,list,update,patch,delete [regcred]",
            "ci: get,list []",
        ]
    );
    let reasons: Vec<&str> = needs.widths.iter().map(|width| &*width.reason).collect();
    assert_eq!(
        reasons,
        [
            "spec.source.selector goes by labels",
            "spec.target.selector goes by labels"
        ]
    );
}

#[test]
fn a_controller_watches_updates_and_tells() {
    let (source, target) = (
        json!({"namespaces": ["ci"], "names": ["regcred"]}),
        json!({"namespaces": ["a"], "name": "x"}),
    );
    let needs = RuleNeeds::of_cluster(&[rule("r", &source, &target)], Manner::Watching);
    let told: Vec<String> = needs.permissions.smallest().iter().map(told).collect();
    assert!(told.contains(&"*: get,list,watch,update,patch,delete [x]".to_owned()));
    assert!(told.contains(&"ci: get,list,watch [regcred]".to_owned()));
    for namespace in ["ci", EVENTS_OF_THE_CLUSTER] {
        let events = Objects::all(&EVENTS).within(namespace.into());
        let mut more = needs.permissions.clone();
        more.allow(TELLING, events);
        assert_eq!(more, needs.permissions, "{namespace}");
    }
}

#[test]
fn rules_from_files_need_no_rules_in_the_cluster() {
    let (source, target) = (
        json!({"namespaces": ["ci"], "names": ["regcred"]}),
        json!({"namespaces": ["a"]}),
    );
    let needs = RuleNeeds::of_files(&[rule("r", &source, &target)], Manner::Once);
    let mut permissions = needs.permissions.smallest().into_iter();
    assert!(!permissions.any(|one| [&COPYRATOR_RULES, &DEFINITIONS].contains(&one.resource)));
}

#[test]
fn a_rule_that_cannot_be_used_needs_nothing_and_is_told() {
    let needs = needs(
        &json!({"namespaces": ["ci"], "names": ["["]}),
        &json!({"namespaces": ["a"]}),
    );
    assert_eq!(to_copied(&needs), Vec::<String>::new());
    let [(name, problem)] = needs.unusable.as_slice() else {
        panic!("{:?}", needs.unusable)
    };
    assert_eq!(&**name, "r");
    assert!(problem.starts_with("spec.source.names: "), "{problem}");
}

#[test]
fn the_rights_for_any_rules_cover_those_of_each() {
    for manner in [Manner::Once, Manner::Watching] {
        let any = any_rules(manner);
        for source in [
            json!({"namespaces": ["ci"], "names": ["regcred"]}),
            json!({"namespaces": ["ci"], "names": ["*"]}),
        ] {
            let rule = rule("r", &source, &json!({"namespaces": ["a"]}));
            let mut both = RuleNeeds::of_cluster(&[rule], manner).permissions;
            both.extend(any.clone());
            assert_eq!(both.smallest(), any.smallest(), "{source}");
        }
    }
}
