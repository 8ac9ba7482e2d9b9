//! What is measured.

mod all;
mod help;
mod memory;
mod race;
mod rates;
mod unchanged;
mod writes;

pub use all::run;
