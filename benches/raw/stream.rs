//! A watch over a bare connection: an answer without an end, line by line.

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{
    connection::{Connection, find},
    job::{Job, Request},
};
use crate::error::Outcome;

/// What has been received of an answer without an end.
#[derive(Default)]
pub struct Lines {
    /// As it came, with the head or with the lengths of chunks.
    raw: Vec<u8>,
    /// What the chunks hold.
    text: Vec<u8>,
    is_in_body: bool,
}

impl Lines {
    /// Takes the next whole line out, if there is one.
    fn next(&mut self) -> Outcome<Option<String>> {
        if !self.is_in_body && !self.pass_head()? {
            return Ok(None);
        }
        while self.pass_chunk()? {}
        let end = self.text.iter().position(|byte| *byte == b'\n');
        let line = end.map(|end| self.text.drain(..=end).collect());
        Ok(line.map(String::from_utf8).transpose()?)
    }

    fn pass_head(&mut self) -> Outcome<bool> {
        let Some(end) = find(&self.raw, b"\r\n\r\n") else {
            return Ok(false);
        };
        if !self.raw.starts_with(b"HTTP/1.1 200") {
            return Err(String::from_utf8_lossy(&self.raw).into_owned().into());
        }
        self.raw.drain(..end + 4);
        self.is_in_body = true;
        Ok(true)
    }

    fn pass_chunk(&mut self) -> Outcome<bool> {
        let Some(end) = find(&self.raw, b"\r\n") else {
            return Ok(false);
        };
        let size = usize::from_str_radix(str::from_utf8(&self.raw[..end])?, 16)?;
        let begin = end + 2;
        if self.raw.len() < begin + size + 2 {
            return Ok(false);
        }
        if size == 0 {
            return Err("the watch has ended".into());
        }
        self.text.extend_from_slice(&self.raw[begin..begin + size]);
        self.raw.drain(..begin + size + 2);
        Ok(true)
    }
}

impl Connection {
    /// Sends a request whose answer has no end; it is read by [`Self::line`].
    pub async fn begin(&mut self, request: &Request, job: &Job) -> Outcome<()> {
        let bytes = request.bytes(job);
        let stream = self.stream();
        stream.write_all(&bytes).await?;
        stream.flush().await?;
        Ok(())
    }

    /// The next line of the answer.
    pub async fn line(&mut self, lines: &mut Lines) -> Outcome<String> {
        loop {
            if let Some(line) = lines.next()? {
                return Ok(line);
            }
            if self.stream().read_buf(&mut lines.raw).await? == 0 {
                return Err("the watch was closed".into());
            }
        }
    }
}
