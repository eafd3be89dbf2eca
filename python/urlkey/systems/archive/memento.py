"""Memento (RFC 7089): the URLs of an archive for one resource, its dates, and lists of links.
No request is made."""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime

_LINK = re.compile(r'\s*<([^>]*)>((?:\s*;\s*[\w*!#$&+^`|~.-]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?)*)\s*(?:,|$)')
_PARAMETER = re.compile(r';\s*([\w*!#$&+^`|~.-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?')
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

        >>> from urlkey.systems import archive
        >>> print(archive.memento("http://a.example/", "2010", "http://archive.example/").link_header())
        <http://a.example/>; rel="original", <http://archive.example/http://a.example/>; rel="timegate", \
<http://archive.example/timemap/link/http://a.example/>; rel="timemap"; type="application/link-format", \
<http://archive.example/2010/http://a.example/>; rel="memento"; datetime="Fri, 01 Jan 2010 00:00:00 GMT"
        """
        return ", ".join(
            [
                f'<{self.original}>; rel="original"',
                f'<{self.timegate}>; rel="timegate"',
                f'<{self.timemap}>; rel="timemap"; type="application/link-format"',
                f'<{self.memento}>; rel="memento"; datetime="{http_date(self.timestamp)}"',
            ]
        )


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a TimeMap or of a header `Link`: its URL, its relations, its parameters without `rel`."""

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
    """The URLs of a resource in an archive with pywb's layout: `prefix` is `https://archive.example/web/`.

    `timestamp` has 4 to 14 digits; raises ValueError where it is no date.

    >>> from urlkey.systems import archive
    >>> archive.memento("http://a.example/", "20101112030201", "http://archive.example/web/", "mp_").memento
    'http://archive.example/web/20101112030201mp_/http://a.example/'
    """
    _date(timestamp)
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
    found = parsedate_to_datetime(date)
    # A date without a zone is one of UTC, as headers have no other.
    found = found.astimezone(UTC) if found.tzinfo is not None else found
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

    Raises ValueError with the place of what is no link.

    >>> from urlkey.systems import archive
    >>> link, = archive.parse_links('<http://a/2010/http://b/>; rel="first memento"; '
    ...     'datetime="Fri, 12 Nov 2010 03:02:01 GMT"')
    >>> link.relations, link.timestamp
    (('first', 'memento'), '20101112030201')
    """
    links = []
    at = 0
    end = len(text.rstrip(" \t\r\n,"))
    while at < end:
        found = _LINK.match(text, at)
        if found is None:
            raise ValueError(f"no link at character {at}: {text[at : at + 40]!r}")
        parameters = {name.lower(): _unquoted(quoted, bare) for name, quoted, bare in _PARAMETER.findall(found[2])}
        relations = tuple(parameters.pop("rel", "").split())
        links.append(Link(found[1], relations, parameters))
        at = found.end()
    return links


def _unquoted(quoted: str, bare: str) -> str:
    return re.sub(r"\\(.)", r"\1", quoted) if quoted else bare
