"""What was seen: one URL, what its content hashed to, and what else is known of the fetch. Knows columns; must not
know where they come from, nor what is learned from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

__all__ = ["COLUMNS", "Fingerprint", "Observation", "ObservationError", "observation", "observations"]

Fingerprint = str | int


class ObservationError(ValueError):
    """A row that is no observation; says which row, which column, and what is allowed."""


class Observation(NamedTuple):
    """One fetch. `fingerprint` is equal where the main content is (any hash, by `urlkey.learn.fingerprint` or the
    caller's own); None where it is not known, or where the page has too little text to be told by it.

    `time` is in seconds of any epoch, `redirect` and `canonical` are absolute URLs, `truncated` says that the body
    was cut off and the fingerprint is of a part.

    Three columns hold what the site declares: `no_vary_search` is that header of the response; `clean_param` one
    directive of the robots.txt whose URL the row has, less its name (`ref&sid /shop/`); `listed` says that a sitemap
    lists the URL. A row of the last two alone is no fetch.
    """

    url: str
    fingerprint: Fingerprint | None = None
    time: float | None = None
    status: int | None = None
    redirect: str | None = None
    canonical: str | None = None
    language: str | None = None
    truncated: bool = False
    no_vary_search: str | None = None
    clean_param: str | None = None
    listed: bool = False

    @property
    def fetched(self) -> bool:
        """Whether the row is of a fetch, and not of a declaration alone."""
        if not self.listed and self.clean_param is None:
            return True
        told = (self.fingerprint, self.status, self.redirect, self.canonical, self.no_vary_search)
        return any(value is not None for value in told)


COLUMNS = Observation._fields

_TYPES: dict[str, tuple[type, ...]] = {
    "url": (str,),
    "fingerprint": (str, int),
    "time": (int, float),
    "status": (int,),
    "redirect": (str,),
    "canonical": (str,),
    "language": (str,),
    "truncated": (bool,),
    "no_vary_search": (str,),
    "clean_param": (str,),
    "listed": (bool,),
}
_ALLOWED = {
    "url": "a text",
    "fingerprint": "a text or an integer, or null",
    "time": "seconds as a number, or null",
    "status": "an integer, or null",
    "redirect": "a text, or null",
    "canonical": "a text, or null",
    "language": "a text, or null",
    "truncated": "true or false, or null",
    "no_vary_search": "a text, or null",
    "clean_param": "a text, or null",
    "listed": "true or false, or null",
}


def observation(row: Mapping[str, Any], *, where: str = "row") -> Observation:
    """The observation that a mapping of columns is; other columns are passed over.

    Raises ObservationError where a column holds what it may not.

    >>> observation({"url": "http://a.example/", "fingerprint": 7, "colour": "red"}).fingerprint
    7
    """
    values: dict[str, Any] = {}
    for name, types in _TYPES.items():
        value = row.get(name)
        if value is None:
            continue
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types) or value != value:
            raise ObservationError(f"{where}: {name} is {value!r:.80}; allowed: {_ALLOWED[name]}")
        values[name] = value
    if "url" not in values:
        raise ObservationError(f"{where}: no url; columns: {', '.join(COLUMNS)}")
    return Observation(**values)


def observations(rows: Iterable[Observation | Mapping[str, Any] | tuple[Any, ...]]) -> Iterator[Observation]:
    """Rows as observations: mappings by column, tuples (url, fingerprint, ...) in the order of `COLUMNS`."""
    # Types of whole tuples that were found to be right; a NaN has the type of a time.
    right: set[tuple[type, ...]] = set()
    for number, row in enumerate(rows, 1):
        if isinstance(row, Observation):
            yield row
        elif type(row) is tuple and tuple(map(type, row)) in right and row[2] == row[2]:
            yield Observation._make(row) if len(row) == len(COLUMNS) else Observation(*row)
        elif isinstance(row, Mapping):
            yield observation(row, where=f"row {number}")
        else:
            found = observation(dict(zip(COLUMNS, row, strict=False)), where=f"row {number}")
            if len(row) > 2 and found[: len(row)] == row:
                right.add(tuple(map(type, row)))
            yield found
