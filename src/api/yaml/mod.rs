//! YAML as kubectl reads and writes it: a tree with positions in, kubectl's style out.

mod build;
mod node;
mod open;
mod read;
mod scalar;
#[cfg(test)]
mod tests;
mod write;

pub use node::Position;
pub(super) use node::{Content, Entry, Node};
pub(super) use read::read;
pub use write::{WriteError, to_yaml, to_yaml_documents};
