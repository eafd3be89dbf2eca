"""`canonicalize_url` with the results of w3lib 2.5, of which Scrapy makes its request fingerprints: a crawl that moves
over keeps its state. It needs no w3lib. Must not know rungs or policies: this form is no key."""

import codecs
from operator import methodcaller
from urllib.parse import ParseResult, quote

from urlkey._native import w3lib_canonicalize

__all__ = ["canonicalize_url"]

_ESCAPED = "urlkey-escaped"


def _escape_undecodable(error: UnicodeError) -> tuple[str, int]:
    """The bytes that cannot be decoded, escaped; those of unreserved characters stay, which a codec such as UTF-7
    may refuse."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return quote(error.object[error.start : error.end], safe=""), error.end


codecs.register_error(_ESCAPED, _escape_undecodable)


def canonicalize_url(
    url: str | bytes | ParseResult,
    keep_blank_values: bool = True,
    keep_fragments: bool = False,
    encoding: str | None = None,
    *,
    query_separator: str = "&",
) -> str:
    """The form that `w3lib.url.canonicalize_url` (2.5) gives for a URL, to the byte: parameters decoded, sorted by name
    and value and encoded anew; escapes of the path that need not be decoded; dot segments resolved; host in lower case
    and IDNA 2003; no fragment.

    Takes the URL as str, bytes or `urllib.parse.ParseResult`; whether parameters without a value stay, and the
    fragment; the encoding of the page that holds the link (any text codec of Python), in which bytes are decoded and
    query and fragment are written, UTF-8 where it lacks a character; and what parts parameters. Raises what w3lib
    raises: ValueError (as UrlKeyError, with `code` and `at`) for a host in brackets that is no address, a port that is
    none, a host that hides a delimiter; UnicodeEncodeError for surrogates; LookupError for an unknown encoding.

    It is no key: default ports stay, values are sorted, `faß.example` is `fass.example`. Not every result is its own
    result. Linear in bytes, n log n in parameters.

    >>> canonicalize_url("http://www.example.com/do?c=3&b=5&b=2&a=50#top")
    'http://www.example.com/do?a=50&b=2&b=5&c=3'
    >>> canonicalize_url(b"http://example.com/caf\\xe9?q=\\xe9", encoding="latin1")
    'http://example.com/caf%C3%A9?q=%E9'
    """
    if type(url) is str and not encoding:
        # The road of nearly every call, without a call of `bool`.
        blank = keep_blank_values is True or bool(keep_blank_values)
        fragment = keep_fragments is not False and bool(keep_fragments)
        return w3lib_canonicalize(url, blank, fragment, query_separator, None)
    if isinstance(url, ParseResult):
        url = _joined(url)
    elif isinstance(url, bytes):
        url = url.decode(encoding or "utf-8", _ESCAPED)
    encode = methodcaller("encode", encoding) if encoding else None
    return w3lib_canonicalize(url, bool(keep_blank_values), bool(keep_fragments), query_separator, encode)


def _joined(parts: ParseResult) -> str:
    """The text that the parts are of. `geturl` is none of that: it adds slashes, by the version of Python."""
    scheme, netloc, path, params, query, fragment = parts
    if netloc:
        path = f"//{netloc}{'' if path[:1] in ('', '/') else '/'}{path}"
    elif path.startswith("//"):
        path = f"//{path}"
    scheme = scheme and f"{scheme}:"
    params = params and f";{params}"
    query = query and f"?{query}"
    fragment = fragment and f"#{fragment}"
    return f"{scheme}{path}{params}{query}{fragment}"
