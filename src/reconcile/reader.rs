//! Reads what a run needs, and plans with it.

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
};

use futures::{StreamExt, future, stream};

use super::{
    ApiError, Cluster, Collection, Decision, Depth, Domain, Extent, Found, Input, ObjectKey,
    Observer, Options, Pace, Plan, RawObject, RunError, Step, Writes, list, plan,
};

/// Up to so many doubtful objects are read one by one, more of them in one list.
const INSPECT_SINGLY: usize = 50;

/// Reads what a run needs.
pub struct Reader<'a, C> {
    /// Where the objects are.
    pub cluster: &'a C,
    /// Retries and cancellation.
    pub pace: &'a Pace,
    /// Reduces the domain's objects.
    pub observer: &'a RefCell<Observer>,
}

impl<C: Cluster> Reader<'_, C> {
    /// Lists the domain's objects and reads its inputs.
    ///
    /// The objects come first: one that somebody makes after this can't look orphaned to what is read later. Where
    /// they can't be listed as a whole, the inputs may tell which of them there are; then these are listed,
    /// and the inputs are read once more.
    pub async fn read_all<D: Domain>(
        &self,
        domain: &mut D,
        depth: Depth,
    ) -> Result<Vec<Found>, RunError<D::Error>> {
        let collections = domain.collections();
        let mut found = self.observe(domain, &collections, depth).await?;
        self.absorb_inputs(domain).await?;
        let mut narrower = domain.collections();
        narrower.retain(|one| !collections.contains(one));
        if !narrower.is_empty() {
            found.extend(self.observe(domain, &narrower, depth).await?);
            domain.forget_inputs();
            self.absorb_inputs(domain).await?;
        }
        Ok(found)
    }

    /// Lists the domain's objects.
    async fn observe<D: Domain>(
        &self,
        domain: &mut D,
        collections: &[Collection],
        depth: Depth,
    ) -> Result<Vec<Found>, RunError<D::Error>> {
        let label = domain.owner_kind().label;
        let lists = collections
            .iter()
            .map(async |collection| self.list_ours(collection, label, depth).await);
        let results = future::join_all(lists).await;
        let mut observed = Vec::new();
        for (collection, result) in collections.iter().zip(results) {
            match result {
                Ok(objects) => observed.extend(objects),
                Err(error) => domain
                    .collection_unreadable(collection, error)
                    .map_err(RunError::Domain)?,
            }
        }
        Ok(observed)
    }

    async fn list_ours(
        &self,
        collection: &Collection,
        owner_label: &str,
        depth: Depth,
    ) -> Result<Vec<Found>, ApiError> {
        let resource = collection.resource;
        let query = collection.query(owner_label, depth);
        let observe = |object: RawObject<'_>| {
            let mut observer = self.observer.borrow_mut();
            let found = observer.observe(resource, object, depth)?;
            Ok(Some(Box::new(found)))
        };
        let listed = list(self.cluster, self.pace, &query, observe).await?;
        Ok(listed.objects)
    }

    /// Reads the domain's inputs until what was read names no more of them.
    async fn absorb_inputs<D: Domain>(&self, domain: &mut D) -> Result<(), RunError<D::Error>> {
        let mut absorbed = HashSet::new();
        loop {
            let mut inputs = domain.inputs();
            inputs.retain(|input| absorbed.insert(input.clone()));
            if inputs.is_empty() {
                return Ok(());
            }
            let reads: Vec<_> = stream::iter(&inputs)
                .map(|input| self.read(&*domain, input))
                .buffered(Self::READS_AT_ONCE)
                .collect()
                .await;
            for (input, facts) in inputs.iter().zip(reads) {
                domain.absorb(input, facts).map_err(RunError::Domain)?;
            }
        }
    }

    const READS_AT_ONCE: usize = 8;

    async fn read<D: Domain>(
        &self,
        domain: &D,
        input: &Input<D::Feed>,
    ) -> Result<Vec<D::Fact>, ApiError> {
        let key = match input {
            Input::List(query) => {
                let reduce = |object: RawObject<'_>| domain.reduce(input, object);
                let listed = list(self.cluster, self.pace, query, reduce).await?;
                return Ok(listed.objects);
            }
            Input::Get(key) => key,
            Input::Feed(feed) => return Ok(vec![domain.read(feed).await]),
        };
        let read = async || {
            let reduce = |object: RawObject<'_>| domain.reduce(input, object);
            self.cluster.get(key, Depth::Full, reduce).await
        };
        let fact = self.pace.request(read).await.result?;
        Ok(fact.flatten().into_iter().collect())
    }

    /// Plans; and where metadata leaves many objects in doubt, reads them all at once and decides anew.
    pub async fn plan<D: Domain>(
        &self,
        domain: &mut D,
        observed: Vec<Found>,
        options: Options,
    ) -> Plan {
        let scope = domain.scope();
        let mut plan = plan(domain.desired(), observed, &scope);
        if options.extent == Extent::OnlyPrune {
            plan.keep_only_prunings();
            return plan;
        }
        let doubtful = plan.steps.iter().filter(|step| self.is_doubtful(step));
        let doubtful: HashSet<ObjectKey> = doubtful.map(|step| step.key.clone()).collect();
        if doubtful.len() > INSPECT_SINGLY {
            plan.look_again(self.read_doubtful(domain, &doubtful).await, &scope);
        }
        plan
    }

    /// Where nobody checks an update, whether it is possible is told by the whole object alone.
    fn is_doubtful(&self, step: &Step) -> bool {
        match step.decision {
            Decision::Inspect => true,
            Decision::Update(_) => self.cluster.writes() == Writes::Assumed,
            _ => false,
        }
    }

    /// Reads the doubtful objects whole, by one list for each collection that may have some. Others that the
    /// list brings are left out: one that came into being since the first list would look orphaned.
    /// Where the list fails, the objects stay in doubt and are read one by one.
    async fn read_doubtful<D: Domain>(
        &self,
        domain: &D,
        doubtful: &HashSet<ObjectKey>,
    ) -> HashMap<ObjectKey, Found> {
        let mut collections = domain.collections();
        collections.retain(|one| doubtful.iter().any(|key| one.contains(key)));
        let mut fresh = HashMap::new();
        for collection in collections {
            let label = domain.owner_kind().label;
            let listed = self.list_ours(&collection, label, Depth::Full).await;
            let listed = listed.unwrap_or_default().into_iter();
            let listed = listed.filter(|object| doubtful.contains(&object.key));
            fresh.extend(listed.map(|object| (object.key.clone(), object)));
        }
        fresh
    }
}
