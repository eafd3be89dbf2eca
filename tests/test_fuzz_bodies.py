"""The bodies of the fuzz targets of the Python package over inputs from a seed, and over those that once failed."""

import pytest

import suites
from fuzz import bodies, generate

COUNT = {"binding": 400, "browsers": 3000, "importers": 600, "pattern_sets": 600, "responses": 600}
FAILED = [row for row in suites.own("fuzz.jsonl") if row["side"] == "python"]


@pytest.mark.parametrize("target", sorted(bodies.TARGETS))
def test_what_a_target_asserts_holds_over_a_seed(target):
    for data in generate.INPUTS[target](29, COUNT[target]):
        bodies.TARGETS[target](data)


@pytest.mark.parametrize("row", FAILED, ids=[f"{row['target']}-{n}" for n, row in enumerate(FAILED)])
def test_what_failed_once_holds(row):
    assert row["why"]
    assert row["source"]
    bodies.TARGETS[row["target"]](row["input"].encode("latin-1"))


def test_every_target_has_inputs():
    assert set(bodies.TARGETS) == set(generate.INPUTS) == set(COUNT)
