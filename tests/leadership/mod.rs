//! Elections over a Lease of a real API server.

mod contender;
mod handing_over;
mod meddling;
mod rights;
