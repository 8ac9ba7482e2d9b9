//! What a test's server answers.

use std::{fmt::Write as _, io::Write as _};

use flate2::{Compression, write::GzEncoder};

/// What a server does with a request.
#[derive(Clone)]
pub enum Reply {
    /// Sends this and closes the connection, whether it is all that it promised or not.
    Send(Vec<u8>),
    /// Sends this, and nothing more for as long as anybody listens.
    Stall(Vec<u8>),
}

/// A whole answer.
pub fn answer(status: u16, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Reply {
    let body = body.as_ref();
    Reply::Send([head(status, headers, body.len()).as_slice(), body].concat())
}

/// A whole answer of rates.
pub fn ok(body: impl AsRef<[u8]>) -> Reply {
    answer(200, &[], body)
}

/// Nothing but a status and headers.
pub fn status(status: u16, headers: &[(&str, &str)]) -> Reply {
    answer(status, headers, "")
}

/// An answer that breaks off after half of its body.
pub fn cut(body: &[u8]) -> Reply {
    Reply::Send(
        [
            head(200, &[], body.len()).as_slice(),
            &body[..body.len() / 2],
        ]
        .concat(),
    )
}

/// An answer that stalls after half of its body.
pub fn stalled(body: &[u8]) -> Reply {
    Reply::Stall(
        [
            head(200, &[], body.len()).as_slice(),
            &body[..body.len() / 2],
        ]
        .concat(),
    )
}

/// A packed answer.
pub fn packed(body: &[u8]) -> Reply {
    answer(200, &[("content-encoding", "gzip")], gzip(body))
}

/// An answer whose length isn't said beforehand.
pub fn chunked(body: &[u8]) -> Reply {
    let mut bytes = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n".to_vec();
    for chunk in body.chunks(8192) {
        write!(bytes, "{:x}\r\n", chunk.len()).expect("memory can be written");
        bytes.extend_from_slice(chunk);
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(b"0\r\n\r\n");
    Reply::Send(bytes)
}

fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(body).expect("memory can be written");
    encoder.finish().expect("memory can be written")
}

fn head(status: u16, headers: &[(&str, &str)], length: usize) -> Vec<u8> {
    let mut head =
        format!("HTTP/1.1 {status} x\r\ncontent-length: {length}\r\nconnection: close\r\n");
    for (name, value) in headers {
        let _ = write!(head, "{name}: {value}\r\n");
    }
    head.push_str("\r\n");
    head.into_bytes()
}
