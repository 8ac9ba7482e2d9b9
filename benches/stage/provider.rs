//! A provider of exchange rates on this machine, that counts how often it is asked.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    net::{TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use serde_json::json;

use crate::error::Outcome;

/// A provider whose rates change when it is told so.
pub struct RateProvider {
    port: u16,
    generation: Arc<AtomicUsize>,
    asked: Arc<AtomicUsize>,
}

impl RateProvider {
    /// Starts it; it ends with the process.
    pub fn start() -> Outcome<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let provider = Self {
            port: listener.local_addr()?.port(),
            generation: Arc::default(),
            asked: Arc::default(),
        };
        let (generation, asked) = (
            Arc::clone(&provider.generation),
            Arc::clone(&provider.asked),
        );
        thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                asked.fetch_add(1, Ordering::SeqCst);
                // Whoever went away asks again.
                let _ = answer(connection, generation.load(Ordering::SeqCst));
            }
        });
        Ok(provider)
    }

    /// Where it is asked.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/rates.json", self.port)
    }

    /// Gives it other rates.
    pub fn change(&self, generation: usize) {
        self.generation.store(generation, Ordering::SeqCst);
    }

    /// How often it was asked since this was called last.
    pub fn asked(&self) -> usize {
        self.asked.swap(0, Ordering::SeqCst)
    }
}

fn answer(connection: TcpStream, generation: usize) -> Outcome<()> {
    let mut reader = BufReader::new(connection);
    let mut line = String::new();
    while reader.read_line(&mut line)? > 2 {
        line.clear();
    }
    let body = body(generation);
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    Ok(reader.get_mut().write_all((head + &body).as_bytes())?)
}

/// Rates of today that differ from generation to generation, though never by more than is believed.
fn body(generation: usize) -> String {
    let today = jiff::Timestamp::now()
        .to_zoned(jiff::tz::TimeZone::UTC)
        .date();
    let digits = 1_000 + generation % 1_000;
    json!({
        "base": "EUR",
        "date": today.to_string(),
        "rates": {"USD": format!("1.0{digits}"), "JPY": format!("16.0{digits}"), "CHF": format!("0.9{digits}")},
    })
    .to_string()
}
