//! Reads a body, unpacked, and no further than to the limit.

use reqwest::Response;

use super::trouble::Trouble;
use crate::rates::provider::Failure;

/// The whole body, if it has at most `limit` bytes. What is packed counts as what it unpacks to, so
/// that a small answer can't fill the memory.
pub async fn read(
    mut response: Response,
    limit: u64,
    is_proxied: bool,
) -> Result<Vec<u8>, Trouble> {
    let too_large = || Trouble::from(Failure::TooLarge(limit >> 20));
    if response
        .content_length()
        .is_some_and(|length| length > limit)
    {
        return Err(too_large());
    }
    let mut body = Vec::new();
    loop {
        let chunk = response.chunk().await;
        let chunk = chunk.map_err(|error| Trouble::of_client(&error, is_proxied))?;
        let Some(chunk) = chunk else {
            return Ok(body);
        };
        if (body.len() + chunk.len()) as u64 > limit {
            return Err(too_large());
        }
        body.extend_from_slice(&chunk);
    }
}
