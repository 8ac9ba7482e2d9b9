//! What is due when.
