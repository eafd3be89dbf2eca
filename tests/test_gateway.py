"""urlkey.systems.gateway: verdicts, what is let through, resolved addresses; and the command."""

import ipaddress
import json
import pickle
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command import urlkey as command
from urlkey._native import REFUSALS
from urlkey.systems import gateway

DOCS = Path(__file__).parents[1] / "docs"


def codes(url, strict=True, **options) -> list[str]:
    return [reason.code for reason in gateway.check(url, strict, **options).reasons]


def test_an_accepted_url_comes_with_what_to_request_and_where():
    verdict = gateway.check("HTTP://Shop.Example:80/a/../b#c")
    assert verdict
    assert (verdict.href, verdict.host, verdict.port) == ("http://shop.example/b#c", "shop.example", 80)
    assert (verdict.addresses, verdict.reasons, verdict.targets) == ((), (), ())
    literal = gateway.check("https://[2620:fe::fe]/")
    assert (literal.host, literal.port, literal.addresses) == ("2620:fe::fe", 443, ("2620:fe::fe",))


def test_a_refused_url_comes_with_nothing_to_request():
    for url in ("http://u@shop.example/", "http://127.0.0.1/", "ftp://shop.example/", "x"):
        verdict = gateway.check(url)
        assert not verdict
        assert (verdict.href, verdict.host, verdict.port, verdict.addresses) == (None, None, None, ())


def test_reasons_say_where():
    reason = gateway.check("http://é.shop.example:080/").reasons[0]
    assert (reason.code, reason.at, reason.part) == ("port-leading-zero", 23, "port")
    assert gateway.check(b"http://shop.example/\xff\\").reasons[0].at == 20


@pytest.mark.parametrize("url", ["\ud800", "http://a\udfff.example/", b"\xff", "", " ", None])
def test_what_no_url_can_be_is_refused_and_raises_nothing(url):
    for strict in (True, False):
        assert not gateway.check_many([url], strict)[0]


def test_other_types_are_type_errors():
    for wrong in (3, ["http://a.example/"]):
        with pytest.raises(TypeError, match="str or bytes"):
            gateway.check(wrong)
    with pytest.raises(TypeError, match="iterable of URLs"):
        gateway.check_many("http://a.example/")
    with pytest.raises(TypeError, match="must be a list"):
        gateway.check_resolved("http://a.example/", "9.9.9.9")
    with pytest.raises(TypeError, match="must be a list"):
        gateway.Rules(allow="localhost")


def test_batches_have_a_verdict_for_each_row():
    urls = ["http://a.example/", None, "\ud800", b"http://b.example", "http://localhost/"] * 2000
    found = gateway.check_many(iter(urls))
    assert [verdict.href for verdict in found] == ["http://a.example/", None, None, "http://b.example/", None] * 2000
    assert found[1].reasons[0].text == "the row is null"
    assert found[:1] + found[3:4] == [gateway.check(urls[0]), gateway.check(urls[3])]


# What is let through


def test_schemes_are_let_through_by_name():
    assert codes("wss://shop.example/", schemes=["wss"]) == []
    assert codes("http://shop.example/", schemes=["https"]) == ["scheme"]
    assert codes("ftp://shop.example/", schemes=["ftp"]) == ["port"]
    assert codes("ftp://shop.example/", schemes=["ftp"], ports=[21]) == []
    for scheme in ("file", "gopher", "HTTP", ""):
        with pytest.raises(ValueError, match="cannot be allowed; allowed: http, https"):
            gateway.check("http://a.example/", schemes=[scheme])


def test_ports_are_let_through_by_number():
    assert codes("http://shop.example:8080/") == ["port"]
    assert codes("http://shop.example:8080/", ports=[8080]) == []
    assert codes("http://shop.example/", ports=[8080]) == ["port"]
    assert codes("http://shop.example:6379/", ports=[6379]) == []
    assert codes("http://shop.example:9200/", ports=None) == []
    for port in (0, 22, 25, 587, 6667):
        assert codes(f"http://shop.example:{port}/", ports=None) == ["port"]
    for port in (0, -1, 65536, "80", 80.5, True):
        with pytest.raises(ValueError, match="allowed: 1 to 65535"):
            gateway.Rules(ports=[port])


