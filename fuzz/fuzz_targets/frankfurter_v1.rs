//! Fuzzes `targets::frankfurter_v1`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::frankfurter_v1(data));
