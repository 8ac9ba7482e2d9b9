//! What is kept of an answer: the answer itself, how to ask whether it has changed, and when to ask at all.

use http::{
    HeaderMap, HeaderName, HeaderValue,
    header::{ETAG, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED},
};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Records of another version aren't read.
const VERSION: u32 = 1;
/// However long a provider says that it has nothing new, it is asked after this time.
const LONGEST_USE: SignedDuration = SignedDuration::from_hours(24);

/// How to ask whether an answer has changed (RFC 9110, section 8.8).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Validators {
    etag: Option<String>,
    last_modified: Option<String>,
}

impl Validators {
    /// Those of an answer.
    pub fn of(headers: &HeaderMap) -> Self {
        let text = |name| {
            let value: &HeaderValue = headers.get(name)?;
            value.to_str().ok().map(ToOwned::to_owned)
        };
        Self {
            etag: text(ETAG),
            last_modified: text(LAST_MODIFIED),
        }
    }

    /// The headers of a question.
    pub fn headers(&self) -> HeaderMap {
        let pair = |name: HeaderName, text: &Option<String>| {
            let value = HeaderValue::try_from(text.as_deref()?).ok()?;
            Some((name, value))
        };
        let pairs = [
            pair(IF_NONE_MATCH, &self.etag),
            pair(IF_MODIFIED_SINCE, &self.last_modified),
        ];
        pairs.into_iter().flatten().collect()
    }

    /// Whether there is nothing to ask with.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// These, or what those say of what these don't.
    pub fn or(self, others: &Self) -> Self {
        Self {
            etag: self.etag.or_else(|| others.etag.clone()),
            last_modified: self.last_modified.or_else(|| others.last_modified.clone()),
        }
    }
}

/// What is kept of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// When it was got, or last found unchanged.
    pub fetched: Timestamp,
    /// How to ask whether it has changed.
    pub validators: Validators,
    /// Until when nothing new is to be expected.
    pub use_until: Option<Timestamp>,
    /// Before when the provider doesn't want to be asked.
    pub not_before: Option<Timestamp>,
    /// The answer. None if there never was one, but only a wish to be left alone.
    pub body: Option<Vec<u8>>,
}

/// The first line of a record's file; the body follows.
#[derive(Serialize, Deserialize)]
struct Head {
    version: u32,
    fetched: Timestamp,
    #[serde(flatten)]
    validators: Validators,
    use_until: Option<Timestamp>,
    not_before: Option<Timestamp>,
    /// Of the body, in hexadecimal; none without one.
    sha256: Option<String>,
}

impl Record {
    /// Nothing but a moment.
    pub fn empty(now: Timestamp) -> Self {
        Self {
            fetched: now,
            validators: Validators::default(),
            use_until: None,
            not_before: None,
            body: None,
        }
    }

    /// Whether the answer can be used without asking. A record from the future says nothing.
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        let age = now.duration_since(self.fetched);
        self.body.is_some()
            && self.use_until.is_some_and(|until| now < until)
            && !age.is_negative()
            && age < LONGEST_USE
    }

    /// When the provider can be asked again, if it can't be now.
    pub fn wait_until(&self, now: Timestamp) -> Option<Timestamp> {
        let longest = now.saturating_add(LONGEST_USE).unwrap_or(Timestamp::MAX);
        self.not_before
            .filter(|moment| now < *moment && *moment <= longest)
    }

    /// The file's content.
    pub fn write(&self) -> Vec<u8> {
        let head = Head {
            version: VERSION,
            fetched: self.fetched,
            validators: self.validators.clone(),
            use_until: self.use_until,
            not_before: self.not_before,
            sha256: self.body.as_deref().map(digest),
        };
        let mut bytes = serde_json::to_vec(&head).expect("texts and moments are always JSON");
        bytes.push(b'\n');
        bytes.extend_from_slice(self.body.as_deref().unwrap_or_default());
        bytes
    }

    /// Reads a file's content; none if it isn't whole, or not of this version.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let (head, body) = (&bytes[..end], &bytes[end + 1..]);
        let head: Head = serde_json::from_slice(head).ok()?;
        let is_whole = match &head.sha256 {
            Some(sha256) => *sha256 == digest(body),
            None => body.is_empty(),
        };
        (head.version == VERSION && is_whole).then(|| Self {
            fetched: head.fetched,
            validators: head.validators,
            use_until: head.use_until,
            not_before: head.not_before,
            body: head.sha256.map(|_| body.to_vec()),
        })
    }
}

