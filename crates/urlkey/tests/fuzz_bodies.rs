//! The bodies of the fuzz targets over random bytes from a seed: what a plain
//! checkout can run of `fuzz/`.

#[path = "../fuzz/bodies.rs"]
mod bodies;
mod generate;

use generate::Random;

fn run(seed: u64, body: impl Fn(&[u8])) {
    let mut random = Random::new(seed);
    for _ in 0..3000 {
        let mut data = vec![random.next() as u8, random.next() as u8];
        data.extend(generate::bytes(&mut random));
        body(&data);
    }
}

#[test]
fn parse_holds_over_random_bytes() {
    run(21, bodies::parse);
}

#[test]
fn ladder_holds_over_random_bytes() {
    run(22, bodies::ladder);
}

#[test]
fn explain_holds_over_random_bytes() {
    run(23, bodies::explain);
}

#[test]
fn differential_holds_over_random_bytes() {
    run(24, bodies::differential);
}

#[test]
fn hosts_hold_over_random_bytes() {
    run(25, bodies::hosts);
}

#[test]
fn surt_holds_over_random_bytes() {
    run(26, bodies::surt);
}
