"""The lock files beside the project's own: `make fuzz`, `make deny` and `make bench` take them as they are, so each
knows what the core depends on."""

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("folder", ["crates/urlkey/fuzz", "bench/core"])
def test_a_lock_file_knows_the_dependencies_of_the_core(folder):
    manifest = tomllib.loads((ROOT / "crates/urlkey/Cargo.toml").read_text("utf-8"))
    lock = tomllib.loads((ROOT / folder / "Cargo.lock").read_text("utf-8"))
    core = next(package for package in lock["package"] if package["name"] == "urlkey")
    assert set(manifest["dependencies"]) == {name.split()[0] for name in core["dependencies"]}


@pytest.mark.parametrize("folder", ["crates/urlkey/fuzz", "bench/core"])
def test_a_crate_that_decides_keys_has_one_version_everywhere(folder):
    manifest = tomllib.loads((ROOT / "crates/urlkey/Cargo.toml").read_text("utf-8"))["dependencies"]
    versions = (given if isinstance(given, str) else given["version"] for given in manifest.values())
    pinned = {name: version[1:] for name, version in zip(manifest, versions, strict=True) if version[:1] == "="}
    lock = tomllib.loads((ROOT / folder / "Cargo.lock").read_text("utf-8"))
    assert pinned.items() <= {package["name"]: package["version"] for package in lock["package"]}.items()
