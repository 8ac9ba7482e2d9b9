//! What holds of every plan, whatever is wanted and whatever is there.

use std::collections::{BTreeSet, HashSet};

use proptest::prelude::*;

use super::world::{
    World, actual, content, desired, desired_by, foreign, key, owner, stranger, written,
};
use crate::reconcile::{
    Actual, ConflictPolicy, Desired, Found, Loaded, Marks, ObjectKey, Observed, Owner, Policies,
    Provenance, PrunePolicy, Pruning, SECRETS, Scope, SetName, plan,
};

fn any_key() -> impl Strategy<Value = ObjectKey> {
    (
        prop::sample::select(vec!["a", "b", "c"]),
        prop::sample::select(vec!["x", "y"]),
    )
        .prop_map(|(namespace, name)| key(namespace, name))
}

fn any_owner() -> impl Strategy<Value = Owner> {
    prop::sample::select(vec![
        owner("one"),
        owner("two"),
        owner("three"),
        stranger("one"),
        stranger("four"),
    ])
}

/// A wish as data that a failing test can print: who wants which object, from where, with what.
#[derive(Clone, Debug)]
struct Wish {
    key: ObjectKey,
    owner: Owner,
    source: &'static str,
    value: &'static str,
    policies: Policies,
}

fn any_policies() -> impl Strategy<Value = Policies> {
    let conflict = prop::sample::select(vec![
        ConflictPolicy::Skip,
        ConflictPolicy::Adopt,
        ConflictPolicy::Overwrite,
    ]);
    let prune = prop::sample::select(vec![PrunePolicy::Delete, PrunePolicy::Orphan]);
    (conflict, prune).prop_map(|(conflict, prune)| Policies { conflict, prune })
}

fn any_wish() -> impl Strategy<Value = Wish> {
    let owners = prop::sample::select(vec![owner("one"), owner("two")]);
    // An original holds one content at a time, whoever copies it.
    let originals = prop::sample::select(vec![("s/x", "new"), ("t/x", "other")]);
    (any_key(), owners, originals, any_policies()).prop_map(
        |(key, owner, (source, value), policies)| Wish {
            key,
            owner,
            source,
            value,
            policies,
        },
    )
}

fn granted(wishes: &[Wish]) -> Vec<Desired> {
    wishes
        .iter()
        .map(|wish| {
            desired_by(
                wish.policies,
                &wish.key,
                &wish.owner,
                wish.source,
                wish.value,
            )
        })
        .collect()
}

/// An object in any state that the world can bring it into.
fn any_object() -> impl Strategy<Value = Observed> {
    let ours = (
        any_key(),
        any_owner(),
        prop::sample::select(vec!["old", "new"]),
        0..14u8,
    );
    let ours = ours.prop_map(|(key, owner, value, damage)| {
        damaged(written(&desired(&key, &owner, "s/x", value)), damage)
    });
    let foreign = (any_key(), any::<bool>(), any::<bool>()).prop_map(|(key, equal, immutable)| {
        let mut object = foreign(&key);
        let holds = content(if equal { "new" } else { "foreign" });
        object.actual = Some(Actual {
            immutable,
            ..actual(&holds)
        });
        object
    });
    prop_oneof![4 => ours, 1 => foreign]
}

fn damaged(mut object: Observed, damage: u8) -> Observed {
    match damage {
        0 => object.actual = Some(actual(&content("edited"))),
        1 => object.marks.managed = false,
        2 => object.marks.labelled = false,
        3 => object.marks.on_its_target = false,
        4 => object.marks.content = None,
        10 => object.marks.owner = None,
        5 => object.deleting = true,
        6 => object.marks = Marks::default(),
        7 => object.marks.adopted = Some("Helm".into()),
        8 => object.actual.as_mut().unwrap().immutable = true,
        9 => object.actual.as_mut().unwrap().r#type = Some("example.com/other".into()),
        _ => return object,
    }
    object.provenance = Provenance::Doubtful;
    if !object.marks.are_ours() {
        object.foreign = Some(Box::default());
    }
    object
}

fn any_world() -> impl Strategy<Value = World> {
    prop::collection::vec(any_object(), 0..8).prop_map(|objects| {
        World(
            objects
                .into_iter()
                .map(|object| (object.key.clone(), object))
                .collect(),
        )
    })
}

fn any_scope() -> impl Strategy<Value = Scope> {
    let names = vec![
        Loaded::WholeSet,
        Loaded::Only([(None, "one".into())].into()),
    ];
    let withheld = vec![BTreeSet::new(), BTreeSet::from([owner("two")])];
    let orphaning = vec![BTreeSet::new(), BTreeSet::from([owner("one")])];
    let kept_sources = vec![HashSet::new(), HashSet::from([(&SECRETS, "s/x".into())])];
    let leaving = vec![HashSet::new(), HashSet::from(["c".into()])];
    (
        prop::sample::select(names),
        prop::sample::select(withheld),
        prop::sample::select(leaving),
        prop::sample::select(orphaning),
        prop::sample::select(kept_sources),
        any::<bool>(),
    )
        .prop_map(
            |(loaded, withheld, leaving, orphaning, kept_sources, prune)| Scope {
                set: SetName::cluster(),
                loaded,
                withheld,
                orphaning,
                kept_sources,
                leaving,
                pruning: if prune {
                    Pruning::ByPolicy
                } else {
                    Pruning::Off
                },
            },
        )
}

