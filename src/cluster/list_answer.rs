//! Takes the objects out of a list's JSON while it still arrives.
//!
//! Neither the list nor any part of it is ever held whole: each object is handed on as soon as its last
//! byte is there, and only what stands around the objects is kept, to be parsed in the end.

use serde::Deserialize;

use crate::reconcile::{Failure, RawObject};

/// A list on its way.
#[derive(Default)]
pub struct ListAnswer {
    place: Place,
    cursor: Cursor,
    /// The list's JSON without its objects.
    envelope: Vec<u8>,
    /// Where in the envelope the last text begins that stands in the list itself.
    text_begins: usize,
    /// The beginning of an object whose end isn't there yet.
    pending: Vec<u8>,
}

/// What the next byte belongs to.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Place {
    /// To the list itself.
    #[default]
    Envelope,
    /// To the array of the objects.
    Items,
    /// To an object.
    Item,
}

/// What a list says of itself.
#[derive(Deserialize)]
struct Envelope {
    #[serde(default)]
    kind: String,
    #[serde(default)]
    metadata: ListMetadata,
    /// The array is empty here. A list without objects may have `null` in its place, or nothing.
    #[serde(default, rename = "items")]
    _items: Option<[(); 0]>,
}

#[derive(Default, Deserialize)]
struct ListMetadata {
    #[serde(default, rename = "continue")]
    continue_token: Option<String>,
    #[serde(default, rename = "resourceVersion")]
    resource_version: Box<str>,
}

/// Where a list stands.
#[derive(Debug)]
pub struct Position {
    /// What asks for the next page; none on the last.
    pub continue_token: Option<String>,
    /// The state of the collection that the list tells.
    pub resource_version: Box<str>,
}

impl ListAnswer {
    /// Takes in the next part, and hands on the objects that end in it.
    pub fn receive(
        &mut self,
        mut part: &[u8],
        mut hand_on: impl FnMut(RawObject<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        while let Some(first) = part.first() {
            part = match self.place {
                Place::Envelope => self.receive_envelope(part),
                Place::Items if matches!(first, b',' | b' ' | b'\t' | b'\r' | b'\n') => &part[1..],
                Place::Items => {
                    self.place = match first {
                        b'{' => Place::Item,
                        _ => Place::Envelope,
                    };
                    part
                }
                Place::Item => self.receive_item(part, &mut hand_on)?,
            };
        }
        Ok(())
    }

    /// Keeps what belongs to the list itself; what comes after it.
    fn receive_envelope<'a>(&mut self, part: &'a [u8]) -> &'a [u8] {
        for (at, byte) in part.iter().enumerate() {
            if *byte == b'"' && self.cursor.depth == 1 && !self.cursor.in_text {
                self.text_begins = self.envelope.len();
            }
            self.envelope.push(*byte);
            self.cursor.pass(*byte);
            if *byte == b'[' && self.is_at_items() {
                self.place = Place::Items;
                return &part[at + 1..];
            }
        }
        &[]
    }

    /// Whether the array that has just begun is the list's `items`.
    fn is_at_items(&self) -> bool {
        self.cursor.depth == 2
            && !self.cursor.in_text
            && self.envelope[self.text_begins..].starts_with(b"\"items\"")
    }

    /// Hands the object on if it ends here; what comes after it.
    fn receive_item<'a>(
        &mut self,
        part: &'a [u8],
        hand_on: &mut impl FnMut(RawObject<'_>) -> Result<(), Failure>,
    ) -> Result<&'a [u8], Failure> {
        let Some(end) = self.cursor.end_of_value(part, 2) else {
            self.pending.extend_from_slice(part);
            return Ok(&[]);
        };
        let (item, rest) = part.split_at(end);
        self.place = Place::Items;
        if self.pending.is_empty() {
            hand_on(object(item)?)?;
        } else {
            self.pending.extend_from_slice(item);
            hand_on(object(&self.pending)?)?;
            self.pending.clear();
        }
        Ok(rest)
    }

    /// Ends the list, and tells where it stands.
    pub fn finish(self) -> Result<Position, Failure> {
        let envelope: Envelope =
            serde_json::from_slice(&self.envelope).map_err(|_| malformed("it is no whole list"))?;
        // A list without objects is empty; something else without objects is no list.
        if !envelope.kind.ends_with("List") {
            return Err(malformed("it is no list"));
        }
        let ListMetadata {
            continue_token,
            resource_version,
        } = envelope.metadata;
        Ok(Position {
            continue_token: continue_token.filter(|token| !token.is_empty()),
            resource_version,
        })
    }
}

fn object(json: &[u8]) -> Result<RawObject<'_>, Failure> {
    let text = str::from_utf8(json).map_err(|_| malformed("it isn't UTF-8"))?;
    Ok(RawObject::new(text))
}

