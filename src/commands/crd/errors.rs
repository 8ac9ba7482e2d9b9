//! What becomes of an error when one definition is dealt with after the other: if it is about that one
//! alone, it is told, and the others have their turn all the same.

use super::CrdError;
use crate::output::{ColourChoice, Colours, Streams, write_error};

/// The errors of single definitions.
#[derive(Debug, Default)]
pub struct Errors {
    /// The last one, which becomes that of the command; those before have been told.
    last: Option<CrdError>,
}

impl Errors {
    /// What was done for one definition, or nothing if only that failed.
    pub fn unless_failed<T>(
        &mut self,
        streams: &mut Streams,
        done: Result<T, CrdError>,
    ) -> Result<Option<T>, CrdError> {
        let error = match done {
            Ok(done) => return Ok(Some(done)),
            Err(error) => error,
        };
        if let Some(earlier) = self.last.take() {
            let palette = Colours::detect(ColourChoice::Auto, streams).err;
            write_error(streams, &earlier, &[], palette)?;
        }
        if !error.is_of_one_definition() {
            return Err(error);
        }
        self.last = Some(error);
        Ok(None)
    }

    /// The end of the command: an error if there was one.
    pub fn end(self) -> Result<(), CrdError> {
        self.last.map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    fn with_streams<T>(use_them: impl FnOnce(&mut Streams) -> T) -> T {
        use_them(&mut Streams {
            out: Box::new(io::sink()),
            err: Box::new(io::sink()),
            out_is_terminal: false,
            err_is_terminal: false,
            in_is_terminal: false,
        })
    }

    fn unready(text: &str) -> Result<(), CrdError> {
        Err(CrdError::Unready(vec![text.to_owned()]))
    }

    #[test]
    fn the_last_error_of_one_definition_is_that_of_the_command() {
        let ended = with_streams(|streams| {
            let mut errors = Errors::default();
            assert_eq!(errors.unless_failed(streams, unready("a"))?, None);
            assert_eq!(errors.unless_failed(streams, Ok(7))?, Some(7));
            assert_eq!(errors.unless_failed(streams, unready("b"))?, None);
            errors.end()
        });
        let ended = ended.unwrap_err().to_string();
        assert_eq!(ended, "b; run: kubectl copyrator crd install");
    }

    #[test]
    fn an_error_of_the_whole_command_ends_it() {
        let ended = with_streams(|streams| {
            let mut errors = Errors::default();
            errors.unless_failed(streams, unready("a"))?;
            errors.unless_failed(streams, Err::<(), _>(CrdError::Declined))
        });
        assert!(matches!(ended, Err(CrdError::Declined)), "{ended:?}");
    }

    #[test]
    fn without_an_error_all_is_well() {
        assert!(Errors::default().end().is_ok());
    }
}
