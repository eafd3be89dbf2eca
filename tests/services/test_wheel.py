"""The wheel, built and installed into a fresh environment: it works alone, and its command starts."""

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SPELLING, KEY = "HTTP://Example.com/?b=2&a=1", "http://example.com/?a=1&b=2"

pytestmark = pytest.mark.service


def run(*command: str | Path, **options: object) -> str:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(command, capture_output=True, text=True, env=clean, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def programs(wheel, tmp_path_factory) -> Path:
    """The folder of programs of an environment that holds the wheel and nothing else."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder, with_pip=True)
    found = folder / ("Scripts" if os.name == "nt" else "bin")
    run(found / "python", "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", wheel)
    return found


def test_the_wheel_holds_stubs_licences_and_one_library(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert "-cp311-abi3-" in wheel.name
    assert {"urlkey/py.typed", "urlkey/_native.pyi"} <= set(names)
    assert {f"urlkey/systems/seo/page.{kind}" for kind in ("html", "css", "js")} <= set(names)
    assert sum("_native." in name and not name.endswith(".pyi") for name in names) == 1
    assert sum("LICENSE" in name for name in names) == 2
    data = {f"urlkey/evidence/{name}.toml" for name in ("weights", "parameters")}
    assert data <= set(names)
    assert not any("test" in name or name.endswith((".rs", ".toml")) for name in set(names) - data)


def test_the_base_install_depends_on_nothing(wheel):
    archive = zipfile.ZipFile(wheel)
    (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
    lines = archive.read(name).decode().splitlines()
    needed = [line for line in lines if line.startswith("Requires-Dist:") and "extra ==" not in line]
    assert needed == []


def test_the_package_works_alone(programs, tmp_path):
    out = run(programs / "python", "-c", f"import urlkey; print(urlkey.key({SPELLING!r}))", cwd=tmp_path)
    assert out == KEY + "\n"


def test_the_command_makes_keys(programs, tmp_path):
    assert run(programs / "urlkey", "key", SPELLING, cwd=tmp_path) == KEY + "\n"
    assert run(programs / "python", "-m", "urlkey", "key", SPELLING, cwd=tmp_path) == KEY + "\n"


def test_the_command_deduplicates_a_file(programs, tmp_path):
    (tmp_path / "urls.txt").write_text(f"{SPELLING}\n{KEY}\nhttp://example.org/\n", encoding="utf-8")
    out = run(programs / "urlkey", "dedupe", "urls.txt", cwd=tmp_path)
    assert out == f"{SPELLING}\nhttp://example.org/\n"


def test_the_command_makes_a_page_of_html(programs, tmp_path):
    (tmp_path / "crawl.csv").write_text(f"Address\n{SPELLING}\n{KEY}\n", encoding="utf-8")
    run(programs / "urlkey", "seo", "crawl.csv", "-o", "report.html", cwd=tmp_path)
    assert "1 of 2 page fetches (50 %)" in (tmp_path / "report.html").read_text(encoding="utf-8")
