//! Fuzzes `targets::ecb`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::ecb(data));
