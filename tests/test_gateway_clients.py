"""examples/gateway against real servers on loopback: rebinding, redirects, each parser trick.

127.0.0.2 stands for the internet and is let through by name; 127.0.0.1 is what must not be reached.
"""

import asyncio
import re
import ssl
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import requests
import trustme

import suites
from destinations import watched
from loopback import INTERNAL, PUBLIC, Server, servers
from urlkey.systems.gateway import Rules

EXAMPLES = Path(__file__).parents[1] / "examples" / "gateway"
sys.path.insert(0, str(EXAMPLES))

import gate as shared  # noqa: E402
import with_aiohttp  # noqa: E402
import with_httpx  # noqa: E402
import with_requests  # noqa: E402

TRICKS = [row["url"] for row in suites.own("ssrf_differentials.jsonl") + suites.own("gateway.jsonl")]


def _aiohttp(url: str, *arguments: Any) -> shared.Answer:
    return asyncio.run(with_aiohttp.get(url, *arguments))


@pytest.fixture(params=[with_requests.get, with_httpx.get, _aiohttp], ids=["requests", "httpx", "aiohttp"])
def get(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture
def net() -> Iterator[tuple[Server, Server, int]]:
    with servers() as found:
        yield found


class Resolver:
    """Names and the answers that they give in turn; the last one for ever."""

    def __init__(self, **names: list[list[str]]) -> None:
        self._names = {name.replace("_", "."): answers for name, answers in names.items()}
        self.asked: list[str] = []

    def __call__(self, host: str, port: int) -> list[str]:
        self.asked.append(host)
        answers = self._names.get(host, [[]])
        return answers.pop(0) if len(answers) > 1 else answers[0]


def gate(port: int, **names: list[list[str]]) -> shared.Gate:
    """Rules that let the public server through, at its port, and a resolver that knows these names."""
    names = {"good_example": [[PUBLIC]], "evil_example": [[INTERNAL]], **names}
    return shared.Gate(Rules(ports=[port], allow=[PUBLIC]), Resolver(**names))


def test_an_accepted_url_is_requested_at_the_checked_address_under_its_name(get, net):
    public, internal, port = net
    answer = get(f"http://good.example:{port}/a?b", gate(port))
    assert answer == (f"http://good.example:{port}/a?b", 200, b"at 127.0.0.2")
    assert (public.hosts, internal.hosts) == ([f"good.example:{port}"], [])


def test_the_defaults_let_no_test_server_through(get, net):
    public, internal, port = net
    for url in (f"http://{PUBLIC}:{port}/", f"http://localhost:{port}/"):
        with pytest.raises(shared.Refused):
            get(url)
    assert (public.hosts, internal.hosts) == ([], [])


def test_a_name_that_flips_is_never_followed(get, net):
    """DNS rebinding: public when it is checked, internal when it is connected to."""
    public, internal, port = net
    flipping = gate(port, good_example=[[PUBLIC], [INTERNAL]])
    assert get(f"http://good.example:{port}/", flipping).body == b"at 127.0.0.2"
    with pytest.raises(shared.Refused, match=r"127\.0\.0\.1 is in 127\.0\.0\.0/8"):
        get(f"http://good.example:{port}/", flipping)
    assert (len(public.hosts), internal.hosts) == (1, [])


def test_a_name_that_flips_between_hops_is_refused(get, net):
    _, internal, port = net
    flipping = gate(port, good_example=[[PUBLIC], [INTERNAL]])
    with pytest.raises(shared.Refused):
        get(f"http://good.example:{port}/to?/next", flipping)
    assert internal.hosts == []


@pytest.mark.parametrize("answers", [[PUBLIC, INTERNAL], [INTERNAL, PUBLIC], [PUBLIC, "::1"], [], ["fe80::1%lo"]])
def test_a_name_with_one_bad_address_is_refused(get, net, answers):
    public, internal, port = net
    with pytest.raises(shared.Refused):
        get(f"http://good.example:{port}/", gate(port, good_example=[answers]))
    assert (public.hosts, internal.hosts) == ([], [])


REDIRECTS = [
    "http://127.0.0.1:{port}/",
    "http://localhost:{port}/",
    "http://evil.example:{port}/",
    "//127.0.0.1:{port}/",
    "//0x7f.1:{port}/",
    "http:\\\\127.0.0.1:{port}\\",
    "\\\\127.0.0.1:{port}/",
    "/\\127.0.0.1:{port}/",
    "http://2130706433:{port}/",
    "http://127.1:{port}/",
    "http://[::1]:{port}/",
    "http://[::ffff:127.0.0.1]:{port}/",
    "http://127.0.0.1.:{port}/",
    "http://127%2e0.0.1:{port}/",
    "http://good.example:{port}@127.0.0.1:{port}/",
    "http://127.0.0.1:{port}\\@good.example:{port}/",
    "http://127.0.0.1:{port}?@good.example:{port}/",
    "http://127.0.0.1:{port}#@good.example:{port}/",
    "http://good.example@127.0.0.1:{port}",
    "http://\xef\xbc\x91\xef\xbc\x92\xef\xbc\x97.0.0.1:{port}/",
    "http://127.0.0.1.nip.io:{port}/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/latest/meta-data/",
    "http://metadata.google.internal/computeMetadata/v1/",
    "http://good.example:1/",
    "gopher://127.0.0.1:{port}/_x",
    "file:///etc/passwd",
    "ftp://127.0.0.1:{port}/",
    "http://",
]


@pytest.mark.parametrize("location", REDIRECTS)
def test_a_redirect_is_checked_like_the_first_url(get, net, location):
    public, internal, port = net
    leads = quote(location.format(port=port), safe="", encoding="latin-1")
    with pytest.raises(shared.Refused):
        get(f"http://good.example:{port}/to?{leads}", gate(port))
    assert (len(public.hosts), internal.hosts) == (1, [])


def test_good_redirects_are_followed(get, net):
    public, _, port = net
    second = quote(f"http://second.example:{port}/to?/last", safe="")
    answer = get(f"http://good.example:{port}/to?{second}", gate(port, second_example=[[PUBLIC]]))
    assert answer == (f"http://second.example:{port}/last", 200, b"at 127.0.0.2")
    assert public.hosts == [f"good.example:{port}"] + [f"second.example:{port}"] * 2


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_the_five_redirects_are_followed(get, net, status):
    _, _, port = net
    assert get(f"http://good.example:{port}/{status}/to?/last", gate(port)).url == f"http://good.example:{port}/last"


@pytest.mark.parametrize("status", [200, 201, 300, 304, 305, 306, 399, 404, 503])
def test_no_other_status_is_a_redirect(get, net, status):
    public, _, port = net
    assert get(f"http://good.example:{port}/{status}/to?/last", gate(port)).status == status
    assert len(public.hosts) == 1


@pytest.mark.parametrize(
    "location", ["http://second.example:{port}/\xe9\xff", "http://[::1/", "http://\xff/", "\xe9", "//"]
)
def test_a_location_of_any_bytes_is_answered_or_refused_alike(get, net, location):
    """Bytes that are no UTF-8 where a URL can hold them as escapes, and where it cannot."""
    public, _, port = net
    leads = quote(location.format(port=port), safe="", encoding="latin-1")
    here = f"http://good.example:{port}/to?{leads}"
    led = {
        "http://second.example:{port}/\xe9\xff": f"http://second.example:{port}/%E9%FF",
        "\xe9": f"http://good.example:{port}/%E9",
    }.get(location)
    if led is None:
        with pytest.raises(shared.Refused):
            get(here, gate(port))
        assert len(public.hosts) == 1
    else:
        assert get(here, gate(port, second_example=[[PUBLIC]])) == (led, 200, b"at 127.0.0.2")


def test_a_scheme_without_slashes_is_relative_to_its_own(get, net):
    """By the URL Standard; others take it for another host. What reads it here is what checks it."""
    _, internal, port = net
    leads = quote(f"http:127.0.0.1:{port}/", safe="")
    assert (
        get(f"http://good.example:{port}/to?{leads}", gate(port)).url == f"http://good.example:{port}/127.0.0.1:{port}/"
    )
    assert internal.hosts == []


def test_redirects_end(get, net):
    public, _, port = net
    loop = f"http://good.example:{port}/to?"
    for _ in range(12):
        loop = f"http://good.example:{port}/to?{quote(loop, safe='')}"
    with pytest.raises(shared.TooManyHops):
        get(loop, gate(port))
    assert len(public.hosts) == shared.MOST_HOPS + 1


def test_proxies_of_the_environment_are_not_asked(get, net, monkeypatch):
    _, internal, port = net
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://{INTERNAL}:{port}")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    assert get(f"http://good.example:{port}/", gate(port)).body == b"at 127.0.0.2"
    assert internal.hosts == []


@pytest.mark.parametrize("trick", TRICKS, ids=repr)
def test_a_parser_trick_connects_to_nothing_or_to_the_checked_address(get, trick):
    """No server: what a client would connect to is watched, and refused."""
    names = Resolver(good_example=[["9.9.9.9"]], evil_example=[[INTERNAL]])
    anything = shared.Gate(Rules(), lambda host, port: names(host, port) or ["149.112.112.112"])
    with watched() as seen, pytest.raises(Exception) as raised:  # noqa: PT011
        get(trick, anything)
    checked = anything.rules.check(trick)
    if not checked or checked.host == "evil.example":
        assert (raised.type, seen) == (shared.Refused, [])
    else:
        pinned = (*checked.addresses, "9.9.9.9") if checked.host == "good.example" else checked.addresses
        assert {reached.host for reached in seen} <= {*pinned, "149.112.112.112"}
        assert seen


def test_tls_is_for_the_name_and_not_for_the_address(get, tmp_path):
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("good.example").configure_cert(tls)
    with servers(tls) as (public, _, port):
        answer = get(f"https://good.example:{port}/", gate(port), str(tmp_path / "ca.pem"))
        assert answer.body == b"at 127.0.0.2"
        assert (public.hosts, public.names) == ([f"good.example:{port}"], ["good.example"])
        with pytest.raises(Exception, match=r"(?i)certificate|hostname") as raised:
            get(f"https://other.example:{port}/", gate(port, other_example=[[PUBLIC]]), str(tmp_path / "ca.pem"))
        assert raised.type is not shared.Refused
        assert len(public.hosts) == 1


def test_the_code_in_the_docs_is_the_code_of_the_examples():
    page = (EXAMPLES.parents[1] / "docs" / "gateway.md").read_text(encoding="utf-8")
    code = "".join(path.read_text(encoding="utf-8") for path in EXAMPLES.glob("*.py"))
    blocks = re.findall(r"^```py\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 4
    for block in blocks:
        assert block in code + "\n"


def test_a_client_without_a_gate_is_led_astray(net):
    """What the tests above refuse does reach the internal server otherwise."""
    _, internal, port = net
    leads = quote(f"http://0x7f.1:{port}/", safe="")
    assert requests.get(f"http://{PUBLIC}:{port}/to?{leads}", timeout=10).content == b"at 127.0.0.1"
    assert len(internal.hosts) == 1
