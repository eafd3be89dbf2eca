"""Signs that a URL belongs to a crawler trap: a part of a site that makes new URLs for ever. Signals, not verdicts:
each says what it saw. Works on the text of one URL; must not know other URLs of the site."""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from functools import cache
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

import urlkey

__all__ = ["TRAPS", "Trap", "traps"]

#: Every code, and what it means.
TRAPS = {
    "length": "the URL is very long",
    "depth": "the path has very many segments",
    "repeated-segments": "one segment, or a sequence of them, stands several times in a row",
    "page-in-page": "a page such as index.php stands in the path of itself: a relative link that grows",
    "many-parameters": "the query has very many parameters",
    "repeated-parameter": "one parameter stands many times, or with one value several times",
    "session-id": "a session id stands in path or query: each visit has its own URLs",
    "calendar": "a date that no one plans for, or a calendar's page of one day",
    "nested": "URLs in URLs, or escapes of escapes, several layers deep",
}

# A sequence of more segments than this is not looked for.
_LONGEST_CYCLE = 8
# Layers of escapes that are looked through.
_MOST_LAYERS = 8

# Segments that are a page, not a folder.
_PAGE = re.compile(r"[^.]+\.(?:html?|xhtml|php[0-9]?|aspx?|jspx?|cfm|cgi|pl|do|action)", re.IGNORECASE)
_DATE = re.compile(
    r"(?<![0-9A-Za-z.-])(?P<year>[0-9]{4})(?P<mark>[-/])(?P<month>0?[1-9]|1[0-2])"
    r"(?:(?P=mark)(?P<day>0?[1-9]|[12][0-9]|3[01]))?(?![0-9A-Za-z-])"
)
# What is a date without any other word: 2026-11-30.
_WHOLE_DATE = 10
# Words of calendars, as a segment, a parameter's name or a value.
_CALENDAR = re.compile(
    r"(?:^|[/&=])(?:i?cal|calend[ae]rs?|calendario|calendrier|kalender|agenda|events?|veranstaltungen|termine"
    r"|day|week|month|tribe-bar-date|eventdisplay)(?=[/=&.]|$)",
    re.IGNORECASE,
)
_LAST_YEAR = 2999  # Behind it numbers stand, not years.
_YEAR_NAMES = ("year", "yr", "jahr", "annee", "ano", "anno")
_MONTH_NAMES = ("month", "mon", "monat", "mois", "mes", "mese")
_INNER = re.compile(rb"https?:(?://|\\)", re.IGNORECASE)


class Trap(NamedTuple):
    """A sign of a trap: its code, one of `TRAPS`; what was seen, for eyes; the part of the URL: `url`, `path` or
    `query`."""

    code: str
    detail: str
    part: str


def traps(
    url: str | bytes,
    *,
    max_length: int = 2083,
    max_depth: int = 20,
    max_repeats: int = 2,
    max_parameters: int = 30,
    max_same_parameter: int = 5,
    max_layers: int = 2,
    years_ahead: int = 2,
    first_year: int = 1970,
    this_year: int | None = None,
) -> list[Trap]:
    """The signs of a trap that a URL shows, in the order of `TRAPS`; none for most URLs.

    A sign is: more bytes than `max_length` (2083: Heritrix takes no longer URL); more segments than `max_depth` (20:
    Heritrix, TooManyPathSegmentsDecideRule); segments that repeat more than `max_repeats` times in a row (2: Heritrix,
    PathologicalPathDecideRule; Nutch and StormCrawler stop at 3, wherever they stand), digits alone two more times;
    more than `max_parameters`, one name more than `max_same_parameter` times, one name with one value half as often (30
    and 5: in 150,000 URLs of public lists, 1 of 5,000 has more); more than `max_layers` URLs inside, or layers of
    escapes; a date more than `years_ahead` after `this_year` (the clock's), or in a calendar, as a word of the URL
    says, before `first_year`; a calendar's page of one day.

    Raises UrlKeyError for what is no URL. Cost: linear in bytes.

    >>> for trap in traps("http://a.example/calendar/2031-05-01?sid=0123456789abcdef0123456789abcdef", this_year=2026):
    ...     print(trap.code, "|", trap.detail, "|", trap.part)
    session-id | http://a.example/calendar/2031-05-01 is the URL without it | url
    calendar | 2031-05 is more than 2 years ahead | path
    """
    parsed = urlkey.parse(url)
    if parsed.scheme not in ("http", "https"):
        return []
    path, query = parsed.path, parsed.query or ""
    segments = [segment for segment in path.split("/")[1:] if segment]
    fields = [field for field in query.split("&") if field]
    found: list[Trap] = []
    if len(parsed.href) > max_length:
        found.append(Trap("length", f"{len(parsed.href)} bytes, more than {max_length}", "url"))
    if len(segments) > max_depth:
        found.append(Trap("depth", f"{len(segments)} segments, more than {max_depth}", "path"))
    found += _repeated(segments, max_repeats)
    found += _page_in_page(segments)
    if len(fields) > max_parameters:
        found.append(Trap("many-parameters", f"{len(fields)} parameters, more than {max_parameters}", "query"))
    found += _same_parameter(fields, max_same_parameter)
    found += _session(parsed.href)
    found += _calendar(path, query, (this_year or date.today().year) + years_ahead, years_ahead, first_year)
    found += _nested(path, query, max_layers)
    return found


