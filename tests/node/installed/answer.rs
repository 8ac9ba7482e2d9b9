//! What a pod answers over HTTP, asked from the machine.

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

/// An answer.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The body.
    pub body: String,
}

impl Answer {
    /// Asks for a path at the port of controllers.
    pub async fn of(address: &str, path: &str) -> Self {
        let mut stream = TcpStream::connect((address, 8080))
            .await
            .expect("it listens");
        let request =
            format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
        stream
            .write_all(request.as_bytes())
            .await
            .expect("it reads");
        let mut answer = String::new();
        stream
            .read_to_string(&mut answer)
            .await
            .expect("it answers");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
        Self {
            status: status.expect("a status"),
            body: body.to_owned(),
        }
    }

    /// Whether this is one of its lines.
    pub fn has(&self, line: &str) -> bool {
        self.body.lines().any(|found| found == line)
    }

    /// The sum of a metric over all series whose labels have these words in them.
    pub fn sum(&self, metric: &str, words: &[&str]) -> u64 {
        let series = self.body.lines().filter_map(|line| line.rsplit_once(' '));
        let counted = series.filter(|(series, _)| {
            let (name, labels) = series.split_once('{').unwrap_or((series, ""));
            name == metric && words.iter().all(|word| labels.contains(word))
        });
        counted
            .map(|(_, value)| value.parse::<u64>().expect("a count is a number"))
            .sum()
    }
}
