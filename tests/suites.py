"""Test vectors: the project's own, and the public suites beside the project where they are there.
Knows files and rows, not what they test."""

import json
from pathlib import Path
from typing import Any

import pytest

OWN = Path(__file__).parent / "vectors"
SHARED = Path(__file__).parents[2] / "shared" / "vectors"


def rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def own(name: str) -> list[dict[str, Any]]:
    """The rows of a file in tests/vectors."""
    return rows(OWN / name)


def beside(name: str) -> Path:
    """A file of a suite beside the project; skips the test, in plain words, where it is not there."""
    if not SHARED.exists():
        pytest.skip("../shared/vectors is not there: the public suites are no part of the project")
    return SHARED / name


def shared(name: str) -> list[dict[str, Any]]:
    """The rows of a JSONL suite beside the project."""
    return rows(beside(name))


def shared_list(name: str, part: str) -> list[dict[str, Any]]:
    """The rows of a list in a JSON file beside the project; their ids are the part's name and a number."""
    document = json.loads(beside(name).read_text(encoding="utf-8"))
    return [{"id": f"{part}-{i:04}", **row} for i, row in enumerate(document[part], 1)]
