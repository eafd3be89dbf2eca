"""What a crawl says of one URL, and what exports call it. Knows the columns of
Screaming Frog, Sitebulb and Lumar; must not know files or keys."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["FACTS", "Columns", "Page", "page_of"]


@dataclass(frozen=True, slots=True)
class Page:
    """One row of a crawl export. What the export does not say is None or empty:
    a row without `status` counts as an HTML page that answered 200."""

    url: str
    status: int | None = None
    canonicals: tuple[str, ...] = ()
    redirect: str | None = None
    redirect_type: str | None = None
    type: str | None = None
    indexability: str | None = None
    title: str | None = None
    h1: str | None = None
    hash: str | None = None
    next: str | None = None
    prev: str | None = None
    hreflang: tuple[tuple[str, str], ...] = ()


# A fact, and the names of columns that tell it, as `_plain` leaves them, without their numbers.
FACTS: dict[str, tuple[str, ...]] = {
    "url": ("address", "url", "page", "page url", "adresse", "direccion", "dirección", "indirizzo", "loc", "link"),
    "status": ("status code", "http status code", "http status", "statuscode", "response code", "status"),
    "canonical": (
        "canonical link element",
        "http canonical",
        "canonical url",
        "canonical",
        "canonicals",
        "rel canonical",
    ),
    "redirect": ("redirect url", "redirect uri", "redirected to url", "redirect to url", "redirect", "location"),
    "redirect_type": ("redirect type",),
    "type": ("content type", "mime type", "mime", "content", "type"),
    "indexability": ("indexability", "indexability status", "indexable"),
    "title": ("title", "page title"),
    "h1": ("h1",),
    "hash": ("hash", "content hash", "page hash", "body hash", "digest"),
    "next": ("rel next", "http rel next", "next"),
    "prev": ("rel prev", "http rel prev", "prev"),
    "hreflang": ("hreflang", "html hreflang", "http hreflang", "sitemap hreflang", "alternates"),
}
_MANY = ("canonical", "hreflang", "indexability")
_NUMBERED = re.compile(r"(.*?) ?([0-9]+)( url)?")
_EMPTY = ("", "-", "n/a", "null", "none")


class Columns:
    """Which cells of a row tell which facts.

    `given` maps facts to column names, as a person would for an export in
    another language; the rest is found by name. `missing` is True if no column
    holds the URL.
    """

    def __init__(self, names: Sequence[str], given: Mapping[str, str] | None = None) -> None:
        self._cells: dict[str, list[int]] = {}
        self._languages: list[tuple[int | None, int]] = []
        plain = [_plain(name) for name in names]
        given = given or {}
        for fact, wanted in given.items():
            if fact not in FACTS:
                raise LookupError(f"no fact {fact!r}; there are: {', '.join(FACTS)}")
            exact = [index for index, name in enumerate(names) if name.strip() == wanted.strip()]
            loose = [index for index, name in enumerate(plain) if name == _plain(wanted)]
            if not (exact or loose):
                raise LookupError(f"no column {wanted!r}; there are: {', '.join(map(repr, names))}")
            self._cells[fact] = exact or loose
        bases = [_numbered(name) for name in plain]
        for fact, known in FACTS.items():
            if fact == "hreflang":
                self._languages = _languages(bases, known)
            elif fact not in given:
                self._cells[fact] = _found(bases, known, many=fact in _MANY)
        self.missing = not self._cells["url"]
        self.known = frozenset(fact for fact, cells in self._cells.items() if cells) | (
            {"hreflang"} if self._languages else set()
        )

    def page(self, cells: Sequence[str]) -> Page | None:
        """What a row says; None if it has no cell for the URL."""
        urls = self._texts("url", cells)
        if not urls:
            return None
        facts: dict[str, Any] = {fact: next(iter(self._texts(fact, cells)), None) for fact in FACTS}
        facts["canonical"] = self._texts("canonical", cells)
        facts["indexability"] = ", ".join(self._texts("indexability", cells))
        facts["hreflang"] = self._alternates(cells)
        return page_of(facts | {"url": urls[0]})

    def _texts(self, fact: str, cells: Sequence[str]) -> list[str]:
        return [cells[i] for i in self._cells.get(fact, ()) if i < len(cells) and cells[i].strip()]

    def _alternates(self, cells: Sequence[str]) -> list[tuple[str, str]]:
        found = []
        for language, index in self._languages:
            if index < len(cells) and cells[index].strip():
                found.append((cells[language] if language is not None and language < len(cells) else "", cells[index]))
        return found


def page_of(facts: Mapping[str, Any]) -> Page:
    """A page from the facts of `FACTS` by name, or as the columns of an export call them.

    >>> page_of({"Address": "http://shop.example/", "Status Code": 200, "Canonical Link Element 1": "/"})
    Page(url='http://shop.example/', status=200, canonicals=('/',), ...)
    """
    if not facts.keys() <= FACTS.keys():
        facts = _by_fact(facts)
    url = facts.get("url")
    if not isinstance(url, str):
        raise LookupError("the row has no text under url")
    return Page(
        url=url,
        status=_number(facts.get("status")),
        canonicals=tuple(_list(facts.get("canonical"))),
        redirect=_text(facts.get("redirect")),
        redirect_type=_text(facts.get("redirect_type")),
        type=_text(facts.get("type")),
        indexability=_text(facts.get("indexability")),
        title=_text(facts.get("title")),
        h1=_text(facts.get("h1")),
        hash=_text(facts.get("hash")),
        next=_text(facts.get("next")),
        prev=_text(facts.get("prev")),
        hreflang=tuple(_pairs(facts.get("hreflang"))),
    )


def _by_fact(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The values under the names of facts; several columns of one fact become a list."""
    bases = [_numbered(_plain(name)) for name in facts]
    values = list(facts.values())
    found: dict[str, Any] = {}
    for fact, known in FACTS.items():
        if fact == "hreflang":
            pairs = _languages(bases, known)
            nested = [values[index] for _, index in pairs if isinstance(values[index], list | dict)]
            told = [(values[language] if language is not None else "", values[index]) for language, index in pairs]
            found[fact] = nested[0] if nested else [pair for pair in told if pair[1]]
            continue
        cells = [values[index] for index in _found(bases, known, many=fact in _MANY) if values[index] is not None]
        if fact == "canonical":
            found[fact] = [one for value in cells for one in (value if isinstance(value, list) else [value])]
        elif fact == "indexability":
            found[fact] = ", ".join(str(cell) for cell in cells)
        elif cells:
            found[fact] = cells[0]
    return found


