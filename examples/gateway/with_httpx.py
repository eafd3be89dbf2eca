"""httpx: connections to the checked address, with the name in Host and in TLS."""

import ssl

import httpx
from gate import MOST_HOPS, Answer, Gate, TooManyHops, target


def get(url: str | bytes, gate: Gate = Gate(), ca_file: str | None = None) -> Answer:  # noqa: B008
    """What a URL answers. The check is made for each hop, and each hop has a connection of its own."""
    for _ in range(MOST_HOPS + 1):
        verdict = gate.pin(url)
        tls = ssl.create_default_context(cafile=ca_file)
        named = httpx.URL(verdict.href)
        request = httpx.Request(
            "GET",
            named.copy_with(host=verdict.addresses[0]),
            headers={"Host": named.netloc.decode("ascii")},
            extensions={"sni_hostname": verdict.host, "timeout": httpx.Timeout(10).as_dict()},
        )
        # A client would read Location itself; trust_env: a proxy would resolve the name again.
        with httpx.HTTPTransport(verify=tls, trust_env=False) as transport:
            answer = transport.handle_request(request)
            answer.read()
        location = answer.headers.get("Location", "").encode(answer.headers.encoding)
        following = target(verdict.href, answer.status_code, location)
        if following is None:
            return Answer(verdict.href, answer.status_code, answer.content)
        url = following
    raise TooManyHops(url)
