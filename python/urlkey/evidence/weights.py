"""What evidence is worth: `weights.toml`, read once. Must not know who finds the evidence."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

__all__ = ["Kind", "joins", "kinds", "parts", "signal_of", "weight_of"]


class Kind(NamedTuple):
    """A kind of evidence: its name, the signal it belongs to (of which the strongest piece counts), its weight as
    log-odds, what it means in words, where that is said."""

    name: str
    signal: str
    weight: float
    means: str
    source: str


class _Table(NamedTuple):
    joins: float
    parts: float
    kinds: dict[str, Kind]


@cache
def _table() -> _Table:
    read = tomllib.loads(files("urlkey.evidence").joinpath("weights.toml").read_text("utf-8"))
    return _Table(read["joins"], read["parts"], {row["name"]: Kind(**row) for row in read["kind"]})


def kinds() -> dict[str, Kind]:
    """Every kind of evidence, by name.

    >>> kinds()["redirect-temporary"].weight
    1.5
    """
    return dict(_table().kinds)


def joins() -> float:
    """The sum of weights from which on two keys are joined."""
    return _table().joins


def parts() -> float:
    """The weight at and below which a piece of evidence keeps two keys apart."""
    return _table().parts


def weight_of(kind: str) -> float:
    """The weight of a kind. Raises KeyError for one that is not in the table."""
    return _table().kinds[kind].weight


def signal_of(kind: str) -> str:
    """The signal that a kind belongs to; a kind that is not in the table is a signal of its own."""
    known = _table().kinds.get(kind)
    return kind if known is None else known.signal