fn malformed(what: &str) -> Failure {
    Failure::Malformed(what.to_owned())
}

/// Follows JSON by its brackets and quotation marks. Whether the rest is JSON is found out when it is
/// parsed.
#[derive(Default)]
struct Cursor {
    depth: usize,
    in_text: bool,
    /// Whether the byte before was a backslash that belongs to this one.
    escaped: bool,
}

impl Cursor {
    fn pass(&mut self, byte: u8) {
        if self.in_text {
            self.in_text = self.escaped || byte != b'"';
            self.escaped = !self.escaped && byte == b'\\';
            return;
        }
        match byte {
            b'"' => self.in_text = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }

    /// Goes on to where the value ends that stands at this depth, or to the end.
    fn end_of_value(&mut self, json: &[u8], depth: usize) -> Option<usize> {
        let mut at = 0;
        while at < json.len() {
            // Most bytes are inside of texts.
            if self.in_text && !self.escaped {
                at += bytes_before_special(&json[at..]);
                if at == json.len() {
                    return None;
                }
            }
            self.pass(json[at]);
            at += 1;
            if self.depth == depth && !self.in_text {
                return Some(at);
            }
        }
        None
    }
}

/// How many bytes of a text come before the next quotation mark or backslash. Eight of them are looked
/// at in one go: <https://graphics.stanford.edu/~seander/bithacks.html#ZeroInWord>.
fn bytes_before_special(json: &[u8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = ONES << 7;
    const QUOTES: u64 = ONES * b'"' as u64;
    const BACKSLASHES: u64 = ONES * b'\\' as u64;
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & HIGHS;
    let (words, rest) = json.as_chunks::<8>();
    for (index, bytes) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*bytes);
        let special = zeros(word ^ QUOTES) | zeros(word ^ BACKSLASHES);
        if special != 0 {
            return index * 8 + special.trailing_zeros() as usize / 8;
        }
    }
    let is_special = |byte: &u8| matches!(byte, b'"' | b'\\');
    let in_rest = rest.iter().position(is_special).unwrap_or(rest.len());
    words.len() * 8 + in_rest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The objects and the token of a list that arrives in parts of this size.
    fn read(list: &str, size: usize) -> Result<(Vec<serde_json::Value>, Option<String>), Failure> {
        let mut answer = ListAnswer::default();
        let mut objects = Vec::new();
        for part in list.as_bytes().chunks(size) {
            answer.receive(part, |object| {
                objects.push(object.parse().map_err(|_| malformed("an object"))?);
                Ok(())
            })?;
        }
        let position = answer.finish()?;
        Ok((objects, position.continue_token))
    }

    const LIST: &str = r#" {"kind": "SecretList", "apiVersion":"v1", "more": [{"items":[1]}],
        "metadata":{"resourceVersion":"7","continue":"next\"[{","items":["x"]},
        "items" : [ {"a":"}\\","b":[{"c":"\"]"}]} , {},
        {"d":"ü{\\\\\""}],"last":{"items":[]}} "#;

    #[test]
    fn a_list_reads_the_same_wherever_it_is_cut() {
        let whole: serde_json::Value = serde_json::from_str(LIST).unwrap();
        for size in 1..=LIST.len() {
            let (objects, token) = read(LIST, size).unwrap();
            assert_eq!(serde_json::Value::from(objects), whole["items"], "{size}");
            assert_eq!(token.as_deref(), Some("next\"[{"), "{size}");
        }
    }

    #[test]
    fn a_list_may_be_empty_in_several_ways() {
        for items in [r#","items":[]"#, r#","items":null"#, ""] {
            let list = format!(r#"{{"kind":"RoleList","metadata":{{"continue":""}}{items}}}"#);
            assert_eq!(read(&list, 3).unwrap(), (Vec::new(), None), "{list}");
        }
    }

    #[test]
    fn what_is_no_whole_list_is_refused() {
        let cut = &LIST.trim_end()[..LIST.trim_end().len() - 1];
        let refused = [
            "",
            "<html>",
            "[]",
            r#"{"kind":"Secret","items":[]}"#,
            r#"{"kind":"SecretList","items":[{}"#,
            r#"{"kind":"SecretList","items":[{]}"#,
            r#"{"kind":"SecretList","items":[1]}"#,
            r#"{"kind":"SecretList","items":{}}"#,
            cut,
        ];
        for list in refused {
            for size in [1, 1000] {
                assert!(read(list, size).is_err(), "{list}");
            }
        }
    }

    #[test]
    fn an_object_that_is_not_utf8_is_refused() {
        let mut answer = ListAnswer::default();
        let received = answer.receive(b"{\"items\":[{\"a\":\"\xff\"}", |_| Ok(()));
        assert_eq!(received, Err(malformed("it isn't UTF-8")));
    }
}
