//! Takes in what is heard, and finds the objects that it may have put out of step.

use std::collections::{BTreeSet, HashSet};

use futures::StreamExt;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{
    Affected, ContinuousDomain, Followed, Priority,
    follow::{Change, follow},
    live::{Heard, Live},
};
use crate::reconcile::{
    ApiError, Collection, Decision, Depth, Failure, Found, Input, Namespace, ObjectKey, Observed,
    Query, RawObject, Scope, Verb, WatchableCluster,
    plan::{Judgement, judge},
};

impl<D: ContinuousDomain, C: WatchableCluster> Live<'_, D, C> {
    /// Follows the domain's objects where they are by now, and nowhere else any more.
    pub(super) fn follow_objects(&mut self) {
        let wanted = self.ground.domain.borrow().collections();
        let is_broader = |one: &Collection| !wanted.contains(one) && one.name.is_none();
        let ended = self.following_objects.extract_if(|one, _| {
            // Where all may not be read just now, they may be later.
            !wanted.contains(one) && !is_broader(one)
        });
        for (collection, token) in ended {
            token.cancel();
            self.answered.remove(&collection);
            self.listed.remove(&collection);
            if !wanted.iter().any(|one| one.covers(&collection)) {
                self.objects.take(&collection);
            }
        }
        for collection in wanted {
            if !self.following_objects.contains_key(&collection) {
                self.follow_collection(collection);
            }
        }
    }

    fn follow_collection(&mut self, collection: Collection) {
        let ground = self.ground;
        let label = ground.domain.borrow().owner_kind().label;
        let resource = collection.resource;
        let observe = move |object: RawObject<'_>| {
            let mut observer = ground.observer.borrow_mut();
            let found = observer.observe(resource, object, Depth::Metadata)?;
            Ok(Some(Box::new(found)))
        };
        let query = collection.query(label, Depth::Metadata);
        let token = CancellationToken::new();
        self.following_objects
            .insert(collection.clone(), token.clone());
        let heard = follow(ground.cluster, query, observe)
            .map(move |change| Heard::Objects(collection.clone(), change))
            .take_until(token.cancelled_owned());
        self.followers.push(heard.boxed_local());
    }

    /// Follows what the domain asks for by now, and nothing else any more.
    pub(super) fn follow_inputs(&mut self) {
        let wanted = self.ground.domain.borrow().followed();
        let ended = self.following.extract_if(|one, _| !wanted.contains(one));
        for (followed, token) in ended {
            token.cancel();
            let is_renewed = wanted.iter().any(|one| one.query == followed.query);
            if !is_renewed {
                self.ground.domain.borrow_mut().forgotten(&followed.query);
            }
        }
        for followed in wanted {
            if !self.following.contains_key(&followed) {
                self.follow_input(followed);
            }
        }
    }

    fn follow_input(&mut self, followed: Followed) {
        let domain = &self.ground.domain;
        let input = std::rc::Rc::new(Input::List(followed.query.clone()));
        let reduce = move |object: RawObject<'_>| domain.borrow().reduce(&input, object);
        let changes = follow(self.ground.cluster, followed.query.clone(), reduce);
        let token = CancellationToken::new();
        let heard = {
            let followed = followed.clone();
            changes.map(move |change| Heard::Input(followed.clone(), change))
        };
        let heard = heard.take_until(token.clone().cancelled_owned());
        self.followers.push(heard.boxed_local());
        self.following.insert(followed, token);
    }

    /// Reads everything anew that is followed: something was missed. What is known is believed until then.
    pub(super) fn follow_anew(&mut self) {
        let objects: Vec<_> = self.following_objects.drain().collect();
        let inputs = self.following.drain().map(|(_, token)| token);
        for token in objects.iter().map(|(_, token)| token.clone()).chain(inputs) {
            token.cancel();
        }
        for (collection, _) in objects {
            self.follow_collection(collection);
        }
        self.follow_inputs();
    }

    /// Takes in something that was heard.
    pub(super) fn hear(&mut self, heard: Heard<D::Fact>) {
        if !heard.is_failure() {
            self.end_outage();
        }
        match heard {
            Heard::Objects(collection, change)
                if self.following_objects.contains_key(&collection) =>
            {
                self.hear_objects(&collection, change);
            }
            // What comes from a follower that isn't needed any more is old.
            Heard::Input(followed, change) if self.following.contains_key(&followed) => {
                self.hear_input(&followed.query, change);
            }
            Heard::Objects(..) | Heard::Input(..) => {}
        }
    }

    fn hear_objects(&mut self, collection: &Collection, change: Change<Found>) {
        match change {
            Change::Listed(found) => self.replace_objects(collection, found),
            Change::Applied(found) => {
                let key = found.key.clone();
                self.backlog.echo(&key);
                self.objects.insert(found);
                if self.look_at(&key, Priority::Single) {
                    self.note_disturbance(&key);
                }
            }
            Change::Deleted(found) => {
                // What we replace we delete ourselves.
                let is_ours = self.backlog.queue.is_busy(&found.key);
                self.backlog.echo(&found.key);
                self.objects.remove(&found.key);
                if self.look_at(&found.key, Priority::Single) && !is_ours {
                    self.note_disturbance(&found.key);
                }
            }
            Change::Failed { error, pause } => {
                // With the smallest rights not all may be listed: the domain tells of it if it matters.
                if !is_refused_list(&error) {
                    self.monitor.trouble(&error, pause);
                }
                self.objects_unreadable(collection, error);
            }
        }
    }

    /// Only a list tells for sure what may be read, and only what is news changes anything.
    fn objects_unreadable(&mut self, collection: &Collection, error: ApiError) {
        if !is_refused_list(&error) {
            return;
        }
        let was_listed = self.listed.remove(collection);
        if self.answered.insert(collection.clone()) || was_listed {
            let mut domain = self.ground.domain.borrow_mut();
            // Only a failure that isn't about rights ends a run that isn't endless.
            let _ = domain.collection_unreadable(collection, error);
            drop(domain);
            self.backlog.echo_all();
            self.anything();
        }
    }

    fn replace_objects(&mut self, collection: &Collection, found: Vec<Found>) {
        self.objects.replace(collection, found);
        self.backlog.echo_all();
        self.ground.domain.borrow_mut().collection_read(collection);
        self.answered.insert(collection.clone());
        self.listed.insert(collection.clone());
        self.anything();
    }

    fn hear_input(&mut self, query: &Query, change: Change<D::Fact>) {
        let affected = {
            let mut domain = self.ground.domain.borrow_mut();
            match change {
                Change::Listed(facts) => domain.listed(query, facts),
                Change::Applied(fact) => domain.applied(query, fact),
                Change::Deleted(fact) => domain.deleted(query, &fact),
                Change::Failed { error, pause } => {
                    self.monitor.trouble(&error, pause);
                    domain.unreadable(query, &error)
                }
            }
        };
        self.backlog.account.touch(Instant::now());
        self.heed(affected);
    }

    /// Looks at what a change may have put out of step.
    pub(super) fn heed(&mut self, affected: Affected) {
        match affected {
            Affected::Nothing => {}
            Affected::Everything => self.anything(),
            Affected::Namespace(namespace, priority) => {
                self.scope = None;
                if self.is_ready {
                    self.look_into(&namespace, priority);
                }
            }
        }
        self.ask_for_reads();
    }

    fn anything(&mut self) {
        self.scope = None;
        self.replan = true;
        self.follow_inputs();
        self.follow_objects();
    }

    fn ask_for_reads(&mut self) {
        let unread = self.ground.domain.borrow_mut().unread();
        for key in unread {
            self.reads.add(&key, Priority::Single, Instant::now());
        }
    }

    fn look_into(&mut self, namespace: &Namespace, priority: Priority) {
        let wanted = self.ground.domain.borrow().wanted_in(namespace);
        let mut keys: BTreeSet<ObjectKey> = wanted.into_iter().map(|one| one.key).collect();
        keys.extend(self.objects.keys_in(namespace).cloned());
        keys.extend(self.backlog.account.troubled_in(namespace).cloned());
        for key in &keys {
            self.look_at(key, priority);
        }
    }

    /// Finds whether an object is in step, and asks for its turn if it isn't; gives whether it is to be written.
    pub(super) fn look_at(&mut self, key: &ObjectKey, priority: Priority) -> bool {
        if !self.is_ready {
            return false;
        }
        let scope = self.scope();
        let observed = self.objects.get(key);
        let judgement = self.judge(key, observed, &scope);
        self.backlog.heed(key, judgement, observed, priority)
    }

    /// What must be done about an object, for all that is known.
    pub(super) fn judge(
        &self,
        key: &ObjectKey,
        observed: Option<&Observed>,
        scope: &Scope,
    ) -> Judgement {
        let domain = self.ground.domain.borrow();
        let judgement = judge(domain.claims(key), observed, scope);
        placed(&*domain, key, judgement)
    }

    /// Compares everything that should exist with what does.
    pub(super) fn look_at_all(&mut self) {
        let scope = self.scope();
        let mut domain = self.ground.domain.borrow_mut();
        domain.begin_account();
        let mut wanted = domain.desired();
        drop(domain);
        let mut troubled: HashSet<ObjectKey> =
            self.backlog.account.troubled_keys().cloned().collect();
        wanted
            .sort_unstable_by(|one, other| (&one.key, one.rank()).cmp(&(&other.key, other.rank())));
        let mut wanted = wanted.into_iter().peekable();
        let mut found = self.objects.iter().peekable();
        loop {
            let keys = wanted.peek().map(|one| &one.key).into_iter();
            let keys = keys.chain(found.peek().map(|one| &one.key));
            let Some(key) = keys.min().cloned() else {
                break;
            };
            troubled.remove(&key);
            let claims = std::iter::from_fn(|| wanted.next_if(|one| one.key == key)).collect();
            let observed = found.next_if(|one| one.key == key);
            let judgement = judge(claims, observed, &scope);
            let judgement = placed(&*self.ground.domain.borrow(), &key, judgement);
            self.backlog.heed(&key, judgement, observed, Priority::Bulk);
        }
        // Nobody wants these any more, and they aren't there either.
        drop(found);
        for key in troubled {
            let judgement = judge(Vec::new(), None, &scope);
            self.backlog.heed(&key, judgement, None, Priority::Bulk);
        }
    }
}

/// What is in a place that isn't there any more goes away with it; what is in one that hasn't been heard of yet
/// will be come to with it.
fn placed<D: ContinuousDomain>(domain: &D, key: &ObjectKey, judgement: Judgement) -> Judgement {
    let decision = match judgement.decision {
        Decision::Delete | Decision::Release | Decision::Orphan if !domain.has_place(key) => {
            Decision::Nothing
        }
        decision => decision,
    };
    Judgement {
        decision,
        ..judgement
    }
}

/// Whether objects may not be listed at all.
fn is_refused_list(error: &ApiError) -> bool {
    error.verb == Verb::List && matches!(error.failure, Failure::Forbidden(_))
}
