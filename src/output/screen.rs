//! A terminal for tests, on which a bar can be drawn.

use std::{
    io,
    sync::{Arc, Mutex},
};

use indicatif::{ProgressDrawTarget, TermLike};

use super::ProgressMode;

/// What clearing a line leaves on a [`Screen`].
pub const CLEARED: &str = "\n";

/// A terminal that remembers every line that was ever drawn on it.
#[derive(Clone, Debug, Default)]
pub struct Screen(Arc<Mutex<String>>);

impl Screen {
    pub fn text(&self) -> String {
        self.0.lock().unwrap().clone()
    }

    pub fn push(&self, text: &str) {
        self.0.lock().unwrap().push_str(text);
    }

    /// A bar that is drawn on this.
    pub fn as_mode(&self) -> ProgressMode {
        let screen = Box::new(self.clone());
        ProgressMode::BarOn(ProgressDrawTarget::term_like_with_hz(screen, u8::MAX))
    }
}

impl TermLike for Screen {
    fn width(&self) -> u16 {
        100
    }

    fn move_cursor_up(&self, _lines: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _lines: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _columns: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _columns: usize) -> io::Result<()> {
        Ok(())
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write_str(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.push(text);
        Ok(())
    }

    fn clear_line(&self) -> io::Result<()> {
        self.write_str(CLEARED)
    }

    fn flush(&self) -> io::Result<()> {
        Ok(())
    }
}
