"""Coarser SURTs of a URL, and the URL that a key is made of. Thin over the core."""

from collections.abc import Iterator
from typing import Literal, TypeVar

from urlkey._native import surt, surt_prefix_ends

_AnyText = TypeVar("_AnyText", str, bytes)

__all__ = ["ancestry", "canonical", "prefixes"]


def prefixes(url: _AnyText) -> Iterator[_AnyText]:
    """The SURT of a URL in Heritrix's form and all coarser ones, the most specific first.

    `url` is a URL, or a SURT that begins with `(`. `http://` and the fragment are left out, as in SURT prefix
    files. Made one by one: together the prefixes of a path of n slashes have n * n characters.

    >>> from urlkey.systems import archive
    >>> list(archive.prefixes("http://archive.org/a?b"))
    ['(org,archive,)/a?b', '(org,archive,)/a', '(org,archive,)/', '(org,archive', '(org']
    """
    return _cut(url, ancestry=False)


def ancestry(url: _AnyText) -> Iterator[_AnyText]:
    """The SURT of a URL as it stands and all coarser ones, as urlcanon gives them, the most specific first.

    >>> from urlkey.systems import archive
    >>> list(archive.ancestry("http://example.com/a"))
    ['http://(com,example,)/a', 'http://(com,example,)', 'http://(com,example,', 'http://(com,', 'http://(']
    """
    return _cut(url, ancestry=True)


def _cut(url: _AnyText, *, ancestry: bool) -> Iterator[_AnyText]:
    whole, ends = surt_prefix_ends(url, ancestry)
    for end in ends:
        yield whole[:end] if isinstance(url, bytes) else whole[:end].decode()


def canonical(
    url: _AnyText,
    rules: Literal["aggressive", "ordinary", "basic"] = "aggressive",
    flavor: Literal["python", "java"] = "python",
) -> _AnyText:
    """The URL that a key is made of, before its labels are turned.

    `rules`: 'aggressive', those of keys; 'ordinary', lower case of the host, no default port and no empty query;
    'basic', neither: Safe Browsing's canonical URL of 2009, with its port.

    >>> from urlkey.systems import archive
    >>> for rules in ("aggressive", "ordinary", "basic"):
    ...     print(archive.canonical("http://www.Example.com:80/a/../B/?", rules))
    http://example.com/b
    http://www.example.com/B/
    http://www.example.com:80/B/?
    """
    ordinary = rules != "aggressive"
    basic = rules == "basic"
    return surt(
        url,
        flavor,
        surt=False,
        with_scheme=True,
        host_lowercase=not basic,
        port_strip_default=not basic,
        query_strip_empty=not basic,
        host_massage=not ordinary,
        path_lowercase=not ordinary,
        path_strip_session_id=not ordinary,
        path_strip_trailing_slash_unless_empty=not ordinary,
        query_lowercase=not ordinary,
        query_strip_session_id=not ordinary,
        query_alpha_reorder=not ordinary,
    )
