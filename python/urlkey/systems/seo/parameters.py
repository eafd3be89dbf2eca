"""Parameters by the duplicates they make: for each name, how many pages would be
one with others if it alone were dropped, all else under the policy being equal,
and what the crawl says about that. Linear in the bytes of the queries."""

import secrets
from collections import defaultdict
from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal

from urlkey.systems.seo.rows import Row

# What counts pages. `p` and `start` are too many other things: rel next and prev tell there.
PAGE_NAMES = frozenset({"page", "paged", "pagenum", "pageno", "page_no", "page_num", "pg", "pagina", "seite"})

Verdict = Literal["dropped", "drop", "keep", "pagination", "language", "look"]
VERDICTS: dict[Verdict, str] = {
    "dropped": "the policy drops it already",
    "drop": "makes no other page here: drop it with a site rule",
    "keep": "makes other pages: keep it",
    "pagination": "counts the pages of a series: keep it",
    "language": "chooses a language (hreflang): keep it",
    "look": "the crawl does not say: look",
}

_MASK = (1 << 128) - 1
_Fields = dict[str, list[str]]

__all__ = ["PAGE_NAMES", "VERDICTS", "Parameter", "Verdict", "fields_of", "rank"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One name. `urls`: pages with it; `merges`: how many fewer pages there would
    be without it; `same`, `differs`: pairs with equal and with other content
    hashes; `canonicals`: pages with it whose canonical is a page without."""

    name: str
    urls: int
    merges: int
    same: int
    differs: int
    canonicals: int
    verdict: Verdict

    @property
    def title(self) -> str:
        """The verdict in words."""
        return VERDICTS[self.verdict]


def fields_of(url: str) -> _Fields:
    """The parameters of a parsed URL by name, and each session-like path parameter as `;name`."""
    rest = url.partition("#")[0]
    path, _, query = rest.partition("?")
    found: _Fields = {}
    for field in query.split("&") if query else ():
        found.setdefault(field.partition("=")[0], []).append(field)
    for segment in path.split("/")[3:] if ";" in path else ():
        for part in segment.split(";")[1:]:
            name, is_pair, _ = part.partition("=")
            if is_pair:
                found.setdefault(f";{name}", []).append(part)
    found.pop("", None)
    return found


class _Sum:
    """A URL without some of its parameters as one number: a sum of hashes under a
    key of this run, so that a parameter is taken out by one subtraction."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(16)

    def __call__(self, *parts: str) -> int:
        text = "\0".join(parts).encode("utf-8", "surrogatepass")
        return int.from_bytes(blake2b(text, digest_size=16, key=self._key).digest())

    def of(self, name: str, fields: list[str]) -> int:
        return sum(self(name, str(number), field) for number, field in enumerate(fields)) & _MASK


class _Tally:
    """What is known of one name."""

    def __init__(self) -> None:
        self.urls = self.merges = self.same = self.differs = self.canonicals = 0
        self.pagination = self.language = self.dropped = False

    def pair(self, one: Row, other: Row) -> None:
        """Two pages that would be one without it."""
        if one.page.hash and other.page.hash:
            if one.page.hash == other.page.hash:
                self.same += 1
            else:
                self.differs += 1

    def verdict(self, name: str) -> Verdict:
        if self.dropped:
            return "dropped"
        if self.pagination or name.lower() in PAGE_NAMES:
            return "pagination"
        if self.language:
            return "language"
        if self.same > self.differs == 0 or (self.canonicals and not self.differs):
            return "drop"
        return "keep" if self.differs else "look"


def rank(rows: list[Row]) -> list[Parameter]:
    """All names that make duplicates among these pages, the worst first; those to keep last."""
    total = _Sum()
    tallies: dict[str, _Tally] = defaultdict(_Tally)
    _count_dropped(rows, tallies)
    _count_kept(rows, tallies, total)
    found = [
        Parameter(name, one.urls, one.merges, one.same, one.differs, one.canonicals, one.verdict(name))
        for name, one in tallies.items()
        if one.merges
    ]
    return sorted(found, key=lambda one: (one.verdict in ("keep", "pagination", "language"), -one.merges, one.name))


def _count_dropped(rows: list[Row], tallies: dict[str, _Tally]) -> None:
    """Names that the policy drops: what would stand apart if each of them stayed."""
    groups: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.group].append(row)
    for members in groups.values():
        kept = fields_of(members[0].key)
        spellings: dict[str, dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
        for row in members:
            for name, fields in fields_of(row.keys.standard or "").items():
                if name not in kept:
                    spellings[name]["&".join(fields)].append(row)
        for name, forms in spellings.items():
            tally = tallies[name]
            tally.dropped = True
            with_it = sum(map(len, forms.values()))
            tally.urls += with_it
            tally.merges += len(forms) - (with_it == len(members))
            _compare_forms(tally, name, forms, members)


def _compare_forms(tally: _Tally, name: str, forms: dict[str, list[Row]], members: list[Row]) -> None:
    """The first of each form beside the first page without it, or else of the first form."""
    firsts = [rows[0] for rows in forms.values()]
    inside = {id(row) for rows in forms.values() for row in rows}
    without = next((row for row in members if id(row) not in inside), None)
    if without is None:
        without, *firsts = firsts
    for row in firsts:
        tally.pair(without, row)
        if len(row.canonicals) == 1 and f"{name}=" not in row.canonicals[0] and row.canonicals[0] != row.request:
            tally.canonicals += 1


def _count_kept(rows: list[Row], tallies: dict[str, _Tally], total: _Sum) -> None:
    """Names that stay in keys: what would be one if each of them went."""
    first: dict[str, Row] = {}
    for row in rows:
        first.setdefault(row.key, row)
    whole: dict[int, Row] = {}
    parts: list[tuple[Row, int, dict[str, int]]] = []
    by_request: dict[str, int] = {}
    for key, row in first.items():
        sums = {name: total.of(name, fields) for name, fields in fields_of(key).items() if not name.startswith(";")}
        base = total(key.partition("?")[0])
        all_ = (base + sum(sums.values())) & _MASK
        whole[all_] = row
        parts.append((row, all_, sums))
    whole_of = {row.key: all_ for row, all_, _ in parts}
    for row in rows:
        by_request[row.request] = whole_of[row.key]
    buckets: dict[str, dict[int, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row, all_, sums in parts:
        for name, one in sums.items():
            rest = (all_ - one) & _MASK
            buckets[name][rest].append(row)
            if len(row.canonicals) == 1 and by_request.get(row.canonicals[0]) == rest:
                tallies[name].canonicals += 1
    for name, by_rest in buckets.items():
        for rest, members in by_rest.items():
            plain = whole.get(rest)
            _judge(tallies[name], [*([plain] if plain is not None else []), *members], len(members))


def _judge(tally: _Tally, alike: list[Row], with_it: int) -> None:
    tally.urls += with_it
    tally.merges += len(alike) - 1
    if len(alike) < 2:
        return
    requests = {row.request for row in alike}
    for row in alike:
        tally.pagination |= not row.series.isdisjoint(requests)
        tally.language |= not row.alternates.isdisjoint(requests)
    for row in alike[1:]:
        tally.pair(alike[0], row)
