//! How rates are published as the data of a ConfigMap, and read back from it.

mod csv;
mod damage;
mod data;
mod env;
mod json;
mod key;
mod published;

pub use csv::{CsvDamage, history_from_csv};
pub use damage::Damage;
pub use data::{MOST_BYTES, TooLarge, data};
pub use published::{DamagedKey, Published};
