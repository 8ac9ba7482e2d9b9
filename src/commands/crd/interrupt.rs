//! Ends a wait when somebody presses Ctrl-C.

use std::future::Future;

use crate::commands::CommandError;

/// Awaits `future`, or Ctrl-C; `then` says what to do about what is half done.
///
/// It is called as late as possible: from the first call on, Ctrl-C no longer ends the process by
/// itself.
pub(super) async fn or_interrupt<T>(
    future: impl Future<Output = Result<T, CommandError>>,
    then: &str,
) -> Result<T, CommandError> {
    tokio::select! {
        result = future => result,
        _ = tokio::signal::ctrl_c() => Err(CommandError::Interrupted(format!("; {then}"))),
    }
}
