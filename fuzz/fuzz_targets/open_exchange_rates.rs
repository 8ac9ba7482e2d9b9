//! Fuzzes `targets::open_exchange_rates`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::open_exchange_rates(data));
