"""aiohttp: a resolver that knows the checked addresses and nothing else."""

import asyncio
import socket
import ssl

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from gate import MOST_HOPS, Answer, Gate, TooManyHops, target
from yarl import URL

from urlkey.systems.gateway import Verdict


class _Pinned(AbstractResolver):
    """Answers with the addresses of one verdict, for its host alone."""

    def __init__(self, verdict: Verdict) -> None:
        self._verdict = verdict

    async def resolve(self, host: str, port: int = 0, family: int = 0) -> list[ResolveResult]:
        if host != self._verdict.host:
            raise OSError(f"{host} has not been checked")
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
            for address in self._verdict.addresses
        ]

    async def close(self) -> None:
        pass


async def get(url: str | bytes, gate: Gate = Gate(), ca_file: str | None = None) -> Answer:  # noqa: B008
    """What a URL answers. The check is made for each hop, and each hop has a connection of its own."""
    for _ in range(MOST_HOPS + 1):
        verdict = await asyncio.to_thread(gate.pin, url)
        tls = ssl.create_default_context(cafile=ca_file)
        connector = aiohttp.TCPConnector(resolver=_Pinned(verdict), use_dns_cache=False, ssl=tls)
        timeout = aiohttp.ClientTimeout(10)
        # trust_env is False by default: a proxy would resolve the name again.
        async with (
            aiohttp.ClientSession(connector=connector, timeout=timeout) as session,
            session.get(URL(verdict.href, encoded=True), allow_redirects=False) as answer,
        ):
            location = answer.headers.get("Location", "").encode("utf-8", "surrogateescape")
            following = target(verdict.href, answer.status, location)
            if following is None:
                return Answer(verdict.href, answer.status, await answer.read())
        url = following
    raise TooManyHops(url)