/// SHA-256 in hexadecimal.
pub fn digest(bytes: &[u8]) -> String {
    let pair = |byte: &u8| {
        [byte >> 4, byte & 15].map(|half| char::from(b"0123456789abcdef"[usize::from(half)]))
    };
    Sha256::digest(bytes).iter().flat_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        format!("2026-11-{text}:00Z").parse().unwrap()
    }

    fn record() -> Record {
        Record {
            validators: Validators {
                etag: Some("\"a\\b\"".to_owned()),
                last_modified: None,
            },
            use_until: Some(at("21T00:24")),
            body: Some(b"{\n}\n".to_vec()),
            ..Record::empty(at("20T16:00"))
        }
    }

    #[test]
    fn what_is_written_is_read() {
        for record in [
            record(),
            Record::empty(at("20T16:00")),
            Record {
                body: Some(Vec::new()),
                not_before: Some(at("20T17:00")),
                ..record()
            },
        ] {
            assert_eq!(Record::read(&record.write()), Some(record));
        }
    }

    #[test]
    fn what_is_damaged_is_not_read() {
        let bytes = record().write();
        for length in 0..bytes.len() {
            assert_eq!(Record::read(&bytes[..length]), None, "{length}");
        }
        let mut longer = bytes.clone();
        longer.push(b' ');
        assert_eq!(Record::read(&longer), None);
        let other = String::from_utf8(bytes)
            .unwrap()
            .replacen("\"version\":1", "\"version\":2", 1);
        assert_eq!(Record::read(other.as_bytes()), None);
        assert_eq!(Record::read(&[0xff; 100]), None);
    }

    #[test]
    fn an_answer_is_used_until_there_is_something_new_but_a_day_at_most() {
        let record = record();
        assert!(record.is_fresh(at("20T16:00")) && record.is_fresh(at("21T00:23")));
        assert!(!record.is_fresh(at("21T00:24")));
        assert!(!record.is_fresh(at("20T15:59")), "the clock was set back");
        let forever = Record {
            use_until: Some(at("30T00:00")),
            ..record.clone()
        };
        assert!(forever.is_fresh(at("21T15:59")) && !forever.is_fresh(at("21T16:00")));
        assert!(
            !Record {
                use_until: None,
                ..record.clone()
            }
            .is_fresh(at("20T16:00"))
        );
        assert!(
            !Record {
                body: None,
                ..record
            }
            .is_fresh(at("20T16:00"))
        );
    }

    #[test]
    fn a_wish_to_be_left_alone_ends() {
        let wish = |until| {
            Record {
                not_before: Some(until),
                ..record()
            }
            .wait_until(at("20T16:00"))
        };
        assert_eq!(wish(at("20T16:20")), Some(at("20T16:20")));
        assert_eq!(wish(at("20T16:00")), None);
        assert_eq!(wish(at("25T16:00")), None, "the clock was set back");
    }

    #[test]
    fn both_validators_are_sent() {
        let headers: HeaderMap = [
            (ETAG, "\"a\""),
            (LAST_MODIFIED, "Fri, 20 Nov 2026 15:56:12 GMT"),
        ]
        .into_iter()
        .map(|(name, value)| (name, HeaderValue::from_static(value)))
        .collect();
        let sent = Validators::of(&headers).headers();
        assert_eq!(sent[IF_NONE_MATCH], "\"a\"");
        assert_eq!(sent[IF_MODIFIED_SINCE], "Fri, 20 Nov 2026 15:56:12 GMT");
        assert!(Validators::of(&HeaderMap::new()).is_empty());
    }
}
