//! See `bodies::parse` for what it asserts.
#![no_main]
#![allow(dead_code, unused_imports)]

#[path = "../bodies.rs"]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::parse(data));
