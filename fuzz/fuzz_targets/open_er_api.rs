//! Fuzzes `targets::open_er_api`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::open_er_api(data));
