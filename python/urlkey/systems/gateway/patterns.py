"""Allow and deny lists in the formats of products, each read by its own rules.

>>> from urlkey.systems.gateway.patterns import PatternSet
>>> blocked = PatternSet("chrome", block=["example.com"], allow=["example.com/help"])
>>> blocked.match("https://www.example.com/help/me").list
'allow'

What a line means in which product, and from where that is known, is in docs/patterns.md.
"""

import os
import zlib
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple, TypeAlias, overload

from urlkey import UrlKeyError, _native
from urlkey._native import DIALECTS, PatternMatch, embedded_url

List: TypeAlias = Literal["block", "allow"]
_Lines: TypeAlias = Iterable[str | bytes]

__all__ = ["DIALECTS", "PatternError", "PatternMatch", "PatternSet", "embedded_url"]


class PatternError(NamedTuple):
    """A line that gave no pattern, or not all of its patterns."""

    list: List
    """The list that it stands in."""
    line: int
    """Counted from 1."""
    code: str
    """Out of `urlkey.ERROR_CODES`: "bad-pattern", or what is wrong with its host or port."""
    at: int
    """Byte offset in the line."""
    message: str
    """What was found, or what is allowed."""
    text: bytes
    """The line as it stood, without its end."""


class PatternSet:
    """The patterns of a product's lists, compiled into one matcher.

    `dialect` is one of `DIALECTS`; `block` and `allow` are the lines of the two lists, str or bytes.
    Empty lines and those that begin with `#` (in "netskope" also `;`) are passed over. A line that
    is no pattern is in `errors`, and never raises: look at it before you rely on the set.

    A match costs what the URL is long, whatever the number of patterns. What would break that is an
    error: more than 64 paths of one host within one another, or 64 patterns of one host and path
    whose rarest query field is the same. Expressions (Squid's, and wildcards inside PAN-OS entries)
    go into one automaton a field, 10,000 at most, whose cost grows with their size.

    It is pickled by value, as its lines, compressed; whoever unpickles it compiles them again.

    >>> listed = PatternSet("squid", ["dstdomain .example.com", "dstdomain a..b"])
    >>> listed.match("http://www.example.com/x").reason
    'the host or one below'
    >>> [(error.line, error.code, error.at) for error in listed.errors]
    [(2, 'bad-pattern', 11)]
    """

    __slots__ = ("_lines", "_table", "dialect", "errors")

    dialect: str
    """Whose format the lines are in."""
    errors: tuple[PatternError, ...]
    """The lines that gave no pattern, in order, those of the block list first."""

    def __init__(self, dialect: str, block: _Lines = (), allow: _Lines = ()) -> None:
        self._build(dialect, _blocks(block), _blocks(allow))

    @classmethod
    def load(
        cls,
        dialect: str,
        block: str | os.PathLike[str] | None = None,
        allow: str | os.PathLike[str] | None = None,
    ) -> "PatternSet":
        """The set in one or two files, a pattern a line, gzip or Zstandard undone; "-" is standard input.

        Raises OSError where one cannot be read, and `urlkey.readers.ReadError` where compressed data
        break off: half a list names half of what it should.
        """
        made = cls.__new__(cls)
        made._build(dialect, _file(block), _file(allow))
        return made

    def _build(self, dialect: str, block: Iterable[bytes], allow: Iterable[bytes]) -> None:
        builder = _native.PatternBuilder(dialect)
        kept = []
        for lines, is_allow in ((block, False), (allow, True)):
            packer = zlib.compressobj(1)
            packed = []
            for each in lines:
                builder.feed(each, is_allow)
                packed.append(packer.compress(each))
            kept.append(b"".join([*packed, packer.flush()]))
        self._lines = kept[0], kept[1]
        self._table, refused = builder.finish()
        self.errors = tuple(PatternError(*error) for error in refused)
        self.dialect = dialect

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (_FORM, self.dialect, *self._lines)

    def __copy__(self) -> "PatternSet":
        return self

    def __deepcopy__(self, memo: object) -> "PatternSet":
        return self

    @property
    def expressions(self) -> int:
        """How many of the patterns are matched as expressions."""
        return self._table.expressions

    def __len__(self) -> int:
        return len(self._table)

    def match(self, url: str | bytes) -> PatternMatch | None:
        """The pattern that decides about a URL; None where none names it.

        A URL without a scheme is taken for http. In "chrome" the most specific pattern decides, as
        Chrome has it, and at a tie the one that allows; a URL that is inside another, where Chrome
        looks for one, is blocked with it. Elsewhere a pattern that blocks goes before any that
        allows, and among these the more specific one is told.

        Raises UrlKeyError for what is no URL, and `host-missing` where a dialect other than "chrome"
        is asked about a URL without a host: such a text was not looked up.

        >>> found = PatternSet("chrome", ["youtube.com/watch?v=V1"]).match("https://youtube.com/watch?t=1&v=V1")
        >>> found.pattern, found.line, found.reason
        ('youtube.com/watch?v=V1', 1, 'the host or one below, its path, its query')
        """
        return self._table.find(url)

    @overload
    def match_many(self, urls: Iterable[str | bytes | None]) -> list[PatternMatch | None]: ...
    @overload
    def match_many(
        self, urls: Iterable[str | bytes | None], *, on_error: Literal["raise"]
    ) -> list[PatternMatch | None]: ...
    @overload
    def match_many(
        self, urls: Iterable[str | bytes | None], *, on_error: Literal["error"]
    ) -> list[PatternMatch | UrlKeyError | None]: ...
    def match_many(
        self, urls: Iterable[str | bytes | None], *, on_error: Literal["raise", "error"] = "raise"
    ) -> list[PatternMatch | None] | list[PatternMatch | UrlKeyError | None]:
        """The patterns that decide about many URLs, a row for each, in their order.

        `on_error`: "raise" raises the UrlKeyError of the first text that is no URL, "error" puts it
        in its row; so it is with None, a row without a URL: `no-url`. There is no "null": None means
        that no pattern names the URL.

        >>> listed = PatternSet("zscaler", [".example.com"])
        >>> [bool(found) for found in listed.match_many(["http://a.example.com/", "http://example.org/"])]
        [True, False]
        """
        if on_error == "error":
            return self._table.find_many(urls, errors=True)
        if on_error == "raise":
            return self._table.find_many(urls, errors=False)
        raise ValueError(f"on_error must be 'raise' or 'error', not {on_error!r}")


_FORM = 1
"""Version of what a pickle holds."""


def _unpickled(form: int, dialect: str, block: bytes, allow: bytes) -> PatternSet:
    if form != _FORM:
        raise ValueError(f"a pickled PatternSet of form {form}; this urlkey reads {_FORM}")
    made = PatternSet.__new__(PatternSet)
    made._build(dialect, [zlib.decompress(block)], [zlib.decompress(allow)])
    return made


def _blocks(lines: _Lines) -> Iterable[bytes]:
    if isinstance(lines, str | bytes):
        raise TypeError(f"the lines of a list must be an iterable of str or bytes, not {type(lines).__name__}")
    for line in lines:
        text = line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
        yield text.replace(b"\n", b" ") + b"\n"


def _file(path: str | os.PathLike[str] | None) -> Iterable[bytes]:
    if path is None:
        return
    from urlkey.readers import ReadError
    from urlkey.readers.blocks import Blocks
    from urlkey.readers.lines import without_bom

    with Blocks(os.fspath(path)) as blocks:
        yield from without_bom(blocks)
        if blocks.broken is not None:
            raise ReadError(f"{os.fspath(path)}: {blocks.broken}")
