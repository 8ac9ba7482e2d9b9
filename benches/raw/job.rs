//! What a raw writer is told to do.

use std::{fmt::Write as _, sync::Arc};

use serde::{Deserialize, Serialize};

/// Requests, and where they go.
#[derive(Debug, Serialize, Deserialize)]
pub struct Job {
    /// The API server's port on the loopback address.
    pub port: u16,
    /// The certificate of its authority, in PEM.
    pub ca: String,
    /// The bearer token that all requests carry.
    pub token: String,
    /// How many connections there are, and so requests in flight.
    pub workers: usize,
    /// Whether the answers' bodies are kept.
    pub keep: bool,
    /// Whether answers may come compressed.
    pub gzip: bool,
    /// The requests.
    pub requests: Vec<Request>,
}

/// One request.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Request {
    /// The method.
    pub method: String,
    /// The path and the query string.
    pub uri: String,
    /// What is accepted.
    pub accept: String,
    /// The body's media type.
    pub media_type: String,
    /// The body.
    pub body: String,
}

/// What a program of ours accepts as the answer to a write.
const METADATA: &str = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

impl Request {
    /// A write, with the metadata as the answer.
    pub fn write(method: &str, uri: String, media_type: &str, body: String) -> Self {
        Self {
            method: method.to_owned(),
            uri,
            accept: METADATA.to_owned(),
            media_type: media_type.to_owned(),
            body,
        }
    }

    /// A creation.
    pub fn post(uri: impl Into<String>, body: &serde_json::Value) -> Self {
        Self::write("POST", uri.into(), "application/json", body.to_string())
    }

    /// A read.
    pub fn get(uri: impl Into<String>, accept: &str) -> Self {
        Self {
            method: "GET".to_owned(),
            uri: uri.into(),
            accept: accept.to_owned(),
            media_type: String::new(),
            body: String::new(),
        }
    }

    /// A deletion.
    pub fn delete(uri: impl Into<String>) -> Self {
        Self::write("DELETE", uri.into(), "", String::new())
    }

    /// The request as it goes over the wire.
    pub fn bytes(&self, job: &Job) -> Arc<[u8]> {
        let Self {
            method,
            uri,
            accept,
            media_type,
            body,
        } = self;
        let mut head = format!(
            "{method} {uri} HTTP/1.1\r\nhost: 127.0.0.1:{}\r\nauthorization: Bearer {}\r\n\
             accept: {accept}\r\nuser-agent: raw-writer\r\n",
            job.port, job.token
        );
        if job.gzip {
            head.push_str("accept-encoding: gzip\r\n");
        }
        if !media_type.is_empty() {
            let _ = write!(head, "content-type: {media_type}\r\n");
        }
        if method != "GET" {
            let _ = write!(head, "content-length: {}\r\n", body.len());
        }
        head.push_str("\r\n");
        head.push_str(body);
        head.into_bytes().into()
    }
}
