//! Elections over a Lease in memory, on a clock that is wound by hand.

mod chaos;
mod elections;

mod hall;
mod mishaps;
mod sight;
mod store;
mod terms;
