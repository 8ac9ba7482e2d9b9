//! When progress is shown, and how.

use super::*;
use crate::output::screen::Screen;

fn created(count: usize) -> Tally {
    Tally {
        created: count,
        ..Tally::default()
    }
}

#[test]
fn short_runs_draw_nothing() {
    let screen = Screen::default();
    let mut progress = Progress::new(screen.as_mode());
    progress.reading("reading rules");
    progress.planned(2, Duration::from_millis(100));
    progress.advance(&created(1), Duration::from_millis(200));
    progress.advance(&created(2), Duration::from_millis(300));
    drop(progress);
    assert_eq!(screen.text().trim(), "");
}

#[test]
fn long_runs_draw_a_bar_with_the_counts() {
    let screen = Screen::default();
    let mut progress = Progress::new(screen.as_mode());
    progress.planned(4, Duration::from_millis(100));
    progress.advance(&created(1), Duration::from_secs(2));
    std::thread::sleep(Duration::from_millis(20));
    progress.advance(&created(2), Duration::from_secs(3));
    assert!(screen.text().contains("2/4"), "{}", screen.text());
    assert!(screen.text().contains("2 created"), "{}", screen.text());
}

#[test]
fn long_reading_says_what_is_read() {
    let screen = Screen::default();
    let progress = Progress::new(screen.as_mode());
    progress.reading("reading rules");
    std::thread::sleep(Duration::from_millis(1300));
    assert!(
        screen.text().contains("reading rules… 1s"),
        "{}",
        screen.text()
    );
}

#[test]
fn without_a_terminal_a_line_is_due_now_and_then() {
    let mut progress = Progress::new(ProgressMode::Lines);
    progress.planned(1000, Duration::from_secs(5));
    let lines: Vec<_> = (1..=1000u16)
        .filter_map(|step| {
            let now = Duration::from_secs(5) + Duration::from_millis(25) * u32::from(step);
            progress.advance(&created(step.into()), now)
        })
        .collect();
    assert_eq!(
        lines,
        [
            "400 of 1000 done: 400 created…",
            "800 of 1000 done: 800 created…"
        ]
    );
}