def test_ones_own_network_is_let_through_by_name_and_by_address_apart():
    rules = gateway.Rules(allow=["intranet", "*.corp.example", "10.1.0.0/16", "fd00::/8"])
    for url in ("http://intranet/", "http://10.1.2.3/", "http://[fd12::1]/", "http://corp.example/"):
        assert rules.check(url), url
    for url in ("http://other/", "http://10.2.0.1/", "http://[::ffff:10.1.2.3]/", "http://0xa.1.2.3/"):
        assert not rules.check(url), url
    assert not rules.check_resolved("http://intranet/", ["10.2.0.1"])
    assert rules.check_resolved("http://intranet/", ["10.1.0.1"]).addresses == ("10.1.0.1",)
    for wrong in ("*", "10.0.0.1/8", "http://intranet/", "a b", ""):
        with pytest.raises(ValueError, match=r"none of 10\.1\.2\.3|beyond its length"):
            gateway.Rules(allow=[wrong])


def test_the_limit_is_in_bytes_of_spelling_and_href():
    assert codes("http://a.example/" + "x" * 8000) == ["too-long"]
    assert codes("http://a.example/" + "é" * 40, longest=200) == ["too-long"]
    assert codes("http://a.example/" + "é" * 40, longest=300) == []


def test_rules_are_values():
    rules = gateway.Rules(False, ports=[443], allow=["intranet"])
    assert pickle.loads(pickle.dumps(rules)) == rules == gateway.Rules(False, ports=(443,), allow=("intranet",))
    assert pickle.loads(pickle.dumps(rules)).check("https://intranet/")
    assert hash(rules) == hash(gateway.Rules(False, ports=(443,), allow=("intranet",)))
    assert "intranet" in repr(rules)
    verdict = gateway.check("https://www.google.com/url?q=http://localhost/")
    assert pickle.loads(pickle.dumps(verdict)) == verdict


# Resolved addresses


def test_every_address_is_checked_and_each_refused_one_is_named():
    verdict = gateway.check_resolved("https://shop.example/", ["9.9.9.9", "10.0.0.1", "169.254.169.254", "::1"])
    assert [reason.text.split()[0] for reason in verdict.reasons] == ["10.0.0.1", "169.254.169.254", "::1"]
    assert {reason.code for reason in verdict.reasons} == {"resolved-address"}
    assert verdict.addresses == ()


def test_accepted_addresses_are_pinned_once_each_in_their_order():
    given_ = ["2620:fe:0::fe", ipaddress.ip_address("9.9.9.9"), "9.9.9.9", "2620:fe::fe"]
    assert gateway.check_resolved("https://shop.example/", given_).addresses == ("2620:fe::fe", "9.9.9.9")


@pytest.mark.parametrize(
    ("url", "addresses", "wanted"),
    [
        ("http://shop.example/", [], ["no-address"]),
        ("http://shop.example/", ["fe80::1%eth0"], ["not-an-address"]),
        ("http://shop.example/", ["localhost", "127.1"], ["not-an-address", "not-an-address"]),
        ("http://shop.example/", ["::ffff:9.9.9.9"], ["resolved-address"]),
        ("http://shop.example/", ["64:ff9b::a9fe:a9fe"], ["resolved-address"]),
        ("http://shop.example/", ["224.0.0.1", "0.0.0.0", "168.63.129.16"], ["resolved-address"] * 3),
        ("http://9.9.9.9/", ["9.9.9.9"], []),
        ("http://9.9.9.9/", ["149.112.112.112"], ["other-address"]),
        ("http://u@shop.example/", ["9.9.9.9"], ["userinfo"]),
    ],
)
def test_what_a_host_may_not_resolve_to_has_its_code(url, addresses, wanted):
    assert [reason.code for reason in gateway.check_resolved(url, addresses).reasons] == wanted


