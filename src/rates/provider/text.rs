//! From bytes to the text of an answer, if it is one.

use super::{AnswerError, Excerpt, answer_error::Format};

/// The text of an answer that should be written in `format`, without a byte order mark.
pub fn text(body: &[u8], format: Format) -> Result<&str, AnswerError> {
    let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    let text = std::str::from_utf8(body).map_err(|error| {
        // A cut in the middle of a character is a cut.
        if error.error_len().is_none() {
            AnswerError::Truncated(format)
        } else {
            AnswerError::Binary(format)
        }
    })?;
    let begin = text.trim_start();
    if begin.is_empty() {
        return Err(AnswerError::Empty(format));
    }
    if is_html(begin) {
        return Err(AnswerError::Html(format));
    }
    Ok(text)
}

/// A page may have a comment or an XML declaration before what makes it HTML.
fn is_html(text: &str) -> bool {
    let mut rest = text;
    while let Some((_, after)) = after_preamble(rest) {
        rest = after.trim_start();
    }
    ["<!doctype html", "<html", "<head", "<body"]
        .iter()
        .any(|tag| has_prefix(rest, tag))
}

fn after_preamble(text: &str) -> Option<(&str, &str)> {
    let end = match text {
        comment if comment.starts_with("<!--") => "-->",
        declaration if declaration.starts_with("<?") => "?>",
        _ => return None,
    };
    text.split_once(end)
}

fn has_prefix(text: &str, prefix: &str) -> bool {
    let begin = text.as_bytes().get(..prefix.len());
    begin.is_some_and(|begin| begin.eq_ignore_ascii_case(prefix.as_bytes()))
}

/// The answer isn't written in the format at all.
pub fn not_format(text: &str, format: Format) -> AnswerError {
    AnswerError::NotFormat {
        format,
        excerpt: Excerpt::of(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_text() {
        assert_eq!(text(b"\xEF\xBB\xBF{}", Format::Json), Ok("{}"));
    }

    #[test]
    fn what_is_no_text_is_told_apart() {
        assert_eq!(
            text(b" \r\n", Format::Json),
            Err(AnswerError::Empty(Format::Json))
        );
        assert_eq!(
            text(b"\x1F\x8B\x08\x00", Format::Xml),
            Err(AnswerError::Binary(Format::Xml))
        );
        assert_eq!(
            text(b"{\"a\": \"\xC3", Format::Json),
            Err(AnswerError::Truncated(Format::Json))
        );
    }

    #[test]
    fn a_page_for_people_is_recognised() {
        for page in [
            "<!DOCTYPE html><title>Log in</title>",
            "\n<HTML lang=en>",
            "<?xml version=\"1.0\"?>\n<!-- hi -->\n<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0\">",
        ] {
            assert_eq!(
                text(page.as_bytes(), Format::Xml),
                Err(AnswerError::Html(Format::Xml)),
                "{page}"
            );
        }
        assert!(text(b"<?xml version='1.0'?><gesmes:Envelope>", Format::Xml).is_ok());
        assert!(text(b"<!-- never closed", Format::Xml).is_ok());
    }
}
