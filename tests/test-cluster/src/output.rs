//! The only writer to stdout and stderr: results go to the one, everything else to the other.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Prints a result for programs to read.
pub(crate) fn result(line: &str) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
}

/// Prints a line for people. A closed stderr is no reason to fail.
pub(crate) fn note(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Something slow, shown while it lasts: one line that counts the seconds on a terminal, and a
/// line at each end elsewhere.
pub(crate) struct Step {
    what: String,
    started: Instant,
    counter: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Step {
    pub(crate) fn begin(what: String) -> Self {
        let started = Instant::now();
        let counter = io::stderr()
            .is_terminal()
            .then(|| count(what.clone(), started));
        if counter.is_none() {
            note(&format!("{what} ..."));
        }
        Self {
            what,
            started,
            counter,
        }
    }

    pub(crate) fn done(mut self) {
        self.stop_counting();
        note(&format!(
            "{}: done in {} s",
            self.what,
            self.started.elapsed().as_secs()
        ));
    }

    fn stop_counting(&mut self) {
        if let Some((stop, thread)) = self.counter.take() {
            drop(stop);
            let _ = thread.join();
        }
    }
}

impl Drop for Step {
    fn drop(&mut self) {
        self.stop_counting();
    }
}

fn count(what: String, started: Instant) -> (Sender<()>, JoinHandle<()>) {
    let (stop, stopped) = mpsc::channel::<()>();
    let thread = std::thread::spawn(move || {
        loop {
            let line = format!("\r{what} ... {} s", started.elapsed().as_secs());
            let _ = io::stderr().write_all(line.as_bytes());
            if stopped.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Disconnected) {
                break;
            }
        }
        let _ = io::stderr().write_all(b"\r\x1b[K");
    });
    (stop, thread)
}
