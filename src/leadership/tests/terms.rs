//! When a term is over.

use std::{cell::Cell, rc::Rc, time::Duration};

use tokio::time::{Instant, sleep};

use super::super::term::Term;

#[tokio::test(start_paused = true)]
async fn a_term_ends_when_its_time_is_up() {
    let begun = Instant::now();
    let (deadline, term) = Term::until(begun + Duration::from_secs(10));
    assert!(term.is_valid());
    let put_off = async {
        sleep(Duration::from_secs(9)).await;
        assert!(deadline.put_off(begun + Duration::from_secs(19)));
    };
    tokio::join!(term.over(), put_off);
    assert_eq!(begun.elapsed(), Duration::from_secs(19));
    assert!(!term.is_valid());
    assert!(
        !deadline.put_off(begun + Duration::from_mins(1)),
        "too late"
    );
    assert!(!term.is_valid());
}

#[tokio::test(start_paused = true)]
async fn a_term_ends_with_its_holder() {
    let begun = Instant::now();
    let (deadline, term) = Term::until(begun + Duration::from_secs(10));
    let ended = Rc::new(Cell::new(false));
    let die = async {
        sleep(Duration::from_secs(3)).await;
        drop(deadline);
        ended.set(true);
    };
    tokio::join!(term.over(), die);
    assert!(ended.get() && !term.is_valid());
    assert_eq!(begun.elapsed(), Duration::from_secs(3));
}