def _repeated(segments: list[str], most: int) -> Iterator[Trap]:
    """The first sequence that stands too often in a row, the shortest first."""
    for length in range(1, min(_LONGEST_CYCLE, len(segments) // 2) + 1):
        for cycle, times in _cycles(segments, length):
            # Ids are cut to folders of digits: /000/000/123.
            if times > most + (2 if all(map(str.isdigit, cycle)) else 0):
                yield Trap("repeated-segments", f"{_short('/'.join(cycle))} stands {times} times in a row", "path")
                return


def _cycles(segments: list[str], length: int) -> Iterator[tuple[list[str], int]]:
    """Each sequence of this length that stands twice or more in a row, and how often."""
    equal = 0
    for at in range(length, len(segments) + 1):
        if at < len(segments) and segments[at] == segments[at - length]:
            equal += 1
            continue
        if equal >= length:
            begin = at - length - equal
            yield segments[begin : begin + length], equal // length + 1
        equal = 0


def _page_in_page(segments: list[str]) -> Iterator[Trap]:
    pages = Counter(segment.lower() for segment in segments if _PAGE.fullmatch(segment))
    for name, times in pages.items():
        if times > 1:
            yield Trap("page-in-page", f"{_short(name)} stands {times} times", "path")
            return


def _same_parameter(fields: list[str], most: int) -> Iterator[Trap]:
    names = Counter(field.partition("=")[0] for field in fields)
    for name, times in names.most_common(1):
        if times > most:
            yield Trap("repeated-parameter", f"{_short(name)} stands {times} times", "query")
            return
    for field, times in Counter(fields).most_common(1):
        if times > max(1, most // 2):
            yield Trap("repeated-parameter", f"{_short(field)} stands {times} times", "query")


@cache
def _policies() -> tuple[urlkey.Policy, urlkey.Policy]:
    plain = urlkey.Policy("safe")
    return plain, plain.with_(drop_session=True)


def _session(href: str) -> Iterator[Trap]:
    plain, without = _policies()
    try:
        if (key := without.key(href)) != plain.key(href):
            yield Trap("session-id", f"{_short(key, 200)} is the URL without it", "url")
    except urlkey.UrlKeyError:  # the key, with its escapes, is too long to be one
        return


def _calendar(path: str, query: str, last_year: int, ahead: int, first_year: int) -> Iterator[Trap]:
    is_calendar = _CALENDAR.search(path) is not None or _CALENDAR.search(query) is not None
    for part, text in (("path", path), ("query", query)):
        days = False
        for year, month, day, whole, end in _dates(text, part):
            if _LAST_YEAR >= year > last_year and (is_calendar or whole):
                yield Trap("calendar", f"{year}-{month:02} is more than {ahead} years ahead", part)
                return
            if year < first_year and is_calendar:
                yield Trap("calendar", f"a calendar of {year}, before {first_year}", part)
                return
            days = days or (day is not None and (part == "query" or end))
        if is_calendar and days:
            yield Trap("calendar", "a calendar's page of one day", part)
            return


def _dates(text: str, part: str) -> Iterator[tuple[int, int, int | None, bool, bool]]:
    """Year, month, day; whether it cannot be another number, and whether the text ends behind it."""
    for found in _DATE.finditer(text):
        day = int(found["day"]) if found["day"] else None
        whole = found.end() - found.start() == _WHOLE_DATE
        yield int(found["year"]), int(found["month"]), day, whole, not text[found.end() :].strip("/")
    if part == "query":
        values = {name.lower(): value for name, _, value in (field.partition("=") for field in text.split("&"))}
        year, month = (next((values[n] for n in names if n in values), "") for names in (_YEAR_NAMES, _MONTH_NAMES))
        if re.fullmatch(r"[0-9]{4} (?:0?[1-9]|1[0-2])", f"{year} {month}"):
            yield int(year), int(month), None, True, False


def _nested(path: str, query: str, most: int) -> Iterator[Trap]:
    for part, text in (("path", path), ("query", query)):
        layers, plain = _unescaped(text)
        inner = len(_INNER.findall(plain))
        if inner > most:
            yield Trap("nested", f"{inner} URLs inside", part)
        elif layers > most:
            yield Trap("nested", f"escapes {layers} layers deep", part)


def _unescaped(text: str) -> tuple[int, bytes]:
    """How often a text can be unescaped, and what is left then."""
    plain, layers = text.encode(), 0
    while layers < _MOST_LAYERS and b"%" in plain and (less := unquote_to_bytes(plain)) != plain:
        plain, layers = less, layers + 1
    return layers, plain


def _short(text: str, most: int = 80) -> str:
    return text if len(text) <= most else f"{text[:most]}..."
