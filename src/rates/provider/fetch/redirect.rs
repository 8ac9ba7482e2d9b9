//! Where a redirection leads, and whether we go there.

use http::{StatusCode, header::LOCATION};
use reqwest::{Response, Url};

use super::key::Key;
use crate::rates::provider::{BadRedirect, Failure};

/// The most redirections of one request.
pub const MOST: usize = 5;

/// Where an answer sends us, if it does.
pub fn target(response: &Response, asked: &Url) -> Result<Option<Url>, Failure> {
    let is_redirect = matches!(
        response.status(),
        StatusCode::MOVED_PERMANENTLY
            | StatusCode::FOUND
            | StatusCode::SEE_OTHER
            | StatusCode::TEMPORARY_REDIRECT
            | StatusCode::PERMANENT_REDIRECT
    );
    if !is_redirect {
        return Ok(None);
    }
    let location = response.headers().get(LOCATION);
    let location = location.and_then(|location| location.to_str().ok());
    resolve(asked, location)
        .map(Some)
        .map_err(Failure::Redirect)
}

fn resolve(asked: &Url, location: Option<&str>) -> Result<Url, BadRedirect> {
    let location = location.ok_or(BadRedirect::Nowhere)?;
    let mut url = asked.join(location).map_err(|_| BadRedirect::Nowhere)?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(BadRedirect::Scheme);
    }
    if asked.scheme() == "https" && url.scheme() == "http" {
        return Err(BadRedirect::Downgrade);
    }
    url.set_fragment(None);
    // A user would be sent as one, and we have none.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    Ok(url)
}

/// Whether a key that was sent to `from` may be sent to `to`: only to the same host, and the same port
/// unless what follows is encrypted and what came before wasn't.
pub fn keeps_key(from: &Url, to: &Url) -> bool {
    let is_upgrade = from.scheme() == "http" && to.scheme() == "https";
    let is_upgraded_host = is_upgrade && from.host_str() == to.host_str();
    from.origin() == to.origin() || is_upgraded_host
}

/// A server might hand on the key by itself, in the address.
pub fn check_key(key: Option<&Key>, keeps_key: bool, to: &Url) -> Result<(), Failure> {
    let is_handed_on = !keeps_key && key.is_some_and(|key| key.is_in(to.as_str().as_bytes()));
    if is_handed_on {
        return Err(Failure::Redirect(BadRedirect::WithKey));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn a_location_may_be_relative() {
        let from = url("https://a.example/b/c?d=e");
        let to = |location| resolve(&from, Some(location)).map(|url| url.to_string());
        assert_eq!(to("f"), Ok("https://a.example/b/f".to_owned()));
        assert_eq!(to("//b.example/#x"), Ok("https://b.example/".to_owned()));
        assert_eq!(
            to("https://me:pw@b.example/"),
            Ok("https://b.example/".to_owned())
        );
        assert_eq!(to("http://a.example/"), Err(BadRedirect::Downgrade));
        assert_eq!(to("file:///etc/passwd"), Err(BadRedirect::Scheme));
        assert_eq!(to("https://"), Err(BadRedirect::Nowhere));
        assert_eq!(resolve(&from, None), Err(BadRedirect::Nowhere));
        let plain = url("http://a.example/");
        assert!(resolve(&plain, Some("https://a.example/")).is_ok());
        assert_eq!(
            resolve(&plain, Some("file:///etc/passwd")),
            Err(BadRedirect::Scheme)
        );
    }

    #[test]
    fn a_key_stays_with_its_host() {
        let keeps = |from, to| keeps_key(&url(from), &url(to));
        assert!(keeps("https://a.example/b", "https://a.example:443/c"));
        assert!(keeps("http://a.example/", "https://a.example/"));
        assert!(!keeps("https://a.example/", "https://b.example/"));
        assert!(!keeps("https://a.example/", "https://a.example:444/"));
        assert!(!keeps("https://a.example/", "https://sub.a.example/"));
    }
}
