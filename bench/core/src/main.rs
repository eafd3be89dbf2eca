//! Times the core beside its peers, interleaved, and prints JSON for bench/core.py.
//!
//!     engines                              the engines of this build
//!     measure FILE ROUNDS SLICE SEED       ns per URL by engine and round
//!     print ENGINE FILE                    the engine's text for every line, empty where it refuses
//!     rules COUNT                          the rule file that urlkey-rules has 5,000 rules of
//!     --once FILE MOST ENGINE COUNT        one pass over the first COUNT of MOST lines, for callgrind

mod engines;
#[cfg(feature = "urlkey")]
mod rules;

use engines::Runner;
use rustix::time::{ClockId, clock_gettime};
use std::hint::black_box;
use std::io::Write;
use std::process::exit;
use std::{env, fs, io};

const USAGE: &str = "usage: engines | measure FILE ROUNDS SLICE SEED | print ENGINE FILE | rules COUNT | --once FILE MOST ENGINE COUNT";

/// Makes the engines build what they build at first use (ada unpacks its IDNA tables: 24 million instructions).
const WARM: [&str; 2] = [
    "https://b\u{fc}cher.example/",
    "https://example.com/?utm_source=x&b=2&a=1",
];

/// CPU time of this thread in nanoseconds: what others do on the machine does not count.
fn now() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

fn usage() -> ! {
    eprintln!("{USAGE}");
    exit(2)
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| {
        eprintln!("cannot read the corpus: {error}");
        exit(1)
    })
}

fn number(text: &str) -> usize {
    text.parse().unwrap_or_else(|_| usage())
}

fn engine(name: &str) -> Box<dyn Runner> {
    let found = engines::all().into_iter().find(|(known, _)| *known == name);
    found.map(|(_, runner)| runner).unwrap_or_else(|| {
        eprintln!("no engine {name} in this build");
        exit(1)
    })
}

/// A random order of 0..n, by xorshift.
fn order(n: usize, state: &mut u64) -> Vec<usize> {
    let mut all: Vec<usize> = (0..n).collect();
    for i in (1..n).rev() {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        all.swap(i, (*state % (i as u64 + 1)) as usize);
    }
    all
}

/// Each round: a fresh slice; every engine over its own copy of it, in random order.
fn measure(text: &str, rounds: usize, size: usize, seed: usize) {
    let lines: Vec<&str> = text.lines().collect();
    let mut engines = engines::all();
    let mut times = vec![Vec::with_capacity(rounds); engines.len()];
    let mut refused = vec![0; engines.len()];
    let mut state = seed as u64 | 1;
    for (_, runner) in &mut engines {
        runner.sum(&WARM);
    }
    for round in 0..rounds {
        let slice: Vec<&str> = (0..size)
            .map(|i| lines[(round * size + i) % lines.len()])
            .collect();
        for i in order(engines.len(), &mut state) {
            let copy = slice.join("\n");
            let urls: Vec<&str> = copy.split('\n').collect();
            let begin = now();
            let (length, bad) = black_box(engines[i].1.sum(black_box(&urls)));
            let spent = now() - begin;
            assert!(length > 0, "an engine accepted nothing");
            times[i].push(spent / size as f64);
            refused[i] += bad;
        }
    }
    let names = engines.iter().map(|(name, _)| *name);
    let ns = names
        .clone()
        .zip(&times)
        .map(|(name, row)| format!("\"{name}\":{row:?}"));
    let bad = names
        .zip(&refused)
        .map(|(name, count)| format!("\"{name}\":{count}"));
    println!("{{\"ns\":{{{}}},\"refused\":{{{}}}}}", join(ns), join(bad));
}

fn join(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(",")
}

fn print(mut runner: Box<dyn Runner>, text: &str) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in text.lines() {
        writeln!(out, "{}", runner.text(line).unwrap_or_default())?;
    }
    out.flush()
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["engines"] => {
            let names = join(engines::all().iter().map(|(name, _)| format!("\"{name}\"")));
            println!(
                "{{\"engines\":[{names}],\"versions\":{{\"ada-url (crate)\":\"4.0.0\",\"url (crate)\":\"2.5.8\"}}}}"
            );
        }
        ["measure", file, rounds, size, seed] => {
            measure(&read(file), number(rounds), number(size), number(seed))
        }
        #[cfg(feature = "urlkey")]
        ["rules", count] => print!("{}", rules::file(number(count))),
        ["print", name, file] => print(engine(name), &read(file)).unwrap_or_else(|_| exit(1)),
        ["--once", file, most, name, count] => {
            // MOST lines are split whatever COUNT is, so that two runs differ only in the engine's work.
            let text = read(file);
            let urls: Vec<&str> = text.lines().take(number(most)).collect();
            let mut runner = engine(name);
            runner.sum(&WARM);
            black_box(runner.sum(&urls[..number(count).min(urls.len())]));
        }
        _ => usage(),
    }
}
