//! Wishes and objects to plan with, and a world of objects that plans can be applied to.

use std::{collections::BTreeMap, sync::Arc};

use crate::reconcile::{
    Content, Decision, Desired, Marks, Name, Namespace, ObjectKey, ObjectVersion, Observed, Owner,
    Precedence, PresentMaps, Provenance, PrunePolicy, SECRETS, Scope, SetName, Step, Template,
    Value, decide,
};

pub fn owner(name: &str) -> Owner {
    Owner {
        set: SetName::cluster(),
        name: name.into(),
    }
}

pub fn stranger(name: &str) -> Owner {
    Owner {
        set: SetName::files(),
        name: name.into(),
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
    let precedence = Precedence {
        created: "".into(),
        source: 0,
    };
    let template = Template::new(
        owner.clone(),
        source.into(),
        content(value).into(),
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
            owner: Some(desired.template.owner.clone()),
            source: Some(desired.template.source.clone()),
            on_its_target: true,
            content: Some(desired.template.hash()),
            prune: Some(PrunePolicy::Delete),
        },
        provenance: Provenance::OursAlone(desired.template.fields()),
        actual: Some(desired.template.hash()),
        present: PresentMaps {
            labels: true,
            annotations: true,
        },
        deleting: false,
        managers: Vec::new(),
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
        actual: Some(content("foreign").hash()),
        present: PresentMaps::default(),
        deleting: false,
        managers: vec!["helm".into()],
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
            .filter(|object| object.marks.managed && object.marks.owner.is_some());
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
                Decision::Update(_) | Decision::Delete => break,
            }
        }
        match step.desired {
            Some(desired) => self.0.insert(step.key, written(&desired)),
            None => self.0.remove(&step.key),
        };
        true
    }
}
