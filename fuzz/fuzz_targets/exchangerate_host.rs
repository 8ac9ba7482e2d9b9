//! Fuzzes `targets::exchangerate_host`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::exchangerate_host(data));
