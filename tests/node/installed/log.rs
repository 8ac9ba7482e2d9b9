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

    /// The messages, in their order.
    pub fn messages(&self) -> Vec<&str> {
        let messages = self.0.iter().map(|line| line["message"].as_str());
        messages.flatten().collect()
    }

    /// The lines with this message.
    pub fn lines(&self, message: &str) -> Vec<&Value> {
        let lines = self.0.iter();
        lines.filter(|line| line["message"] == message).collect()
    }
}
