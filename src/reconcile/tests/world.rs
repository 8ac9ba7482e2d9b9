//! Wishes and objects to plan with, and a world of objects that plans can be applied to.

use std::{collections::BTreeMap, sync::Arc};

use crate::reconcile::{
    Actual, Carried, Content, Decision, Desired, Foreign, Marks, Name, Namespace, ObjectKey,
    ObjectVersion, Observed, Owner, OwnerKind, Policies, Precedence, PresentMaps, Provenance,
    PrunePolicy, SECRETS, Scope, SetName, Step, Template, Value, decide,
};

pub static RULES: OwnerKind = OwnerKind {
    resource: &crate::reconcile::NAMESPACES,
    label: "copyrator.dev/rule",
    noun: "rule",
    is_namespaced: false,
};

pub fn owner(name: &str) -> Owner {
    Owner {
        kind: &RULES,
        set: SetName::cluster(),
        namespace: None,
        name: name.into(),
    }
}

pub fn stranger(name: &str) -> Owner {
    Owner {
        set: SetName::files(),
        ..owner(name)
    }
}

pub fn key(namespace: &str, name: &str) -> ObjectKey {
    ObjectKey::namespaced(&SECRETS, Namespace::from(namespace), Name::from(name))
}

pub fn content(value: &str) -> Content {
    let data = BTreeMap::from([("key".into(), Value::new(value))]);
    Content {
        r#type: Some("Opaque".into()),
        data,
        binary_data: BTreeMap::new(),
    }
}

pub fn desired(key: &ObjectKey, owner: &Owner, source: &str, value: &str) -> Desired {
    desired_by(Policies::default(), key, owner, source, value)
}

pub fn desired_by(
    policies: Policies,
    key: &ObjectKey,
    owner: &Owner,
    source: &str,
    value: &str,
) -> Desired {
    let precedence = Precedence {
        created: "".into(),
        source: 0,
    };
    let template = Template::new(
        owner.clone(),
        source.into(),
        content(value).into(),
        Carried::default(),
        policies,
        precedence,
    );
    Desired {
        key: key.clone(),
        template: Arc::new(template),
    }
}

/// The object that writing `desired` leaves, as a full read shows it.
pub fn written(desired: &Desired) -> Observed {
    Observed {
        key: desired.key.clone(),
        version: ObjectVersion {
            uid: "uid".into(),
            resource_version: "1".into(),
        },
        marks: Marks {
            managed: true,
            labelled: true,
            owner: Some(desired.template.owner.clone()),
            source: Some(desired.template.source.clone()),
            on_its_target: true,
            content: Some(desired.template.hash()),
            prune: Some(desired.template.policies.prune),
            adopted: None,
        },
        provenance: Provenance::OursAlone(desired.template.fields()),
        is_ours_alone: false,
        actual: Some(actual(desired.template.content())),
        carried: None,
        owner_references: None,
        present: PresentMaps {
            labels: true,
            annotations: true,
        },
        deleting: false,
        foreign: None,
    }
}

/// What a full read tells of an object with this content.
pub fn actual(content: &Content) -> Actual {
    Actual {
        hash: content.hash(),
        r#type: content.r#type.as_deref().map(Into::into),
        immutable: false,
    }
}

/// An object that somebody else made.
pub fn foreign(key: &ObjectKey) -> Observed {
    Observed {
        key: key.clone(),
        version: ObjectVersion {
            uid: "foreign".into(),
            resource_version: "1".into(),
        },
        marks: Marks::default(),
        provenance: Provenance::Doubtful,
        is_ours_alone: false,
        actual: Some(actual(&content("foreign"))),
        carried: None,
        owner_references: None,
        present: PresentMaps::default(),
        deleting: false,
        foreign: Some(Box::new(helm())),
    }
}

fn helm() -> Foreign {
    Foreign {
        managers: vec!["helm".into()],
        managed_by: Some("Helm".into()),
    }
}

/// All objects there are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct World(pub BTreeMap<ObjectKey, Observed>);

impl World {
    /// What the list of our objects shows: those with both labels, metadata only.
    pub fn listed(&self) -> Vec<Observed> {
        let ours = self
            .0
            .values()
            .filter(|object| object.marks.managed && object.marks.labelled);
        ours.map(|object| Observed {
            actual: None,
            ..object.clone()
        })
        .collect()
    }

    /// Does what the engine does with a step, and says whether it wrote anything.
    pub fn apply(&mut self, step: Step, scope: &Scope) -> bool {
        let mut decision = step.decision;
        loop {
            let taken = self.0.get(&step.key);
            match decision {
                Decision::Nothing | Decision::Wait | Decision::Conflict(_) => return false,
                Decision::Create if taken.is_none() => break,
                Decision::Create | Decision::Inspect => {
                    decision = decide(step.desired.as_ref(), taken, &step.rivals, scope);
                }
                Decision::Update(_) if is_refused(step.desired.as_ref(), taken) => {
                    decision = decide(step.desired.as_ref(), taken, &step.rivals, scope);
                    assert!(!matches!(decision, Decision::Update(_)), "refused for ever");
                }
                Decision::Update(_)
                | Decision::Replace(_)
                | Decision::Delete
                | Decision::Release
                | Decision::Orphan => break,
            }
        }
        self.write(&step.key, step.desired.as_ref(), &decision);
        true
    }

    fn write(&mut self, key: &ObjectKey, desired: Option<&Desired>, decision: &Decision) {
        let before = self.0.remove(key);
        match (decision, before, desired) {
            (Decision::Release, Some(before), _) => {
                let released = Observed {
                    marks: Marks::default(),
                    foreign: Some(Box::new(helm())),
                    ..before
                };
                self.0.insert(key.clone(), released);
            }
            (Decision::Orphan, Some(mut before), _) => {
                before.marks.prune = Some(PrunePolicy::Orphan);
                self.0.insert(key.clone(), before);
            }
            (Decision::Update(_), Some(before), Some(desired)) => {
                let mut after = written(desired);
                let former = before.foreign.map(|foreign| foreign.managed_by);
                after.marks.adopted = before
                    .marks
                    .adopted
                    .or(former.map(Option::unwrap_or_default));
                after.actual.as_mut().unwrap().immutable = before.actual.unwrap().immutable;
                self.0.insert(key.clone(), after);
            }
            (Decision::Create | Decision::Replace(_), _, Some(desired)) => {
                self.0.insert(key.clone(), written(desired));
            }
            _ => (),
        }
    }
}

/// Whether the API server refuses to write this onto the object: what is immutable stays as it is, and
/// a type never changes.
fn is_refused(desired: Option<&Desired>, object: Option<&Observed>) -> bool {
    let (Some(desired), Some(object)) = (desired, object) else {
        return false;
    };
    let actual = object.actual.as_ref().expect("the world knows everything");
    actual.hash != desired.template.hash() && !actual.accepts(desired.template.content())
}
