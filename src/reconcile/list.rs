//! Reads a collection page by page, so that a page that fails costs no more than itself.

use super::{ApiError, Cluster, Failure, Pace, Query, RawObject, UnexpectedShape};

/// One page of a collection.
pub struct Page<T> {
    /// What its objects were reduced to.
    pub objects: Vec<T>,
    /// What asks for the next page; none on the last.
    pub continue_token: Option<String>,
    /// The state of the collection that it tells.
    pub resource_version: Box<str>,
}

/// A collection, whole and consistent.
pub struct Listed<T> {
    /// What its objects were reduced to.
    pub objects: Vec<T>,
    /// The state of it: a watch that begins here misses nothing.
    pub resource_version: Box<str>,
}

/// How often a list is begun anew at most because it took so long that its continue token expired.
const RESTARTS: u32 = 3;

/// Reads a collection, consistently and whole, or fails. Each page is asked for as often as `pace` says.
pub async fn list<C: Cluster, T>(
    cluster: &C,
    pace: &Pace,
    query: &Query,
    mut reduce: impl FnMut(RawObject<'_>) -> Result<Option<T>, UnexpectedShape>,
) -> Result<Listed<T>, ApiError> {
    whole(async |token| {
        let attempt = async || cluster.list_page(query, token, &mut reduce).await;
        pace.request(attempt).await.result
    })
    .await
}

/// Gathers all pages. They are of one state of the collection, so when that state is no longer kept, the
/// list begins anew.
pub async fn whole<T>(
    mut page: impl AsyncFnMut(Option<&str>) -> Result<Page<T>, ApiError>,
) -> Result<Listed<T>, ApiError> {
    let (mut found, mut token) = (Vec::new(), None);
    let mut restarts = 0;
    loop {
        match page(token.as_deref()).await {
            Ok(page) => {
                found.extend(page.objects);
                token = page.continue_token;
                if token.is_none() {
                    return Ok(Listed {
                        objects: found,
                        resource_version: page.resource_version,
                    });
                }
            }
            Err(error) if is_expired(&error) && restarts < RESTARTS => {
                restarts += 1;
                token = None;
                found.clear();
            }
            Err(error) => return Err(error),
        }
    }
}

fn is_expired(error: &ApiError) -> bool {
    matches!(error.failure, Failure::Expired(_))
}
