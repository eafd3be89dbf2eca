"""Memento (RFC 7089): the URLs of an archive for one resource, its dates, and lists of links.
No request is made."""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from urllib.parse import quote

from urlkey.page.link_header import HeaderLink, links
from urlkey.systems.archive.wayback import MODIFIER

# RFC 3986, 2.2 and 2.3, without brackets and `#`, and what is an escape already.
_OUTSIDE = re.compile(r"(?:[A-Za-z0-9._~:/?@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+|(.)", re.DOTALL)
_AUTHORITY = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]*://(?:(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*@)?\[[0-9A-Fa-f:.]+\]"
)
_FULL_YEAR = re.compile(r"[0-9]{1,2} [A-Za-z]{3} ([0-9]{4}) ")
# What a timestamp that is cut off begins with.
_EARLIEST = "00000101000000"

__all__ = ["Link", "Memento", "http_date", "memento", "parse_links", "timestamp_of"]


@dataclass(frozen=True, slots=True)
class Memento:
    """The URLs that RFC 7089 names: the resource, one capture of it, the TimeGate, the TimeMap."""

    original: str
    memento: str
    timegate: str
    timemap: str
    timestamp: str

    def link_header(self) -> str:
        """The value of the header `Link` that an archive sends with the capture.

        What cannot stand in a URI reference is escaped there (RFC 8288, section 3): a URL ends nothing but itself.

        >>> from urlkey.systems import archive
        >>> print(archive.memento("http://a.example/", "2010", "http://archive.example/").link_header())
        <http://a.example/>; rel="original", <http://archive.example/http://a.example/>; rel="timegate", \
<http://archive.example/timemap/link/http://a.example/>; rel="timemap"; type="application/link-format", \
<http://archive.example/2010/http://a.example/>; rel="memento"; datetime="Fri, 01 Jan 2010 00:00:00 GMT"
        """
        return ", ".join(
            [
                f'<{_reference(self.original)}>; rel="original"',
                f'<{_reference(self.timegate)}>; rel="timegate"',
                f'<{_reference(self.timemap)}>; rel="timemap"; type="application/link-format"',
                f'<{_reference(self.memento)}>; rel="memento"; datetime="{http_date(self.timestamp)}"',
            ]
        )


def _reference(url: str) -> str:
    """The URL as a URI reference of RFC 3986: other characters, and a `%` that begins no escape, as escapes."""
    whole, mark, fragment = url.partition("#")
    address = _AUTHORITY.match(whole)
    kept = address[0] if address else ""
    return kept + _escaped(whole[len(kept) :]) + mark + _escaped(fragment)


def _escaped(text: str) -> str:
    return _OUTSIDE.sub(lambda found: quote(found[1], safe="", errors="surrogatepass") if found[1] else found[0], text)


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a TimeMap or of a header `Link`: its URL, its relations in small letters, its parameters without
    `rel`, the first value of each."""

    url: str
    relations: tuple[str, ...]
    parameters: dict[str, str] = field(default_factory=dict)

    @property
    def timestamp(self) -> str | None:
        """The 14 digits of `datetime`, where it is there and a date."""
        date = self.parameters.get("datetime")
        try:
            return timestamp_of(date) if date is not None else None
        except ValueError:
            return None


def memento(url: str, timestamp: str, prefix: str, modifier: str = "") -> Memento:
    """The URLs of a resource in an archive with pywb's layout: `prefix` is `https://archive.example/web/`; a slash
    at its end is added where it is missing.

    `timestamp` has 4 to 14 digits; `modifier` is one of MODIFIERS, another of its form, or empty. Raises ValueError
    where the one is no date or the other no modifier.

    >>> from urlkey.systems import archive
    >>> archive.memento("http://a.example/", "20101112030201", "http://archive.example/web/", "mp_").memento
    'http://archive.example/web/20101112030201mp_/http://a.example/'
    """
    _date(timestamp)
    if modifier and not MODIFIER.fullmatch(modifier):
        raise ValueError(f"a modifier is small letters and `_`, or begins with `$`, not {modifier!r}")
    if prefix and not prefix.endswith("/"):
        prefix += "/"
    return Memento(
        original=url,
        memento=f"{prefix}{timestamp}{modifier}/{url}",
        timegate=f"{prefix}{url}",
        timemap=f"{prefix}timemap/link/{url}",
        timestamp=timestamp,
    )


def http_date(timestamp: str) -> str:
    """A timestamp of 4 to 14 digits as headers write dates; what is cut off is the earliest. Raises ValueError.

    >>> from urlkey.systems import archive
    >>> archive.http_date("20101112030201"), archive.http_date("2010")
    ('Fri, 12 Nov 2010 03:02:01 GMT', 'Fri, 01 Jan 2010 00:00:00 GMT')
    """
    return format_datetime(_date(timestamp), usegmt=True)


def timestamp_of(date: str) -> str:
    """The 14 digits of a date as headers write it. Raises ValueError.

    >>> from urlkey.systems import archive
    >>> archive.timestamp_of("Fri, 12 Nov 2010 03:02:01 GMT")
    '20101112030201'
    """
    try:
        found = parsedate_to_datetime(date)
        # Four digits are the year itself (RFC 9110, section 5.6.7), also where they begin with two zeros.
        if full := _FULL_YEAR.search(date):
            found = found.replace(year=int(full[1]))
        # A date without a zone is one of UTC, as headers have no other.
        found = found.astimezone(UTC) if found.tzinfo is not None else found
    except OverflowError as error:
        raise ValueError(f"no date of the years 1 to 9999: {date!r}") from error
    return f"{found.year:04}{found:%m%d%H%M%S}"


def _date(timestamp: str) -> datetime:
    if not (4 <= len(timestamp) <= 14 and timestamp.isascii() and timestamp.isdigit()):
        raise ValueError(f"a timestamp has 4 to 14 digits, not {timestamp!r}")
    if len(timestamp) % 2:
        # Half a month or day: 10 for `1`, 01 for `0`.
        timestamp += "1" if len(timestamp) in (5, 7) and timestamp[-1] == "0" else "0"
    digits = timestamp + _EARLIEST[len(timestamp) :]
    month, day, hour, minute, second = (int(digits[i : i + 2]) for i in range(4, 14, 2))
    return datetime(int(digits[:4]), month, day, hour, minute, second, tzinfo=UTC)


def parse_links(text: str) -> list[Link]:
    """The links of a TimeMap (application/link-format) or of a header `Link`, in order.

    Read by RFC 8288: of a parameter that is repeated the first value counts, empty elements are none. Raises
    ValueError with the place of what is no link.

    >>> from urlkey.systems import archive
    >>> link, = archive.parse_links('<http://a/2010/http://b/>; rel="first memento"; '
    ...     'datetime="Fri, 12 Nov 2010 03:02:01 GMT"')
    >>> link.relations, link.timestamp
    (('first', 'memento'), '20101112030201')
    """
    found, rest = links(text)
    if rest is not None:
        raise ValueError(f"no link at character {len(text) - len(rest)}: {rest[:40]!r}")
    return [_link(link) for link in found]


def _link(link: HeaderLink) -> Link:
    parameters: dict[str, str] = {}
    for name, value in link.parameters:
        if name != "rel":
            parameters.setdefault(name, value)
    return Link(link.target, link.rels, parameters)
