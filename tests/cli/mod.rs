//! What the command line says of itself, and to those who mistype it; no cluster is needed.

mod help;
mod nowhere;
mod rates;
mod rates_create;
mod transcripts;
mod usage;
