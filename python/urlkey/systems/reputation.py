"""URL reputation: the forms that lists of bad URLs are made of, and indicators
broken and live.

>>> from urlkey.systems import reputation
>>> reputation.canonical("http://www.GOOgle.com:80/a/../%2541#top")
'http://www.google.com/A'

These are forms of the bytes as given: any bytes that name a host have one, also those that are
no URL under the URL Standard. What they leave out is in docs/reputation.md.
"""

from base64 import urlsafe_b64encode
from typing import Literal, TypeAlias

from urlkey import _native

Version: TypeAlias = Literal["v4", "v5"]

__all__ = [
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

    `refang(defang(url)) == url` for every text that is not broken itself; what is, or has no
    host to break, comes back as it is.

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
