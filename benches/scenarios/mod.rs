//! What is measured.

mod all;
mod arrival;
mod bulk;
mod help;
mod memory;
mod race;
mod rates;
mod standing;
mod unchanged;
mod writes;

pub use all::run;
