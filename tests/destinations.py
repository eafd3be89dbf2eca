"""Where Python's HTTP clients would connect to for a URL, and what parsers take for its host. The
clients run whole; resolver and sockets are theirs up to the last call, which is watched and refused:
nothing leaves the process."""

import asyncio
import socket
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import version
from typing import Any, NamedTuple

import aiohttp
import httpx
import requests
import urllib3
import yarl

_getaddrinfo = socket.getaddrinfo


class Reached(NamedTuple):
    """What a client asked the resolver for, or connected to; without a host, the error it raised."""

    host: str | None
    port: int | None
    error: str | None = None


@contextmanager
def watched() -> Iterator[list[Reached]]:
    """What is asked of the resolver, or connected to, inside; neither is done."""
    seen: list[Reached] = []

    def getaddrinfo(host: Any, port: Any, family: int = 0, type: int = 0, proto: int = 0, flags: int = 0) -> Any:
        try:
            return _getaddrinfo(host, port, family, type, proto, flags | socket.AI_NUMERICHOST)
        except socket.gaierror:
            name = host if isinstance(host, bytes) else host.encode("idna")
            seen.append(Reached(name.decode("latin-1").lower(), int(port)))
            raise

    def connect(self: socket.socket, address: Any) -> None:
        seen.append(Reached(address[0], address[1]))
        raise ConnectionRefusedError("nothing leaves the tests")

    kept = socket.getaddrinfo
    socket.getaddrinfo, socket.socket.connect = getaddrinfo, connect  # type: ignore[assignment,method-assign]
    try:
        yield seen
    finally:
        socket.getaddrinfo = kept
        del socket.socket.connect  # type: ignore[attr-defined]


_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
_requests = requests.Session()
_requests.trust_env = False
_httpx = httpx.Client(trust_env=False, timeout=5)
_loop = asyncio.new_event_loop()


async def _aiohttp(url: str) -> None:
    connector = aiohttp.TCPConnector(resolver=aiohttp.ThreadedResolver(), use_dns_cache=False)
    async with aiohttp.ClientSession(connector=connector) as session:
        await session.get(url)


CLIENTS: dict[str, Callable[[str], object]] = {
    "urllib": lambda url: _opener.open(url, timeout=5),
    "requests": lambda url: _requests.get(url, timeout=5),
    "httpx": _httpx.get,
    "aiohttp": lambda url: _loop.run_until_complete(_aiohttp(url)),
}
"""Each as its documentation begins: one call with a URL."""


def versions() -> dict[str, str]:
    """The versions that `reached` and `read` speak of."""
    names = ["requests", "urllib3", "httpx", "httpcore", "aiohttp", "yarl", "idna"]
    return {name: version(name) for name in names}


def reached(client: str, url: str) -> Reached:
    """Where a client would connect to first."""
    with watched() as seen:
        try:
            CLIENTS[client](url)
        except Exception as error:  # whatever a client raises, it connects to nothing
            found = error
        else:
            raise AssertionError(f"{client} got an answer from {url!r}")
    return seen[0] if seen else Reached(None, None, type(found).__name__)


def _urllib(url: str) -> tuple[str | None, int | None]:
    parts = urllib.parse.urlsplit(url)
    return parts.hostname, parts.port


def _urllib3(url: str) -> tuple[str | None, int | None]:
    found = urllib3.util.parse_url(url)
    return found.host, found.port


def _of_httpx(url: str) -> tuple[str | None, int | None]:
    found = httpx.URL(url)
    return found.raw_host.decode(), found.port


def _yarl(url: str) -> tuple[str | None, int | None]:
    found = yarl.URL(url)
    return found.raw_host, found.explicit_port


PARSERS: dict[str, Callable[[str], tuple[str | None, int | None]]] = {
    "urllib.parse": _urllib,
    "urllib3": _urllib3,
    "httpx.URL": _of_httpx,
    "yarl": _yarl,
}


def _with_ada() -> None:
    """The parsers of browsers, where they are installed."""
    try:
        can_ada: Any = import_module("can_ada")
    except ImportError:
        pass
    else:

        def of_can_ada(url: str) -> tuple[str | None, int | None]:
            found = can_ada.parse(url)
            return found.hostname, int(found.port) if found.port else None

        PARSERS["can_ada"] = of_can_ada
    try:
        ada_url: Any = import_module("ada_url")
    except ImportError:
        return

    def of_ada(url: str) -> tuple[str | None, int | None]:
        found = ada_url.URL(url)
        return found.hostname, int(found.port) if found.port else None

    PARSERS["ada-url"] = of_ada


_with_ada()


def read(parser: str, url: str) -> Reached:
    """What a parser takes for host and port, with the host as a resolver would be asked for it."""
    try:
        host, port = PARSERS[parser](url)
        if not host:
            return Reached(None, None, "no host")
        return Reached(dialled(host), port or (443 if url[:6].lower() == "https:" else 80))
    except Exception as error:  # whatever a parser raises, it gives no host
        return Reached(None, None, type(error).__name__)


def dialled(host: str) -> str:
    """What a host leads to: an address, or the name that is asked for, without the root's dot."""
    host = host.strip("[]")
    try:
        return str(_getaddrinfo(host, 80, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)[0][4][0])
    except socket.gaierror:
        return host.encode("idna").decode("ascii").lower().removesuffix(".")
