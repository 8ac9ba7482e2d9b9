//! The log of a pod, of which each line is an object.

use serde_json::Value;

use crate::sandbox::is_seen;

/// What a container has logged.
#[derive(Debug)]
pub struct Log(Vec<Value>);

impl Log {
    /// A log as the kubelet gives it. No planted value may be in it.
    pub fn of(text: &str) -> Self {
        assert!(!is_seen(text), "a planted value in {text}");
        let lines = text.lines().map(|line| {
            let parsed = serde_json::from_str::<Value>(line);
            let parsed = parsed.unwrap_or_else(|error| panic!("{error}: {line}"));
            for field in ["time", "level", "message"] {
                assert!(parsed[field].is_string(), "no {field} in {line}");
            }
            parsed
        });
        Self(lines.collect())
    }

    /// The lines that aren't merely information.
    pub fn troubles(&self) -> Vec<&Value> {
        let lines = self.0.iter();
        lines.filter(|line| line["level"] != "info").collect()
    }

    /// The lines with this message.
    pub fn lines(&self, message: &str) -> Vec<&Value> {
        let lines = self.0.iter();
        lines.filter(|line| line["message"] == message).collect()
    }

    /// The lines in which this text is anywhere.
    pub fn lines_with(&self, text: &str) -> Vec<&Value> {
        let lines = self.0.iter();
        let found = lines.filter(|line| line.to_string().contains(text));
        found.collect()
    }
}
