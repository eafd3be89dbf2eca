//! Copies the toy of the seed document into the build folder, where it is compiled from; it is never committed.

use std::path::Path;
use std::{env, fs};

const SEEDS: &str = "../../../shared/seeds";

/// The toy's source: everything between its first item and its `main`.
fn toy() -> Option<String> {
    let entry = fs::read_dir(SEEDS).ok()?.flatten();
    let path = entry.map(|e| e.path()).find(|p| {
        p.file_name()
            .is_some_and(|n| n.to_string_lossy().starts_with("003_"))
    })?;
    let text = fs::read_to_string(path).ok()?;
    let begin = text.find("pub struct Opts")?;
    let end = text[begin..].find("\nfn main()")? + begin;
    Some(text[begin..end].to_owned())
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={SEEDS}");
    println!("cargo::rustc-check-cfg=cfg(toy)");
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    if let Some(source) = toy() {
        fs::write(Path::new(&out).join("toy.rs"), source).expect("the build folder is writable");
        println!("cargo::rustc-cfg=toy");
    }
}
