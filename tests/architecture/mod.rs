//! The rules that the sources themselves keep: which room may know which, and how a file looks.
//!
//! They are read as tokens, so comments and strings don't count, and what macros are given does.

mod house_rules;
mod imports;
mod paths;
mod sources;
