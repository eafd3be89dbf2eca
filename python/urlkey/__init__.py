"""One canonical key for every spelling of a URL.

Request the href, compare the key. The public names, and nothing else: all of
them come from the Rust core, and importing them imports nothing heavy.

>>> import urlkey
>>> urlkey.key('HTTP://Example.com/?utm_source=x')
'http://example.com/'
"""

from urlkey._native import (
    ERROR_CODES,
    PROFILES,
    RUNGS,
    Base,
    Comparison,
    Explanation,
    Hop,
    Identity,
    IpClass,
    Policy,
    Step,
    Url,
    UrlKeyError,
    Violation,
    __version__,
    classify_ip,
    compare,
    digest,
    explain,
    href,
    identify,
    is_signed,
    join,
    key,
    keys,
    parse,
    unwrap,
)

__all__ = [
    "ERROR_CODES",
    "PROFILES",
    "RUNGS",
    "Base",
    "Comparison",
    "Explanation",
    "Hop",
    "Identity",
    "IpClass",
    "Policy",
    "Step",
    "Url",
    "UrlKeyError",
    "Violation",
    "__version__",
    "classify_ip",
    "compare",
    "digest",
    "explain",
    "href",
    "identify",
    "is_signed",
    "join",
    "key",
    "keys",
    "parse",
    "unwrap",
]
