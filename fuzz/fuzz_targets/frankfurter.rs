//! Fuzzes `targets::frankfurter`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::frankfurter(data));
