"""Keys in Scrapy: an add-on, and its parts.

    ADDONS = {"urlkey.scrapy.Addon": 500}

The URL that a page spells is requested; keys are compared. See docs/crawling.md. Needs `pip install 'urlkey[scrapy]'`.
"""

from urlkey.scrapy.addon import Addon
from urlkey.scrapy.dupefilter import KeyDupeFilter
from urlkey.scrapy.evidence import AliasMiddleware, PageMiddleware, RedirectMiddleware
from urlkey.scrapy.fingerprints import KeyFingerprinter, fingerprint
from urlkey.scrapy.links import KeyLinkExtractor
from urlkey.scrapy.robots import RobotsGate, RobotsGateEnd
from urlkey.scrapy.scheduler import KeyScheduler
from urlkey.scrapy.spidermiddleware import SpellingMiddleware, TrapMiddleware

__all__ = [
    "Addon",
    "AliasMiddleware",
    "KeyDupeFilter",
    "KeyFingerprinter",
    "KeyLinkExtractor",
    "KeyScheduler",
    "PageMiddleware",
    "RedirectMiddleware",
    "RobotsGate",
    "RobotsGateEnd",
    "SpellingMiddleware",
    "TrapMiddleware",
    "fingerprint",
]
