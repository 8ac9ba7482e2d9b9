//! A watch over a bare connection: an answer without an end, line by line.

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{connection::Connection, job::Job, job::Request};
use crate::error::Outcome;

impl Connection {
    /// Sends a request whose answer has no end; it is read by [`Self::line`].
    pub async fn begin(&mut self, request: &Request, job: &Job) -> Outcome<()> {
        let bytes = request.bytes(job);
        let stream = self.stream();
        stream.write_all(&bytes).await?;
        stream.flush().await?;
        Ok(())
    }

    /// The next line of the answer: what begins with a brace. Heads and the lengths of chunks don't.
    pub async fn line(&mut self, pending: &mut Vec<u8>) -> Outcome<String> {
        loop {
            while let Some(end) = pending.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = pending.drain(..=end).collect();
                if line.starts_with(b"HTTP/1.1 ") && !line.starts_with(b"HTTP/1.1 200") {
                    return Err(String::from_utf8_lossy(&line).into_owned().into());
                }
                if line.starts_with(b"{") {
                    return Ok(String::from_utf8(line)?);
                }
            }
            if self.stream().read_buf(pending).await? == 0 {
                return Err("the watch was closed".into());
            }
        }
    }
}
