//! Everything at once, for hours: whatever happens, two never lead at the same time.

use std::time::Duration;

use super::{
    hall::{Hall, in_hall},
    store::Way,
};

/// Numbers that are the same in each run of a seed.
struct Dice(u64);

impl Dice {
    /// A number below `sides`.
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }
}

const NAMES: [&str; 3] = ["one", "four", "third"];
const WAYS: [Way; 6] = [
    Way::Open,
    Way::Open,
    Way::Closed,
    Way::Silent,
    Way::AnswersLost,
    Way::Forbidden,
];

/// How often somebody led, in most of an hour of mishaps.
async fn mishaps(hall: &Hall, seed: u64) -> usize {
    let mut dice = Dice(seed);
    let mut candidates: Vec<_> = NAMES.iter().map(|name| hall.enter(name)).collect();
    let mut terms = 0;
    for _ in 0..400 {
        let chosen = dice.roll(candidates.len());
        let candidate = &mut candidates[chosen];
        match dice.roll(12) {
            0 => {
                candidate.kill();
                *candidate = hall.enter(candidate.name);
            }
            1 => {
                let stopped = std::mem::replace(candidate, hall.enter(candidate.name));
                stopped.stop.cancel();
            }
            2 => hall.store.delete(),
            3 => hall.store.edit_existing(|record| record.holder = None),
            4 => hall
                .store
                .edit(|record| record.holder = Some("stranger".to_owned())),
            5 => candidate.path.watches.set(true),
            6 => candidate
                .path
                .latency
                .set(Duration::from_millis(1 << dice.roll(13))),
            _ => candidate.path.way.set(WAYS[dice.roll(WAYS.len())]),
        }
        let time = Duration::from_millis(u64::try_from(dice.roll(14_000)).unwrap());
        terms += hall.observe(time).await.len() - 1;
    }
    terms
}

#[tokio::test(start_paused = true)]
async fn two_never_lead_at_once() {
    for seed in 0..4 {
        in_hall(async |hall| {
            let terms = mishaps(&hall, seed).await;
            assert!(terms > 20, "somebody leads now and then: {terms}");
        })
        .await;
    }
}
