//! One request, with the redirections that it leads to.

use http::{HeaderMap, StatusCode, header};
use jiff::{SignedDuration, Timestamp};
use reqwest::{Client, Response, Url};

use super::{
    body, clients::Clients, key::Key, record::Validators, redirect, retry_after, trouble::Trouble,
};
use crate::rates::provider::{
    BadRedirect, Failure, Permissions, Refusal, Source, permissions::Reach,
};

/// The longest wait that a server may ask for before we give up instead.
const LONGEST_WAIT: SignedDuration = SignedDuration::from_secs(5);
/// The most bytes of what a server says instead of rates.
const LONGEST_COMPLAINT: u64 = 64 << 10;

/// What is asked for.
pub struct Question<'a> {
    /// The source.
    pub source: &'a Source,
    /// The address, without the key.
    pub url: Url,
    /// How far it may lead.
    pub reach: Reach,
    /// The key.
    pub key: Option<&'a Key>,
    /// What is known of an earlier answer.
    pub validators: Option<&'a Validators>,
}

/// What came of it.
pub enum Reply {
    /// An answer.
    Answer {
        /// Its body.
        body: Vec<u8>,
        /// How to ask whether it has changed.
        validators: Validators,
    },
    /// The earlier answer still holds.
    NotModified(Validators),
}

/// What it takes to ask.
pub struct Asking<'a> {
    /// The HTTP clients.
    pub clients: &'a Clients,
    /// What may be asked for.
    pub permissions: &'a Permissions,
    /// The most bytes of an answer.
    pub max_body: u64,
}

impl Asking<'_> {
    /// Asks once.
    pub async fn ask(&self, question: &Question<'_>) -> Result<Reply, Trouble> {
        let (response, is_proxied) = self.follow(question).await?;
        let status = response.status();
        let validators = Validators::of(response.headers());
        if status == StatusCode::NOT_MODIFIED {
            let failure = Failure::HttpStatus { status, said: None };
            // Who wasn't asked whether something has changed can't say so; perhaps a cache between us did.
            let asked = question.validators.is_some();
            return if asked {
                Ok(Reply::NotModified(validators))
            } else {
                Err(Trouble::passing(failure))
            };
        }
        if status.is_success() {
            let body = body::read(response, self.max_body, is_proxied).await?;
            return Ok(Reply::Answer { body, validators });
        }
        let headers = response.headers().clone();
        let complaint = body::read(response, LONGEST_COMPLAINT, is_proxied).await;
        let said = complaint.ok().and_then(|body| complain(question, &body));
        Err(refused(question.source, status, &headers, said))
    }

    async fn follow(&self, question: &Question<'_>) -> Result<(Response, bool), Trouble> {
        let mut url = question.url.clone();
        let mut reach = question.reach;
        let mut with_key = true;
        for _ in 0..=redirect::MOST {
            let key = question.key.filter(|_| with_key);
            let is_proxied = self.clients.is_proxied(&url);
            let client = self.clients.client(&url, reach)?;
            let response = send(client, &url, key, question.validators).await;
            let response = response.map_err(|error| Trouble::of_client(&error, is_proxied))?;
            let Some(next) = redirect::target(&response, &url)? else {
                return Ok((response, is_proxied));
            };
            with_key &= redirect::keeps_key(&url, &next);
            redirect::check_key(question.key, with_key, &next)?;
            let from = (&url, reach);
            reach = self
                .permissions
                .reach_of_redirect(question.source, from, &next)?;
            url = next;
        }
        Err(Failure::Redirect(BadRedirect::TooMany(redirect::MOST)).into())
    }
}

async fn send(
    client: &Client,
    url: &Url,
    key: Option<&Key>,
    validators: Option<&Validators>,
) -> Result<Response, reqwest::Error> {
    let address = key.map_or_else(|| url.clone(), |key| key.in_url(url));
    let mut request = client.get(address);
    request = match validators {
        Some(validators) => request.headers(validators.headers()),
        None => request.header(header::CACHE_CONTROL, "no-cache"),
    };
    if let Some(key) = key {
        request = key.in_header(request);
    }
    request.send().await
}

/// What the server says, without the key, should it repeat that.
fn complain(question: &Question<'_>, body: &[u8]) -> Option<Refusal> {
    let provider = question.source.kind().provider();
    match question.key {
        Some(key) => provider.refusal(&key.hidden_in(body)),
        None => provider.refusal(body),
    }
}

fn refused(
    source: &Source,
    status: StatusCode,
    headers: &HeaderMap,
    said: Option<Refusal>,
) -> Trouble {
    let now = Timestamp::now();
    let retry = retry_after::moment(headers, now);
    let is_limit =
        status == StatusCode::TOO_MANY_REQUESTS || said.as_ref().is_some_and(|said| said.is_limit);
    let asks_to_wait = is_limit || (status == StatusCode::SERVICE_UNAVAILABLE && retry.is_some());
    if !asks_to_wait {
        let failure = Failure::HttpStatus { status, said };
        return if status.is_server_error() {
            Trouble::passing(failure)
        } else {
            failure.into()
        };
    }
    let pause = || Some(retry_after::later(now, source.kind().provider().pause()?));
    let until = retry.or_else(pause);
    let wait = retry.map(|moment| moment.duration_since(now));
    Trouble {
        failure: Failure::RateLimited { until, said },
        again: wait
            .filter(|wait| *wait <= LONGEST_WAIT)
            .map(SignedDuration::unsigned_abs),
    }
}
