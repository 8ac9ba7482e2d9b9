//! Tests of real clusters. All take part in one test binary, so that they can share one cluster.

mod command_line;
mod crash;
mod lifecycle;
mod node_leftovers;
mod nodes;
mod owner;
mod shared;
mod traces;
