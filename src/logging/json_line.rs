//! An event as one line of JSON.

use std::fmt::{self, Write};

use jiff::Timestamp;
use serde_json::Value;
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
        write_line(&mut writer, event, Timestamp::now())
    }
}

/// The time comes first and the fields last, as whoever reads the lines by eye expects it.
fn write_line(writer: &mut impl Write, event: &Event<'_>, time: Timestamp) -> fmt::Result {
    let level = event.metadata().level().as_str().to_lowercase();
    let mut fields = Fields {
        message: Value::Null,
        rest: Vec::new(),
    };
    event.record(&mut fields);
    write!(
        writer,
        r#"{{"time":"{time:.3}","level":"{level}","message":{}"#,
        fields.message
    )?;
    for (name, value) in fields.rest {
        write!(writer, r#","{name}":{value}"#)?;
    }
    writer.write_str("}\n")
}

/// What an event says. Its fields' names are words of ours.
struct Fields {
    message: Value,
    rest: Vec<(&'static str, Value)>,
}

impl Fields {
    fn put(&mut self, field: &Field, value: Value) {
        if field.name() == "message" {
            self.message = value;
        } else {
            self.rest.push((field.name(), value));
        }
    }
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value.into());
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, value.into());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.put(field, format!("{value:?}").into());
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        sync::{Arc, Mutex},
    };

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

    fn logged(log: impl FnOnce()) -> String {
        let written = Written::default();
        let writer = written.clone();
        let subscriber = fmt()
            .event_format(JsonLine)
            .with_writer(move || writer.clone())
            .finish();
        with_default(subscriber, log);
        let bytes = written.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn an_event_is_a_line_of_its_fields() {
        let none: Option<&str> = None;
        let text = logged(|| {
            info!(
                object = "secret/a",
                count = 3,
                seconds = 0.5,
                missing = none,
                "written"
            );
            warn!(error = "two\nlines \"quoted\"", what = %"shown", "failed");
        });
        let lines: Vec<&str> = text
            .lines()
            .map(|line| {
                let (time, rest) = line.strip_prefix("{\"time\":\"").unwrap().split_at(24);
                assert!(time.parse::<Timestamp>().is_ok(), "{time}");
                serde_json::from_str::<Value>(line).unwrap();
                rest
            })
            .collect();
        let expected = [
            r#"","level":"info","message":"written","object":"secret/a","count":3,"seconds":0.5}"#,
            r#"","level":"warn","message":"failed","error":"two\nlines \"quoted\"","what":"shown"}"#,
        ];
        assert_eq!(lines, expected);
    }
}