# Redirectors


def wrapped(url: str, layers: int = 1) -> str:
    for _ in range(layers):
        url = f"https://www.google.com/url?q={quote(url, safe='')}"
    return url


def test_a_redirector_has_a_verdict_for_itself_and_for_each_layer():
    verdict = gateway.check(wrapped("http://0x7f.1/", 2))
    assert [(target.rule, target.verdict.accepted) for target in verdict.targets] == [
        ("google-url", True),
        ("google-url", False),
    ]
    assert [reason.code for reason in verdict.reasons] == ["redirect-target"]
    assert verdict.targets[1].verdict == gateway.check("http://0x7f.1/")
    assert gateway.check(wrapped("https://shop.example/")).targets[0].verdict.href == "https://shop.example/"


def test_layers_without_an_end_are_refused():
    assert "redirector-loop" in codes(wrapped("https://shop.example/", 7))


def test_what_an_archive_shows_speaks_against_nothing():
    verdict = gateway.check("https://web.archive.org/web/2020/http://localhost/")
    assert verdict
    assert not verdict.targets[0].verdict


# Properties


@given(st.text(max_size=60), st.booleans())
def test_no_text_makes_a_check_fail(text, strict):
    for url in (text, f"http://{text}/", f"http://shop.example/{text}", text.encode("utf-8", "surrogatepass")):
        verdict = gateway.check(url, strict)
        assert verdict.accepted == (not verdict.reasons) == (verdict.href is not None)
        assert {reason.code for reason in verdict.reasons} <= gateway.REASONS.keys()
        if verdict:
            assert gateway.check(verdict.href).href == verdict.href or not strict
            assert gateway.check(verdict.href, strict=False).href == verdict.href


# Documents


def test_every_code_is_explained_in_the_docs():
    page = (DOCS / "gateway.md").read_text(encoding="utf-8")
    for code, group, says in REFUSALS:
        assert f"| `{code}` | {group} | {says} |" in page
    assert page.count("| spelling |") + page.count("| destination |") + page.count("| resolved |") == len(REFUSALS)


# The command


def test_the_command_gives_a_line_for_each_line():
    done = command("check", "HTTP://Shop.example/a b", "https://shop.example", "http://0x7f.1/", "--lenient")
    assert done.returncode == 0
    assert done.stdout.decode().splitlines() == [
        "accepted\thttp://shop.example/a%20b\t",
        "accepted\thttps://shop.example/\t",
        "refused\t\tprivate-address: 127.0.0.1 is in 127.0.0.0/8 (Loopback), which is not globally reachable",
    ]


def test_the_command_reads_lines_and_writes_json():
    given_ = b"http://shop.example/\nhttp://a\\b/\n" + wrapped("http://[::1]/").encode() + b"\n"
    done = command("check", "--json", "--strict", stdin=given_)
    assert done.returncode == 1
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["verdict"], row["port"], row["codes"]) for row in rows] == [
        ("accepted", 80, []),
        ("refused", None, ["backslash", "single-label"]),
        ("refused", None, ["redirect-target"]),
    ]
    assert rows[1]["reasons"][0]["at"] == 8
    assert rows[2]["targets"][0]["codes"] == ["private-address"]


def test_the_command_lets_through_what_it_is_told_to():
    options = ("--scheme", "wss", "--port", "8443", "--port", "443", "--allow", "10.0.0.0/8")
    done = command("check", *options, "wss://10.1.1.1:8443/", "https://shop.example/")
    assert [line.split("\t")[0] for line in done.stdout.decode().splitlines()] == ["accepted", "refused"]
    assert command("check", "--port", "any", "http://shop.example:81/").stdout.startswith(b"accepted")


@pytest.mark.parametrize(
    "options", [("--port", "x"), ("--port", "0"), ("--scheme", "file"), ("--allow", "a b"), ("--longest", "0")]
)
def test_wrong_options_are_told(options):
    done = command("check", *options, "https://a.example/")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.count(b"\n") == 1
