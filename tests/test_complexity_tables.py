"""The tables of the complexity test (tests/services/test_complexity.py): they name every public function, and every
row of them runs."""

import inspect
from importlib import import_module
from itertools import pairwise

import pytest

from complexity import growth, worker
from complexity.functions import FUNCTIONS, LEFT_OUT
from complexity.shapes import KINDS, SIZES

MODULES = [
    "urlkey",
    "urlkey.arrow",
    "urlkey.compat.w3lib",
    "urlkey.importers",
    "urlkey.page",
    "urlkey.systems.archive",
    "urlkey.systems.attribution",
    "urlkey.systems.company",
    "urlkey.systems.crawler",
    "urlkey.systems.gateway",
    "urlkey.systems.reputation",
    "urlkey.systems.seo",
    "urlkey.systems.shortener",
    "urlkey.systems.social",
]
NAMED = {function.name.split(",")[0] for function in FUNCTIONS}


@pytest.mark.parametrize("module", MODULES)
def test_every_public_function_is_counted_or_left_out_with_a_reason(module):
    found = import_module(module)
    functions = [name for name in found.__all__ if inspect.isroutine(getattr(found, name))]
    missing = [name for name in (f"{module}.{name}" for name in functions) if name not in NAMED | LEFT_OUT.keys()]
    assert missing == []


def test_what_is_left_out_is_there_and_not_counted():
    for name, why in LEFT_OUT.items():
        module, _, function = name.rpartition(".")
        assert callable(getattr(import_module(module), function))
        assert why
        assert name not in NAMED


def test_sizes_double_eight_times_over_twelve_shapes_of_each_kind():
    assert [b / a for a, b in pairwise(SIZES)] == [2.0] * 8
    assert all(len(shapes) >= 12 for shapes in KINDS.values())


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_shapes_are_about_as_long_as_they_are_asked_to_be(kind):
    for name, shape in KINDS[kind].items():
        lengths = [len(shape(size).encode("utf-8", "surrogatepass")) for size in SIZES]
        assert lengths[-1] > 0.8 * SIZES[-1], name
        assert all(length < 1.3 * size + 256 for length, size in zip(lengths, SIZES, strict=True)), name


@pytest.mark.parametrize("function", FUNCTIONS, ids=[function.name for function in FUNCTIONS])
def test_every_row_runs(function):
    for shape in KINDS[function.kind].values():
        worker.call(function, shape(SIZES[0]))


@pytest.mark.parametrize(
    ("power", "seen"), [(1, False), (1.5, True), (2, True)], ids=["linear", "between", "quadratic"]
)
def test_growth_tells_powers_apart(power, seen):
    work = [5000 + 30 * size + size**power for size in SIZES]
    assert (growth.dearer(SIZES, work) > growth.MOST) is seen
