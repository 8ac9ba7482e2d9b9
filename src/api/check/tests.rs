//! Tests of the checks, by the same rules that the API server's test applies.
