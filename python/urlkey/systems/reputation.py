"""URL reputation: the forms that lists of bad URLs are made of, and indicators
broken and live.

>>> from urlkey.systems import reputation
>>> reputation.canonical("http://www.GOOgle.com:80/a/../%2541#top")
'http://www.google.com/A'

These are forms of the bytes as given: any bytes that name a host have one, also those that are
no URL under the URL Standard. What they leave out is in docs/reputation.md.
"""

import os
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple, TypeAlias, overload

from urlkey import UrlKeyError, _native
from urlkey._native import Match

Version: TypeAlias = Literal["v4", "v5"]
Kind: TypeAlias = Literal["text", "hex", "base64"]

__all__ = [
    "Blocklist",
    "LineError",
    "Match",
    "canonical",
    "defang",
    "expressions",
    "hashes",
    "is_defanged",
    "refang",
    "virustotal_id",
]


def canonical(url: str | bytes, version: Version = "v5") -> str:
    """The canonical URL of Google Safe Browsing and Web Risk, ASCII without spaces and controls.

    `url` may be any text or bytes; without a scheme it is taken for http. `version` is "v5" or
    "v4" (also Web Risk); they differ for IPv6 addresses. Fragment, userinfo and port are left out.
    Raises UrlKeyError `host-missing` where no host is named.

    Source: https://developers.google.com/safe-browsing/reference/URLs.and.Hashing,
    https://developers.google.com/safe-browsing/v4/urls-hashing

    >>> canonical(b"http://\\x01\\x80.com/%25%32%35")
    'http://%01%80.com/%25'
    >>> canonical("[::ffff:1.2.3.4]/x"), canonical("[::ffff:1.2.3.4]/x", "v4")
    ('http://1.2.3.4/x', 'http://[::ffff:1.2.3.4]/x')
    """
    return _native.safebrowsing_canonical(url, version)


def expressions(url: str | bytes, version: Version = "v5") -> list[str]:
    """The host-suffix/path-prefix expressions of a URL, at most 30: what lists hold.

    The exact host comes first, then its suffixes, the longest first; of each the exact path with
    its query, without it, the root, and up to three directories. "v4" makes suffixes of the last
    five labels, "v5" from the registrable domain on. Arguments and errors are those of `canonical`.

    >>> expressions("http://a.example.co.uk/1/2.html?p=1")[:4]
    ['a.example.co.uk/1/2.html?p=1', 'a.example.co.uk/1/2.html', 'a.example.co.uk/', 'a.example.co.uk/1/']
    >>> expressions("http://example.co.uk/"), expressions("http://example.co.uk/", "v4")
    (['example.co.uk/'], ['example.co.uk/', 'co.uk/'])
    """
    return _native.safebrowsing_expressions(url, version)


def hashes(url: str | bytes, prefix: int = 32, version: Version = "v5") -> list[bytes]:
    """SHA-256 of each expression, in their order, cut to `prefix` bytes (4 to 32).

    Arguments and errors are those of `expressions`; ValueError for another `prefix`.

    >>> [hash.hex() for hash in hashes("http://a.b.c/", 4)]
    ['f9c142c4', 'b225cf5d']
    """
    return _native.safebrowsing_hashes(url, prefix, version)


def refang(text: str, *, nested: bool = False) -> str:
    """The live URL or host that a defanged one stands for; `text` itself where nothing is broken.

    Scheme and authority at the start of the text are made live; `nested` does the same to URLs
    with a broken scheme behind them. Brackets or quotes around a broken text go.
    `is_defanged` tells whether anything was broken.

    >>> refang("hxxps[:]//evil[.]example/a[.]b")
    'https://evil.example/a[.]b'
    >>> refang("evil[.]example/?u=hxxp://x[.]y/", nested=True)
    'evil.example/?u=http://x.y/'
    """
    return _native.refang(text, nested=nested)


