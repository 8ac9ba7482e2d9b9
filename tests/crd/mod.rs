//! The definitions of the custom resources, against a real API server.
