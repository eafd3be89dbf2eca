"""What the three clients share: the check before each request, and what it hands on."""

import socket
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import urlkey
from urlkey.systems.gateway import Rules, Verdict

MOST_HOPS = 5
# Those that lead elsewhere by themselves (Fetch Standard, "redirect status"); 300, 304 and 305 do not.
REDIRECTS = frozenset({301, 302, 303, 307, 308})


class Refused(Exception):
    """A request that is not made; `verdict` says why."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__("; ".join(reason.text for reason in verdict.reasons))
        self.verdict = verdict


class TooManyHops(Exception):
    """More redirects than MOST_HOPS."""


class Answer(NamedTuple):
    """What came back, and from which URL at last."""

    url: str
    status: int
    body: bytes


def resolve(host: str, port: int) -> list[str]:
    """All addresses of a host, by the system's resolver; none where it has none."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return [str(row[4][0]) for row in found]


@dataclass(frozen=True)
class Gate:
    """The rules, and who resolves: tests give a resolver of their own."""

    rules: Rules = Rules()  # noqa: RUF009
    resolve: Callable[[str, int], Iterable[str]] = resolve

    def pin(self, url: str | bytes) -> Verdict:
        """The verdict on a URL, with the addresses to connect to; Refused where it must not be
        requested. Resolves once: what is checked here is what is connected to."""
        verdict = self.rules.check(url)
        if verdict and not verdict.addresses:
            verdict = self.rules.check_resolved(url, self.resolve(verdict.host or "", verdict.port or 0))
        if not verdict:
            raise Refused(verdict)
        return verdict


def target(href: str, status: int, location: bytes | None) -> str | bytes | None:
    """Where a redirect leads: read by one parser, and checked before anything else happens. `location` is the header
    as it came: what its bytes stand for, each client guesses in a way of its own."""
    if status not in REDIRECTS or not location:
        return None
    try:
        return urlkey.join(href, location)
    except urlkey.UrlKeyError:
        return location  # it is no URL, and is refused as such
