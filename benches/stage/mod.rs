//! The cluster that everything is measured on: its control plane, its user, and what it holds.

mod content;
mod copies;
mod relay;
mod server_cpu;
mod start;
mod user;

pub use copies::Template;
pub use relay::Relayed;
pub use start::Stage;
