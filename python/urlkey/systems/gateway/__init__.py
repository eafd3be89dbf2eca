"""Security gateways: whether a request may be made to a URL, and with which text.

>>> from urlkey.systems import gateway
>>> gateway.check("HTTP://Shop.example:80/a/../b").href
'http://shop.example/b'
>>> verdict = gateway.check("http://shop.example\\\\@evil.example/")
>>> verdict.accepted, [reason.code for reason in verdict.reasons]
(False, ['backslash'])

Hand the href to the client, never the spelling. Nothing is resolved or requested: what a name
resolves to is for `check_resolved`, before each connection and again after each redirect.
"""

from urlkey.systems.gateway.check import (
    LONGEST,
    PORTS,
    REASONS,
    SCHEMES,
    Reason,
    Rules,
    Target,
    Verdict,
    check,
    check_many,
    check_resolved,
)
from urlkey.systems.gateway.homographs import Homograph, Homographs, homograph, skeleton
from urlkey.systems.gateway.patterns import DIALECTS, PatternError, PatternMatch, PatternSet, embedded_url

__all__ = [
    "DIALECTS",
    "LONGEST",
    "PORTS",
    "REASONS",
    "SCHEMES",
    "Homograph",
    "Homographs",
    "PatternError",
    "PatternMatch",
    "PatternSet",
    "Reason",
    "Rules",
    "Target",
    "Verdict",
    "check",
    "check_many",
    "check_resolved",
    "embedded_url",
    "homograph",
    "skeleton",
]
