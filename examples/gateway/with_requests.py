"""requests: connections to the checked address, with the name in Host and in TLS."""

from typing import Any

import requests
from gate import MOST_HOPS, Answer, Gate, TooManyHops, target
from requests.adapters import HTTPAdapter

from urlkey.systems.gateway import Verdict


class _PinnedAdapter(HTTPAdapter):
    """Connects to the first address of one verdict, whatever the URL's host resolves to by now."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__()
        self._verdict = verdict

    def build_connection_pool_key_attributes(self, request: Any, verify: Any, cert: Any = None) -> Any:
        where, how = super().build_connection_pool_key_attributes(request, verify, cert)
        where["host"], where["port"] = self._verdict.addresses[0], self._verdict.port
        if where["scheme"] == "https":
            how["server_hostname"] = how["assert_hostname"] = self._verdict.host
        return where, how


class _Session(requests.Session):
    """Reads no Location, as requests would to see what comes next: that is for the gate alone."""

    def get_redirect_target(self, resp: requests.Response) -> None:
        return None


def get(url: str | bytes, gate: Gate = Gate(), ca_file: str | None = None) -> Answer:  # noqa: B008
    """What a URL answers. The check is made for each hop, and each hop has a connection of its own."""
    for _ in range(MOST_HOPS + 1):
        verdict = gate.pin(url)
        with _Session() as session:
            session.trust_env = False  # a proxy would resolve the name again
            session.mount(f"{verdict.href.partition(':')[0]}://", _PinnedAdapter(verdict))
            host = verdict.href.split("/")[2]
            answer = session.get(
                verdict.href, headers={"Host": host}, allow_redirects=False, verify=ca_file or True, timeout=10
            )
        # http.client has read the header as Latin-1, a character for a byte.
        location = answer.headers.get("Location", "").encode("latin-1")
        following = target(verdict.href, answer.status_code, location)
        if following is None:
            return Answer(verdict.href, answer.status_code, answer.content)
        url = following
    raise TooManyHops(url)