/// No owner wants the same object from the same original twice.
fn any_wishes() -> impl Strategy<Value = Vec<Wish>> {
    prop::collection::vec(any_wish(), 0..8).prop_map(|mut wishes| {
        let mut seen = BTreeSet::new();
        wishes.retain(|wish| seen.insert((wish.key.clone(), wish.owner.clone(), wish.source)));
        wishes
    })
}

/// Plans and applies; the number of objects that were written.
fn run(world: &mut World, wishes: &[Wish], scope: &Scope) -> usize {
    let plan = plan(granted(wishes), boxed(world.listed()), scope);
    plan.steps
        .into_iter()
        .map(|step| usize::from(world.apply(step, scope)))
        .sum()
}

/// Whether the run has any business with the object.
fn is_our_business(object: &Observed, scope: &Scope) -> bool {
    object.marks.are_ours()
        && object
            .marks
            .owner
            .as_ref()
            .is_none_or(|owner| scope.acts_for(owner))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_second_run_writes_nothing(mut world in any_world(), wishes in any_wishes(), scope in any_scope()) {
        run(&mut world, &wishes, &scope);
        let settled = world.clone();
        prop_assert_eq!(run(&mut world, &wishes, &scope), 0);
        prop_assert_eq!(world, settled);
    }

    #[test]
    fn what_is_not_ours_is_never_touched(mut world in any_world(), wishes in any_wishes(), scope in any_scope()) {
        let before = world.clone();
        run(&mut world, &wishes, &scope);
        for (key, object) in before.0 {
            let may_take_over = |wish: &Wish| {
                wish.key == key && wish.policies.conflict != ConflictPolicy::Skip && scope.acts_for(&wish.owner)
            };
            let invited = !object.marks.are_ours() && wishes.iter().any(may_take_over);
            if !is_our_business(&object, &scope) && !invited {
                prop_assert_eq!(world.0.get(&key), Some(&object));
            }
        }
    }

    #[test]
    fn what_we_did_not_make_is_never_deleted(
        mut world in any_world(),
        wishes in any_wishes(),
        scope in any_scope(),
        later in any_wishes(),
    ) {
        let before = world.clone();
        run(&mut world, &wishes, &scope);
        run(&mut world, &later, &Scope { pruning: Pruning::OnPurpose, ..scope });
        for (key, object) in before.0 {
            if !object.marks.are_ours() || object.marks.adopted.is_some() {
                let after = world.0.get(&key);
                prop_assert!(after.is_some());
                let was_immutable = object.actual.unwrap().immutable;
                prop_assert_eq!(after.unwrap().actual.as_ref().unwrap().immutable, was_immutable);
            }
        }
    }

    #[test]
    fn nothing_is_deleted_unless_asked(mut world in any_world(), wishes in any_wishes(), scope in any_scope()) {
        let scope = Scope { pruning: Pruning::Off, ..scope };
        let before = world.clone();
        run(&mut world, &wishes, &scope);
        for key in before.0.keys() {
            prop_assert!(world.0.contains_key(key));
        }
    }

    #[test]
    fn the_order_of_the_input_does_not_matter(
        world in any_world(),
        wishes in any_wishes(),
        scope in any_scope(),
        seed in any::<u64>(),
    ) {
        let describe = |wishes: &[Wish], observed: &[Observed]| {
            let plan = plan(granted(wishes), boxed(observed.to_vec()), &scope);
            let steps = plan.steps.into_iter().map(|step| {
                let desired = step.desired.map(|desired| (desired.template.owner.clone(), desired.template.hash()));
                (step.key, desired, step.decision)
            });
            (steps.collect::<Vec<_>>(), plan.in_step)
        };
        let mut shuffled = (wishes.clone(), world.listed());
        rotate(&mut shuffled.0, seed);
        rotate(&mut shuffled.1, seed / 7);
        prop_assert_eq!(describe(&wishes, &world.listed()), describe(&shuffled.0, &shuffled.1));
    }
}

fn boxed(observed: Vec<Observed>) -> Vec<Found> {
    observed.into_iter().map(Box::new).collect()
}

fn rotate<T>(items: &mut [T], seed: u64) {
    if !items.is_empty() {
        let by = usize::try_from(seed % items.len() as u64).unwrap();
        items.rotate_left(by);
        if seed.is_multiple_of(2) {
            items.reverse();
        }
    }
}
