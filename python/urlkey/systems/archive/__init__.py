"""Web archives: SURT keys byte for byte as indexes hold them, ranges of an index,
Wayback and Memento URLs, keys of POST captures, CDX and CDXJ files.

The keys are those of the package `surt` 0.3.1 (pywb's), of webarchive-commons
or of Heritrix; what they lose is lost here too, because stored keys have lost it.

>>> from urlkey.systems import archive
>>> archive.surt("http://www.Example.com/A?b=1&a=2")
'com,example)/a?a=2&b=1'
"""

from urlkey._native import cdx_range, ssurt, surt, surts, unsurt
from urlkey.systems.archive.index import Kept, Rekeyed, lookup, rekey, sort_index
from urlkey.systems.archive.memento import (
    Link,
    Memento,
    http_date,
    memento,
    parse_links,
    timestamp_of,
)
from urlkey.systems.archive.posts import post_append
from urlkey.systems.archive.prefixes import ancestry, canonical, prefixes
from urlkey.systems.archive.sorting import sort_lines
from urlkey.systems.archive.wayback import MODIFIERS, Wayback, parse_wayback

__all__ = [
    "MODIFIERS",
    "Kept",
    "Link",
    "Memento",
    "Rekeyed",
    "Wayback",
    "ancestry",
    "canonical",
    "cdx_range",
    "http_date",
    "lookup",
    "memento",
    "parse_links",
    "parse_wayback",
    "post_append",
    "prefixes",
    "rekey",
    "sort_index",
    "sort_lines",
    "ssurt",
    "surt",
    "surts",
    "timestamp_of",
    "unsurt",
]
