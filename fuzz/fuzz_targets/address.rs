//! Fuzzes `targets::address`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::address(data));
