//! What happens where a copy's name is taken, and to a copy that isn't wanted any more.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What happens where an object that is not ours already has the copy's name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum ConflictPolicy {
    /// Leave it alone and report it.
    #[default]
    Skip,
    /// Take it over if it equals the original; otherwise leave it alone and report it.
    Adopt,
    /// Take it over, and replace its data.
    Overwrite,
}

/// What happens to a copy once its rule doesn't want it any more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum PrunePolicy {
    /// Delete it.
    #[default]
    Delete,
    /// Leave it where it is; it belongs to nobody then.
    Orphan,
}
