//! What an installation left behind: objects of an earlier call that are needed no more.

use std::collections::HashSet;

use serde::Deserialize;

use super::{DeployError, apply::Applier};
use crate::{
    cluster::ApiServer,
    commands::CommandError,
    installation::{Installed, Reach, made_of},
    output::{DryRun, Streams},
    reconcile::{
        ApiError, Depth, Failure, Name, Namespace, ObjectKey, Query, RawObject, ResourceType, list,
    },
};

/// An object of an installation that is there.
struct Standing {
    key: ObjectKey,
    uid: Box<str>,
}

#[derive(Deserialize)]
struct WithMetadata {
    metadata: Metadata,
}

#[derive(Deserialize)]
struct Metadata {
    name: Name,
    namespace: Option<Namespace>,
    uid: Box<str>,
}

/// What became of the leftovers.
#[derive(Debug, Default)]
pub struct Removal {
    /// How many objects were removed.
    pub removed: usize,
    /// Why some couldn't be looked for.
    pub unlisted: Vec<ApiError>,
}

impl Applier<'_> {
    /// Removes all objects of the installation but those that are wanted: what runs something first.
    pub async fn remove_others(
        &self,
        cluster: &ApiServer,
        streams: &mut Streams,
        wanted: &[Installed],
    ) -> Result<Removal, CommandError> {
        let wanted: HashSet<&ObjectKey> = wanted.iter().map(|object| &object.key).collect();
        let mut removal = Removal::default();
        for (resource, reach) in made_of() {
            let standing = match self.standing(cluster, resource, reach).await {
                Ok(standing) => standing,
                Err(error) if matches!(error.failure, Failure::Forbidden(_)) => {
                    removal.unlisted.push(error);
                    continue;
                }
                Err(error) => return Err(DeployError::from(error).into()),
            };
            for object in standing {
                if !wanted.contains(&object.key) {
                    self.remove(streams, &object).await?;
                    removal.removed += 1;
                }
            }
        }
        Ok(removal)
    }

    async fn standing(
        &self,
        cluster: &ApiServer,
        resource: &'static ResourceType,
        reach: Reach,
    ) -> Result<Vec<Standing>, ApiError> {
        let own = (reach == Reach::OwnNamespace).then(|| self.identity.namespace.clone());
        let query = Query {
            namespace: own,
            labels: self.identity.to_parameter(),
            ..Query::all(resource, Depth::Metadata)
        };
        let read = |object: RawObject<'_>| {
            let metadata = object.parse::<WithMetadata>()?.metadata;
            Ok(Some(Standing {
                key: ObjectKey {
                    namespace: metadata.namespace,
                    resource,
                    name: metadata.name,
                },
                uid: metadata.uid,
            }))
        };
        let listed = list(cluster, self.pace, &query, read).await;
        listed.map(|listed| listed.objects)
    }

    async fn remove(&self, streams: &mut Streams, object: &Standing) -> Result<(), CommandError> {
        if self.dry_run != DryRun::Client {
            let attempt = async || self.application.delete(&object.key, &object.uid).await;
            let deleted = self.pace.request(attempt).await.result;
            deleted.map_err(DeployError::from)?;
        }
        let (key, suffix) = (&object.key, self.dry_run.suffix());
        let resource = key.resource.qualified_singular();
        let place = key.namespace.as_ref();
        let place = place.map(|namespace| format!(" from namespace {namespace}"));
        let place = place.unwrap_or_default();
        writeln!(
            streams.out,
            "{resource} \"{}\" deleted{place}{suffix}",
            key.name
        )?;
        Ok(streams.out.flush()?)
    }
}
