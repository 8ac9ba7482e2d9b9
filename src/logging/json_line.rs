//! An event as one line of JSON.

use std::fmt;

use jiff::Timestamp;
use serde_json::{Map, Value};
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{
    fmt::{FmtContext, FormatEvent, FormatFields, format::Writer},
    registry::LookupSpan,
};

/// Writes each event as an object of its time, its level, its message and its fields.
pub struct JsonLine;

impl<S, N> FormatEvent<S, N> for JsonLine
where
    S: Subscriber + for<'span> LookupSpan<'span>,
    N: for<'writer> FormatFields<'writer> + 'static,
{
    fn format_event(
        &self,
        _context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        writeln!(writer, "{}", line(event, Timestamp::now()))
    }
}

fn line(event: &Event<'_>, time: Timestamp) -> Value {
    let level = event.metadata().level().as_str().to_lowercase();
    let mut fields = Fields(Map::new());
    fields.put("time", format!("{time:.3}").into());
    fields.put("level", level.into());
    event.record(&mut fields);
    Value::Object(fields.0)
}

struct Fields(Map<String, Value>);

impl Fields {
    fn put(&mut self, name: &str, value: Value) {
        self.0.insert(name.to_owned(), value);
    }
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field.name(), value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field.name(), value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field.name(), value.into());
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field.name(), value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field.name(), value.into());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.put(field.name(), format!("{value:?}").into());
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        sync::{Arc, Mutex},
    };

    use serde_json::json;
    use tracing::{info, subscriber::with_default, warn};
    use tracing_subscriber::fmt;

    use super::*;

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn logged(log: impl FnOnce()) -> Vec<Value> {
        let written = Written::default();
        let writer = written.clone();
        let subscriber = fmt()
            .event_format(JsonLine)
            .with_writer(move || writer.clone())
            .finish();
        with_default(subscriber, log);
        let bytes = written.0.lock().unwrap().clone();
        let text = String::from_utf8(bytes).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    #[test]
    fn an_event_is_a_line_of_its_fields() {
        let none: Option<&str> = None;
        let lines = logged(|| {
            info!(
                object = "secret/a",
                count = 3,
                seconds = 0.5,
                missing = none,
                "written"
            );
            warn!(error = "two\nlines \"quoted\"", "failed");
        });
        let mut lines = lines.into_iter().map(|mut line| {
            let time = line["time"].take();
            assert!(
                time.as_str().unwrap().parse::<Timestamp>().is_ok(),
                "{time}"
            );
            line.as_object_mut().unwrap().remove("time");
            line
        });
        let written = json!({"level": "info", "message": "written", "object": "secret/a", "count": 3,
            "seconds": 0.5});
        assert_eq!(lines.next(), Some(written));
        let failed =
            json!({"level": "warn", "message": "failed", "error": "two\nlines \"quoted\""});
        assert_eq!(lines.next(), Some(failed));
        assert_eq!(lines.next(), None);
    }
}