def _plain(name: str) -> str:
    """The name of a column without what tools and versions write differently."""
    words = re.sub(r"[\"'=_\-\ufeff\s]+", " ", name.strip().lower())
    return words.strip()


def _numbered(name: str) -> tuple[str, int, bool]:
    """`canonical link element 2` is the base and 2; `html hreflang 1 url` has its URL beside its language."""
    match = _NUMBERED.fullmatch(name)
    if match is None or name == "h1":
        return name, 0, False
    return match[1], int(match[2]), match[3] is not None


def _found(bases: list[tuple[str, int, bool]], known: tuple[str, ...], *, many: bool) -> list[int]:
    """The columns of one fact, the surest name first, each by its number."""
    found = sorted(
        (known.index(base), number, index)
        for index, (base, number, url) in enumerate(bases)
        if base in known and not url
    )
    indexes = [index for _, _, index in found]
    return indexes if many else indexes[:1]


def _languages(bases: list[tuple[str, int, bool]], known: tuple[str, ...]) -> list[tuple[int | None, int]]:
    """Pairs of columns, language and URL; a column alone may hold both."""
    columns = {(base, number, url): index for index, (base, number, url) in enumerate(bases) if base in known}
    with_url = [key for key in columns if key[2]]
    if with_url:
        return [
            (columns.get((base, number, False)), columns[base, number, True]) for base, number, _ in sorted(with_url)
        ]
    return [(None, columns[key]) for key in sorted(columns)]


def _text(value: Any) -> str | None:
    text = "" if value is None else str(value).strip()
    return None if text.lower() in _EMPTY else text


def _number(value: Any) -> int | None:
    text = str(value).strip() if value is not None else ""
    match = re.match(r"[0-9]{1,3}(?![0-9])", text)
    return int(match[0]) if match else None


def _list(value: Any) -> Iterable[str]:
    values = value if isinstance(value, list | tuple) else [value]
    return (text for text in map(_text, values) if text is not None)


def _pairs(value: Any) -> Iterable[tuple[str, str]]:
    """`{"de": url}`, `[["de", url]]`, `["de: url"]` or `"de: url"`."""
    if isinstance(value, Mapping):
        value = list(value.items())
    for one in value if isinstance(value, list | tuple) else [value]:
        if isinstance(one, list | tuple) and len(one) == 2:
            language, url = _text(one[0]) or "", _text(one[1])
        else:
            text = _text(one) or ""
            match = re.match(r"([A-Za-z-]{2,12})\s*[:=]\s*(?=\S)(?!//)", text)
            language, url = (match[1], text[match.end() :]) if match else ("", text)
        if url:
            yield language.lower(), url
