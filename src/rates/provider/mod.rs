//! The providers: where each one's rates are had, and how its answers are read.