def is_defanged(text: str, *, nested: bool = False) -> bool:
    """Whether `refang` would change the text: STIX's `defanged`.

    >>> is_defanged("evil[.]example"), is_defanged("http://[::1]/")
    (True, False)
    """
    return _native.is_defanged(text, nested=nested)


def defang(url: str) -> str:
    """The URL broken so that nobody follows it by accident, for mail and reports.

    `refang(defang(url)) == url` for every URL that is not broken itself; what is, or has no
    host to break, comes back as it is. Of a text in quotes or brackets, which no URL is,
    `refang` gives what stands inside.

    >>> defang("http://user@evil.example/a.b")
    'hxxp[://]user[@]evil[.]example/a.b'
    """
    return _native.defang(url)


def virustotal_id(url: str | bytes) -> str:
    """VirusTotal's identifier of this very spelling: its unpadded base64url.

    The other identifier, a SHA-256, is of a canonical form that VirusTotal does not publish.
    ValueError for a str with a lone surrogate.

    Source: https://docs.virustotal.com/reference/url

    >>> virustotal_id("http://www.virustotal.com/")
    'aHR0cDovL3d3dy52aXJ1c3RvdGFsLmNvbS8'
    """
    data = url.encode() if isinstance(url, str) else url
    return urlsafe_b64encode(data).rstrip(b"=").decode()


class LineError(NamedTuple):
    """A line of a blocklist that gave no entry."""

    line: int
    """Counted from 1."""
    code: str
    """Out of `urlkey.ERROR_CODES`."""
    message: str
    """What the code says."""
    text: bytes
    """The line as it stood, without its end."""


