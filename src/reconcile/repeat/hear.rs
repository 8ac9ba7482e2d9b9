//! Follows the owners and their objects, and finds who is due because of what is heard.

use futures::StreamExt;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{
    Owners, Recurring,
    editions::{Edition, Editions, edition},
    rounds::{Heard, Rounds},
};
use crate::reconcile::{
    Collection, Depth, Failure, Found, Owner, Query, RawObject, WatchableCluster,
    watch::{Change, follow},
};

impl<R: Recurring, C: WatchableCluster> Rounds<'_, '_, R, C> {
    /// Follows the owners, if they are objects of the cluster.
    pub(super) fn follow_owners(&mut self) {
        let ground = self.ground;
        if let Owners::Followed(query) = ground.recurring.owners() {
            let query = Query {
                depth: Depth::Metadata,
                ..query
            };
            let reduce = |object: RawObject<'_>| edition(ground.kind, object).map(Some);
            let heard = follow(ground.cluster, query, reduce).map(Heard::Owners);
            self.followers.push(heard.boxed_local());
        }
    }

    /// Follows the owners' objects where they are by now, and no longer by names that nobody wants.
    pub(super) fn follow_objects(&mut self, wanted: Vec<Collection>) {
        let ended = self.following.extract_if(|one, _| {
            // Where all may not be read just now, they may be later.
            one.name.is_some() && !wanted.contains(one)
        });
        for (collection, token) in ended {
            token.cancel();
            self.unanswered.remove(&collection);
        }
        for collection in wanted {
            if !self.following.contains_key(&collection) {
                self.follow_collection(collection);
            }
        }
    }

    fn follow_collection(&mut self, collection: Collection) {
        let ground = self.ground;
        let resource = collection.resource;
        let observe = move |object: RawObject<'_>| {
            let mut observer = ground.observer.borrow_mut();
            let found = observer.observe(resource, object, Depth::Metadata)?;
            Ok(Some(Box::new(found)))
        };
        let query = collection.query(ground.kind.label, Depth::Metadata);
        let token = CancellationToken::new();
        self.following.insert(collection.clone(), token.clone());
        self.unanswered.insert(collection.clone());
        let heard = follow(ground.cluster, query, observe)
            .map(move |change| Heard::Objects(collection.clone(), change))
            .take_until(token.cancelled_owned());
        self.followers.push(heard.boxed_local());
    }

    /// Takes in something that was heard.
    pub(super) fn hear(&mut self, heard: Heard) {
        match heard {
            Heard::Owners(change) => self.hear_owners(change),
            Heard::Objects(collection, change) if self.following.contains_key(&collection) => {
                self.hear_objects(&collection, change);
            }
            // What comes from a follower that isn't needed any more is old.
            Heard::Objects(..) => {}
        }
    }

    fn hear_owners(&mut self, change: Change<(Owner, Edition)>) {
        match change {
            Change::Listed(all) => {
                if !self.editions.are_known() {
                    // Whatever kept runs from coming to anything may be over.
                    self.rests_until = Instant::now();
                    self.full_at = self.rests_until;
                    let ours = all.iter().map(|(owner, _)| owner);
                    let ours = ours.filter(|owner| self.ground.recurring.acts_for(owner));
                    for owner in ours {
                        self.timetable.admit(owner);
                    }
                }
                for owner in self.editions.hear_all(all) {
                    self.ask(&owner);
                }
            }
            Change::Applied((owner, edition)) => {
                if self.editions.hear(owner.clone(), edition) {
                    self.ask(&owner);
                }
            }
            Change::Deleted((owner, _)) => {
                if self.editions.lose(&owner) {
                    self.ask(&owner);
                }
            }
            Change::Failed { error, pause } => {
                if error.failure.is_unknown_resource() {
                    self.editions = Editions::Followed(None);
                }
                self.ground.monitor.borrow_mut().trouble(&error, pause);
            }
        }
    }

    /// One has come, asks for something else, or is gone.
    fn ask(&mut self, owner: &Owner) {
        if self.ground.recurring.acts_for(owner) {
            let now = Instant::now();
            self.timetable.ask(owner, now);
            self.timetable.ask_conflicts_beside(owner, now);
        }
    }

    fn hear_objects(&mut self, collection: &Collection, change: Change<Found>) {
        let timetable = &self.timetable;
        let is_busy = |owner: &Owner| timetable.is_busy(owner);
        let damaged: Vec<Owner> = match change {
            Change::Listed(found) => {
                let is_first = self.unanswered.remove(collection);
                let damaged = self.places.hear_all(collection, found, is_busy);
                // What was there before is for the first run to judge.
                damaged.into_iter().filter(|_| !is_first).collect()
            }
            Change::Applied(found) => {
                let key = found.key.clone();
                let damaged = self.places.hear(&key, Some(found), is_busy);
                damaged.into_iter().collect()
            }
            Change::Deleted(found) => {
                let damaged = self.places.hear(&found.key, None, is_busy);
                damaged.into_iter().collect()
            }
            Change::Failed { error, pause } => {
                if matches!(error.failure, Failure::Forbidden(_)) {
                    self.unanswered.remove(collection);
                }
                self.ground.monitor.borrow_mut().trouble(&error, pause);
                return;
            }
        };
        for owner in damaged {
            if self.timetable.knows(&owner) {
                self.timetable.repair(&owner, Instant::now());
            }
        }
    }
}
