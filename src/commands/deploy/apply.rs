//! Applies the objects of an installation, one after the other, and tells what became of each.

use std::collections::BTreeSet;

use serde_json::Value;

use super::DeployError;
use crate::{
    cluster::Application,
    commands::CommandError,
    installation::{CLUSTER_ROLE_BINDINGS, INSTALLED_IN_LABEL, Identity, Installed},
    output::{DryRun, Streams},
    reconcile::{Failure, Namespace, ObjectKey, Pace},
};

/// What applies objects.
pub struct Applier<'a> {
    /// The cluster.
    pub application: &'a Application,
    /// Retries and cancellation.
    pub pace: &'a Pace,
    /// Whose the objects are.
    pub identity: &'a Identity,
    /// Whether fields are taken over that others manage.
    pub force: bool,
    /// How far it goes.
    pub dry_run: DryRun,
}

/// Fields that the API server keeps itself, of which none is ours to change.
const KEPT_BY_SERVER: [&str; 3] = ["managedFields", "resourceVersion", "generation"];

impl Applier<'_> {
    /// Applies all objects, and gives the namespaces that aren't there, so that nothing can be in them. Where
    /// the API server only checks, that may be the one that would be made.
    pub async fn apply_all(
        &self,
        streams: &mut Streams,
        objects: &[Installed],
    ) -> Result<BTreeSet<Namespace>, CommandError> {
        let mut absent = BTreeSet::new();
        let standing = self.all_standing(objects).await?;
        for (object, standing) in objects.iter().zip(standing) {
            let namespace = object.key.namespace.as_ref();
            let word = match (self.apply(object, standing.as_ref()).await, namespace) {
                (Err(error), Some(namespace)) if error.lacks_namespace() => {
                    absent.insert(namespace.clone());
                    if *namespace != self.identity.namespace {
                        continue;
                    }
                    "created"
                }
                (word, _) => word?,
            };
            let (line, suffix) = (line(&object.key, self.identity), self.dry_run.suffix());
            writeln!(streams.out, "{line} {word}{suffix}")?;
            streams.out.flush()?;
        }
        Ok(absent)
    }

    /// The objects as they are, before the first is written: one that belongs to another installation
    /// must stop all.
    async fn all_standing(&self, objects: &[Installed]) -> Result<Vec<Option<Value>>, DeployError> {
        let mut all = Vec::with_capacity(objects.len());
        for object in objects {
            let find = async || self.application.find(&object.key).await;
            let standing = self.pace.request(find).await.result?;
            if let Some(namespace) = standing.as_ref().and_then(|it| self.elsewhere(object, it)) {
                return Err(DeployError::Elsewhere {
                    key: object.key.clone(),
                    namespace,
                });
            }
            all.push(standing);
        }
        Ok(all)
    }

    /// The namespace of the other installation that an object of the cluster belongs to.
    fn elsewhere(&self, object: &Installed, standing: &Value) -> Option<Namespace> {
        let is_shared = object.key.namespace.as_ref() != Some(&self.identity.namespace);
        let labels = &standing["metadata"]["labels"];
        let labelled = labels[INSTALLED_IN_LABEL].as_str();
        // A binding of another tool has no label of ours, but says whom it is for.
        let bound = (object.key.resource == &CLUSTER_ROLE_BINDINGS)
            .then(|| standing["subjects"][0]["namespace"].as_str())
            .flatten();
        let there = labelled.or(bound).filter(|_| is_shared)?;
        (there != self.identity.namespace.as_str()).then(|| Namespace::from(there))
    }

    async fn apply(
        &self,
        object: &Installed,
        standing: Option<&Value>,
    ) -> Result<&'static str, DeployError> {
        let attempt = async || {
            let applied = self
                .application
                .apply(&object.key, &object.manifest, self.force);
            match applied.await {
                // A conflict about fields isn't solved by another attempt, unlike one about versions.
                Err(error) if matches!(error.failure, Failure::Conflict(_)) => Ok(Err(error)),
                applied => applied.map(Ok),
            }
        };
        let applied = self.pace.request(attempt).await.result.and_then(|it| it);
        let applied = applied.map_err(|error| DeployError::of_apply(&object.key, error))?;
        Ok(match standing {
            None => "created",
            Some(standing) if is_same(&object.manifest, standing.clone(), applied) => "unchanged",
            Some(_) => "configured",
        })
    }
}

/// `deployment.apps/name`, and the namespace where it isn't the installation's own.
fn line(key: &ObjectKey, identity: &Identity) -> String {
    let elsewhere = key.namespace.as_ref();
    let elsewhere = elsewhere.filter(|namespace| **namespace != identity.namespace);
    let elsewhere = elsewhere.map(|namespace| format!(" in namespace {namespace}"));
    let object = format!("{}/{}", key.resource.qualified_singular(), key.name);
    format!("{object}{}", elsewhere.unwrap_or_default())
}

/// Whether an object is as it was, as far as its manifest speaks of it: the rest others may have written
/// meanwhile, such as the status, and the sign of life that a leader gives in a Lease.
fn is_same(manifest: &Value, mut before: Value, mut after: Value) -> bool {
    for object in [&mut before, &mut after] {
        if let Some(object) = object.as_object_mut() {
            object.retain(|field, _| manifest.get(field).is_some());
        }
        if let Some(metadata) = object["metadata"].as_object_mut() {
            for field in KEPT_BY_SERVER {
                metadata.remove(field);
            }
        }
    }
    before == after
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_the_api_server_keeps_is_no_change_of_ours() {
        let manifest = json!({"metadata": {"name": "a"}, "spec": {}});
        let before = json!({"metadata": {"name": "a", "resourceVersion": "1"}, "status": {"x": 1}});
        let after = json!({"metadata": {"name": "a", "resourceVersion": "2", "generation": 2}});
        assert!(is_same(&manifest, before.clone(), after));
        let labelled = json!({"metadata": {"name": "a", "labels": {"a": "b"}}});
        assert!(!is_same(&manifest, before, labelled));
    }

    #[test]
    fn what_a_manifest_leaves_to_others_is_no_change_of_ours() {
        let held =
            |renewed: &str| json!({"metadata": {"name": "a"}, "spec": {"renewTime": renewed}});
        let silent = json!({"metadata": {"name": "a"}});
        assert!(is_same(&silent, held("1"), held("2")));
        assert!(!is_same(&held("2"), held("1"), held("2")));
    }
}
