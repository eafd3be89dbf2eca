//! The conformance data beside the project, where it is there.

use std::path::PathBuf;

use serde_json::Value;

/// The rows of a file of `../shared/vectors`; says so and returns None where the folder is absent.
#[allow(dead_code)] // unicode.rs needs none
pub fn vectors(name: &str) -> Option<Vec<Value>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors");
    if !folder.is_dir() {
        println!("skipped: no ../shared/vectors beside the project, {name} not run");
        return None;
    }
    let text = std::fs::read_to_string(folder.join(name)).expect("a file of the shared vectors");
    Some(text.lines().map(|line| serde_json::from_str(line).expect("a JSON row")).collect())
}

/// A file that a dependency's package carries. A fresh clone has it: cargo has
/// unpacked the package to build the tests.
#[allow(dead_code)]
pub fn of_package(package: &str, file: &str) -> String {
    let folder = from_metadata(package).or_else(|| from_registry(package));
    let path = folder.unwrap_or_else(|| panic!("cargo knows no package {package}")).join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Where cargo says that the package is.
fn from_metadata(package: &str) -> Option<PathBuf> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut ask = std::process::Command::new(cargo);
    ask.args(["metadata", "--format-version", "1", "--offline", "--manifest-path"]);
    let said = ask.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).output().ok()?;
    let said: Value = serde_json::from_slice(&said.stdout).ok()?;
    let found = said["packages"].as_array()?.iter().find(|found| found["name"] == package)?;
    PathBuf::from(found["manifest_path"].as_str()?).parent().map(PathBuf::from)
}

/// Where the registry's packages are unpacked: metadata wants those of every platform there.
fn from_registry(package: &str) -> Option<PathBuf> {
    let lock = include_str!("../../../../Cargo.lock");
    let version = lock.split("[[package]]").find_map(|entry| {
        let rest = entry.trim_start().strip_prefix(&format!("name = \"{package}\"\nversion = \""))?;
        rest.split('"').next()
    })?;
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")))?;
    let registries = std::fs::read_dir(home.join("registry/src")).ok()?;
    let mut folders = registries.flatten().map(|registry| registry.path().join(format!("{package}-{version}")));
    folders.find(|folder| folder.is_dir())
}
