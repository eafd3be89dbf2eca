//! The conformance data beside the project, where it is there.

use std::path::PathBuf;

use serde_json::Value;

/// The rows of a file of `../shared/vectors`; says so and returns None where the folder is absent.
pub fn vectors(name: &str) -> Option<Vec<Value>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors");
    if !folder.is_dir() {
        println!("skipped: no ../shared/vectors beside the project, {name} not run");
        return None;
    }
    let text = std::fs::read_to_string(folder.join(name)).expect("a file of the shared vectors");
    Some(text.lines().map(|line| serde_json::from_str(line).expect("a JSON row")).collect())
}