class Blocklist:
    """A list of bad URLs in memory, to look URLs up in: about 21 bytes an entry of a text list.

    `entries` are the lines of a list, str or bytes. A line of a text list is a URL, a host, an
    expression, or a line of a hosts file; it may be defanged. A line of a list of hashes is the
    first 4 to 32 bytes of an expression's SHA-256, hexadecimal ("hex") or "base64". `kind` says
    which; told by the first lines where it is None, and said by the property. Empty lines and
    those that begin with `#`, `;` or `!` are passed over. A line that is no entry is in `errors`,
    and never raises.

    It is pickled by value, and can be handed to other processes; a pickle holds the secret seed of the
    fingerprints, and is not for strangers.

    Every entry is an expression: `evil.example` names the host and all below it, whatever the path,
    and `http://evil.example/a/` all that lies below. Scheme, userinfo and port play no part.

    >>> listed = Blocklist(["hxxp://evil[.]example/a/", "no entry"])
    >>> listed.kind, len(listed), listed.defanged, listed.errors[0].line
    ('text', 1, 1, 2)
    >>> listed.lookup("https://www.evil.example:8080/a/b?c").expression
    'evil.example/a/'
    >>> "http://evil.example/b" in listed
    False
    """

    __slots__ = ("_table", "errors", "version")

    errors: tuple[LineError, ...]
    """The lines that gave no entry, in order."""
    version: Version
    """Which text of the rules the expressions follow."""

    def __init__(
        self, entries: Iterable[str | bytes] = (), *, version: Version = "v5", kind: Kind | None = None
    ) -> None:
        lines = (entry.encode("utf-8", "surrogatepass") if isinstance(entry, str) else entry for entry in entries)
        self._build((line.replace(b"\n", b" ") + b"\n" for line in lines), version, kind)

    @classmethod
    def load(cls, file: str | os.PathLike[str], *, version: Version = "v5", kind: Kind | None = None) -> "Blocklist":
        """The list in a file, gzip or Zstandard undone; "-" is standard input.

        Raises OSError where it cannot be read, and `urlkey.readers.ReadError` where compressed
        data break off: half a list names half of what it should.
        """
        from urlkey.readers import ReadError
        from urlkey.readers.blocks import Blocks
        from urlkey.readers.lines import without_bom

        made = cls.__new__(cls)
        with Blocks(os.fspath(file)) as blocks:
            made._build(without_bom(blocks), version, kind)
            if blocks.broken is not None:
                raise ReadError(f"{os.fspath(file)}: {blocks.broken}")
        return made

    def _build(self, blocks: Iterable[bytes], version: Version, kind: Kind | None) -> None:
        builder = _native.BlocklistBuilder(version, kind)
        for block in blocks:
            builder.feed(block)
        self._table, refused = builder.finish()
        self.errors = tuple(LineError(line, code, message, text) for line, code, _, message, text in refused)
        self.version = version

    @property
    def kind(self) -> Kind:
        """What the lines are: "text", "hex" or "base64"."""
        return self._table.kind

    @property
    def widths(self) -> list[int]:
        """The widths of the hashes in bytes; empty for a text list."""
        return self._table.widths

    @property
    def defanged(self) -> int:
        """How many entries were defanged."""
        return self._table.defanged

    @property
    def memory(self) -> int:
        """Bytes that the entries occupy."""
        return self._table.memory

    def __reduce__(self) -> tuple[Any, ...]:
        # Fingerprints go as they are, with the seed that they were made under: lines are kept nowhere.
        return _unpickled, (_FORM, self._table.to_bytes(), self.errors, self.version)

    def __copy__(self) -> "Blocklist":
        return self

    def __deepcopy__(self, memo: object) -> "Blocklist":
        return self

    def __len__(self) -> int:
        return len(self._table)

    def __contains__(self, url: str | bytes) -> bool:
        return self._table.lookup(url) is not None

    def lookup(self, url: str | bytes) -> Match | None:
        """What the list says of a URL, or of one that it wraps; None where it names neither.

        The URL is read as `canonical` reads it, and where a browser may read it otherwise, as that
        does. Then every layer that a known redirector has around it is taken off and asked for.
        Raises UrlKeyError `host-missing` where no host is named: such a text was not looked up.

        >>> found = Blocklist(["evil.example"]).lookup("https://www.google.com/url?q=http://evil.example/")
        >>> found.expression, found.layer, found.url, found.rule
        ('evil.example/', 1, 'http://evil.example/', 'google-url')
        """
        return self._table.lookup(url)

    @overload
    def lookup_many(self, urls: Iterable[str | bytes | None]) -> list[Match | None]: ...
    @overload
    def lookup_many(self, urls: Iterable[str | bytes | None], *, on_error: Literal["raise"]) -> list[Match | None]: ...
    @overload
    def lookup_many(
        self, urls: Iterable[str | bytes | None], *, on_error: Literal["error"]
    ) -> list[Match | UrlKeyError | None]: ...
    def lookup_many(
        self, urls: Iterable[str | bytes | None], *, on_error: Literal["raise", "error"] = "raise"
    ) -> list[Match | None] | list[Match | UrlKeyError | None]:
        """What the list says of many URLs, a row for each, in their order.

        `on_error`: "raise" raises the UrlKeyError of the first text without a host, "error" puts it
        in its row; so it is with None, a row without a URL: `no-url`. There is no "null": None means
        that the list does not name the URL.

        >>> listed = Blocklist(["evil.example"])
        >>> [bool(found) for found in listed.lookup_many(["http://evil.example/", "http://good.example/"])]
        [True, False]
        """
        if on_error == "error":
            return self._table.lookup_many(urls, errors=True)
        if on_error == "raise":
            return self._table.lookup_many(urls, errors=False)
        raise ValueError(f"on_error must be 'raise' or 'error', not {on_error!r}")


_FORM = 1
"""Version of what a pickle holds."""


def _unpickled(form: int, table: bytes, errors: tuple[LineError, ...], version: Version) -> Blocklist:
    if form != _FORM:
        raise ValueError(f"a pickled Blocklist of form {form}; this urlkey reads {_FORM}")
    made = Blocklist.__new__(Blocklist)
    made._table, made.errors, made.version = _native.BlocklistTable.from_bytes(table), errors, version
    return made
