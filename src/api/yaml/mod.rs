//! YAML as kubectl reads and writes it: a tree with positions in, kubectl's style out.

mod write;

pub use write::{to_yaml, to_yaml_documents};
