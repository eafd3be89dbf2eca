"""Runs the tests of columns with the oldest versions that the extras promise, and with the current ones.

    make test-matrix
    python tests/matrix.py oldest

What is oldest stands in pyproject.toml alone: `polars>=1.34` is installed as `polars==1.34`. Each set of versions gets
a fresh environment, the wheel as anybody would install it, and nothing of the project but its tests. Knows nothing of
what is tested."""

import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXTRAS = ["arrow", "pandas", "polars", "duckdb", "sqlalchemy"]
TESTS = ["tests/engines"]

# What an old version needs beside it and does not ask for: PyArrow 16.0 and pandas 2.2.0 are built for NumPy 1.
BESIDE = ["numpy<2"]


def promised() -> dict[str, list[str]]:
    """The requirements of the extras, and of the tests of columns."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    columns = [requirement for extra in EXTRAS for requirement in extras[extra]]
    tests = [row for row in extras["test"] if re.match(r"(pytest|hypothesis|nanoarrow)\b", row)]
    return {"oldest": [*map(pinned, columns), *BESIDE, *tests], "current": [*columns, *tests]}


def pinned(requirement: str) -> str:
    """The oldest version that a requirement allows."""
    oldest = re.fullmatch(r"([\w-]+)>=([\w.]+)(,<[\w.]+)?", requirement)
    if oldest is None:
        raise SystemExit(f"the oldest version of {requirement!r} is not clear")
    return f"{oldest[1]}=={oldest[2]}"


def run(*command: str | Path) -> None:
    print("+", *command, flush=True)
    subprocess.run(command, cwd=ROOT, check=True)


def main(names: list[str]) -> None:
    sets = promised()
    unknown = set(names) - set(sets)
    if unknown:
        raise SystemExit(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(sets)}")
    with tempfile.TemporaryDirectory() as folder:
        wheels = Path(folder) / "wheels"
        run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", wheels, ROOT)
        (wheel,) = wheels.glob("*.whl")
        for name in names or sets:
            home = Path(folder) / name
            venv.create(home, with_pip=True)
            python = home / ("Scripts" if sys.platform == "win32" else "bin") / "python"
            run(python, "-m", "pip", "install", "--quiet", wheel, *sets[name])
            run(python, "-m", "pip", "list")
            run(python, "-m", "pytest", "-q", *TESTS)


if __name__ == "__main__":
    main(sys.argv[1:])
