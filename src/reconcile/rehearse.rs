//! A cluster on which nothing is ever written: plans and client-side dry runs work on it.

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
    rc::Rc,
    sync::Arc,
};

use serde::Deserialize;
use tokio::sync::OnceCell;

use super::{
    Access, Answer, ApiError, Cluster, Depth, Desired, Failure, Name, Namespace, ObjectKey,
    Observed, Page, Query, RawObject, ResourceType, StatusUpdate, UnexpectedShape, Verb, Writes,
    whole,
};

/// The namespaces in which a name is taken; none when that may not be listed.
type Namespaces = Rc<OnceCell<Option<HashSet<Namespace>>>>;

/// Reads from a real cluster, and answers writes as that cluster would, as far as can be known.
pub struct Rehearsal<'a, C> {
    cluster: &'a C,
    /// In which namespaces a name is taken: one list for each name tells it for all namespaces.
    taken: RefCell<HashMap<(&'static ResourceType, Name), Namespaces>>,
}

#[derive(Deserialize)]
struct WithNamespace {
    metadata: NamespaceOnly,
}

#[derive(Deserialize)]
struct NamespaceOnly {
    namespace: Option<Namespace>,
}

impl<'a, C: Cluster> Rehearsal<'a, C> {
    /// Rehearses on `cluster`.
    pub fn new(cluster: &'a C) -> Self {
        Self {
            cluster,
            taken: RefCell::default(),
        }
    }

    async fn is_taken(&self, key: &ObjectKey) -> Result<bool, ApiError> {
        let Some(namespace) = &key.namespace else {
            return Ok(false);
        };
        let cell = Rc::clone(
            self.taken
                .borrow_mut()
                .entry((key.resource, key.name.clone()))
                .or_default(),
        );
        let listed = cell.get_or_try_init(|| self.namespaces_with(key)).await?;
        let may_be_taken = listed
            .as_ref()
            .is_none_or(|namespaces| namespaces.contains(namespace));
        // It may have gone since.
        Ok(may_be_taken
            && self
                .cluster
                .get(key, Depth::Metadata, |_| Ok(()))
                .await?
                .is_some())
    }

    async fn namespaces_with(
        &self,
        key: &ObjectKey,
    ) -> Result<Option<HashSet<Namespace>>, ApiError> {
        let fields = format!("metadata.name={}", key.name);
        let query = Query {
            fields,
            ..Query::all(key.resource, Depth::Metadata)
        };
        let reduce =
            |object: RawObject<'_>| Ok(object.parse::<WithNamespace>()?.metadata.namespace);
        let page = async |token: Option<&str>| self.cluster.list_page(&query, token, reduce).await;
        match whole(page).await {
            Ok(listed) => Ok(Some(listed.objects.into_iter().collect())),
            Err(ApiError {
                failure: Failure::Forbidden(_),
                ..
            }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl<C: Cluster> Cluster for Rehearsal<'_, C> {
    async fn list_page<T>(
        &self,
        query: &Query,
        continue_token: Option<&str>,
        reduce: impl FnMut(RawObject<'_>) -> Result<Option<T>, UnexpectedShape>,
    ) -> Result<Page<T>, ApiError> {
        self.cluster.list_page(query, continue_token, reduce).await
    }

    async fn get<T>(
        &self,
        key: &ObjectKey,
        depth: Depth,
        reduce: impl FnOnce(RawObject<'_>) -> Result<T, UnexpectedShape>,
    ) -> Result<Option<T>, ApiError> {
        self.cluster.get(key, depth, reduce).await
    }

    fn writes(&self) -> Writes {
        Writes::Assumed
    }

    async fn create(&self, desired: &Desired) -> Result<(), ApiError> {
        if self.is_taken(&desired.key).await? {
            let failure = Failure::AlreadyExists("already exists".to_owned());
            return Err(ApiError::on(Verb::Create, &desired.key, failure));
        }
        Ok(())
    }

    async fn try_create(&self, _desired: &Desired) -> Result<(), ApiError> {
        Ok(())
    }

    async fn orphan(&self, _observed: &Observed) -> Result<(), ApiError> {
        Ok(())
    }

    async fn release(&self, _observed: &Observed) -> Result<(), ApiError> {
        Ok(())
    }

    async fn update(&self, _desired: &Desired, _observed: &Observed) -> Result<(), ApiError> {
        Ok(())
    }

    async fn delete(&self, _observed: &Observed) -> Result<(), ApiError> {
        Ok(())
    }

    async fn write_status(&self, _update: &StatusUpdate) -> Result<(), ApiError> {
        Ok(())
    }

    async fn may(&self, access: &Access) -> Result<Answer, ApiError> {
        self.cluster.may(access).await
    }

    async fn user(&self) -> Result<Arc<str>, ApiError> {
        self.cluster.user().await
    }
}
