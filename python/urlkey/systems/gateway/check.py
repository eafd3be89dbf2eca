"""Verdicts on URLs that somebody else has written: accepted with the text to request, or refused
with reasons. Must not know clients, and resolves nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address
from typing import Any

from urlkey._native import REFUSALS, GatewayRules, Reason, Target, Verdict

__all__ = [
    "LONGEST",
    "PORTS",
    "REASONS",
    "SCHEMES",
    "Reason",
    "Rules",
    "Target",
    "Verdict",
    "check",
    "check_many",
    "check_resolved",
]

SCHEMES = ("http", "https")
"""Schemes that are let through unless `schemes` says otherwise."""

PORTS = (80, 443)
"""Ports that are let through unless `ports` says otherwise."""

LONGEST = 8000
"""Bytes of the longest URL, as it is spelled and as it is serialized: what RFC 9110, section 4.1,
asks everybody to support."""

REASONS = {code: says for code, _, says in REFUSALS}
"""The codes of reasons, each with what it means. Those of spelling refuse in strict checks alone."""


@dataclass(frozen=True)
class Rules:
    """What is let through. The functions of this module take the same keywords; make this where
    many calls share them.

    `strict`: refuse spellings that parsers read differently, instead of repairing them as the URL
    Standard does. `schemes`: of http, https, ws, wss and ftp. `ports`: numbers, or None for all that
    the Fetch Standard does not block. `allow`: what is refused as private by default and is yours:
    addresses and networks ("10.1.0.0/16"), hosts ("intranet", "*.corp.example"). A host lets its name
    through, not what it resolves to. `longest`: in bytes. Raises ValueError for what none of these
    can be.

    >>> rules = Rules(ports=[443], allow=["*.corp.example", "10.1.0.0/16"])
    >>> rules.check("https://10.1.2.3/").accepted, rules.check("http://10.1.2.3/").reasons[0].code
    (True, 'port')
    """

    strict: bool = True
    schemes: Iterable[str] = SCHEMES
    ports: Iterable[int] | None = PORTS
    allow: Iterable[str] = ()
    longest: int = LONGEST

    def __post_init__(self) -> None:
        for name in ("schemes", "allow"):
            object.__setattr__(self, name, _texts(name, getattr(self, name)))
        ports = self.ports if self.ports is None else _ports(self.ports)
        object.__setattr__(self, "ports", ports)
        if self.longest < 1:
            raise ValueError(f"longest is {self.longest}; allowed: 1 and above")
        compiled = GatewayRules(self.strict, list(self.schemes), ports, list(self.allow), self.longest)
        object.__setattr__(self, "_compiled", compiled)

    def __reduce__(self) -> tuple[type[Rules], tuple[Any, ...]]:
        return Rules, (self.strict, self.schemes, self.ports, self.allow, self.longest)

    def check(self, url: str | bytes) -> Verdict:
        """The Verdict on a URL; see `urlkey.systems.gateway.check`."""
        return self._native.check(url)

    def check_many(self, urls: Iterable[str | bytes | None]) -> list[Verdict]:
        """A Verdict for each; see `urlkey.systems.gateway.check_many`."""
        return self._native.check_many(urls)

    def check_resolved(self, url: str | bytes, addresses: Iterable[str | IPv4Address | IPv6Address]) -> Verdict:
        """The Verdict on a resolved URL; see `urlkey.systems.gateway.check_resolved`."""
        return self._native.check_resolved(url, [str(address) for address in _texts("addresses", addresses)])

    @property
    def _native(self) -> GatewayRules:
        compiled: GatewayRules = self.__dict__["_compiled"]
        return compiled


def check(
    url: str | bytes,
    strict: bool = True,
    *,
    schemes: Iterable[str] = SCHEMES,
    ports: Iterable[int] | None = PORTS,
    allow: Iterable[str] = (),
    longest: int = LONGEST,
) -> Verdict:
    """Whether a URL may be requested: a Verdict, accepted with the href to request, or refused with
    every reason. No text raises.

    Refused, strict or not: other schemes and ports, hosts that are no public ones, addresses that
    are not globally reachable, with whatever is embedded in them, services of clouds, and known
    redirectors to any of these (`targets` has a verdict on each layer). Refused in strict checks: all
    spellings that parsers read differently. The keywords are those of `Rules`.

    >>> check("http://0x7f.1/").reasons[0].text
    'an IPv4 address that is not four decimal parts, which is a name to some parsers'
    >>> check("http:\\\\\\\\shop.example:/a b", strict=False).href
    'http://shop.example/a%20b'
    >>> [target.verdict.accepted for target in check("https://www.google.com/url?q=http://localhost/").targets]
    [False]
    """
    return _rules(strict, schemes, ports, allow, longest).check(url)


def check_many(
    urls: Iterable[str | bytes | None],
    strict: bool = True,
    *,
    schemes: Iterable[str] = SCHEMES,
    ports: Iterable[int] | None = PORTS,
    allow: Iterable[str] = (),
    longest: int = LONGEST,
) -> list[Verdict]:
    """`check` of each URL: a list with one Verdict for each row, in their order. None is refused as
    `no-url`.

    >>> [verdict.href for verdict in check_many(["http://a.example", None, "http://[::1]/"])]
    ['http://a.example/', None, None]
    """
    return _rules(strict, schemes, ports, allow, longest).check_many(urls)


def check_resolved(
    url: str | bytes,
    addresses: Iterable[str | IPv4Address | IPv6Address],
    strict: bool = True,
    *,
    schemes: Iterable[str] = SCHEMES,
    ports: Iterable[int] | None = PORTS,
    allow: Iterable[str] = (),
    longest: int = LONGEST,
) -> Verdict:
    """`check` for whoever has resolved the host: a Verdict, refused where any of the addresses is.

    `addresses` are all that the resolver gave. What is accepted has them in `addresses`, each once:
    connect to these and to no others, with the name in the header Host and in TLS, and ask again at
    each redirect. A host that is an address resolves to itself.

    >>> verdict = check_resolved("https://shop.example/", ["9.9.9.9", "169.254.169.254"])
    >>> verdict.accepted, verdict.reasons[0].code, verdict.reasons[0].text[:47]
    (False, 'resolved-address', "169.254.169.254 is a cloud's: instance metadata")
    >>> check_resolved("https://shop.example/", ["9.9.9.9"]).addresses
    ('9.9.9.9',)
    """
    return _rules(strict, schemes, ports, allow, longest).check_resolved(url, addresses)


def _rules(
    strict: bool, schemes: Iterable[str], ports: Iterable[int] | None, allow: Iterable[str], longest: int
) -> Rules:
    ports = ports if ports is None else _ports(ports)
    return _made(strict, _texts("schemes", schemes), ports, _texts("allow", allow), longest)


@lru_cache(maxsize=64)
def _made(
    strict: bool, schemes: tuple[str, ...], ports: tuple[int, ...] | None, allow: tuple[str, ...], longest: int
) -> Rules:
    return Rules(strict, schemes, ports, allow, longest)


def _texts(name: str, given: Iterable[Any]) -> tuple[Any, ...]:
    if isinstance(given, str | bytes):
        raise TypeError(f"{name} must be a list, not a {type(given).__name__}")
    return tuple(given)


def _ports(given: Iterable[int]) -> tuple[int, ...]:
    ports = tuple(given)
    for port in ports:
        if isinstance(port, bool) or not isinstance(port, int) or not 0 < port < 65536:
            raise ValueError(f"port {port!r} cannot be allowed; allowed: 1 to 65535")
    return ports
