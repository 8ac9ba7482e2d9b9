//! Tests of the connection without a network.
