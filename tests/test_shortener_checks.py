"""urlkey.systems.shortener: links that are refused, each with its reason; and the command."""

import json
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

import suites
import urlkey
import verdicts
from command import urlkey as command
from urlkey.systems import shortener
from verdicts import Row, differ

OWN = ["go.example", "bücher.example", "*.links.example"]


def codes(url, own_hosts=OWN, **options) -> list[str]:
    return [reason.code for reason in shortener.check(url, own_hosts, **options).reasons]


@pytest.mark.parametrize(
    "url",
    [
        "https://shop.example/",
        "http://8.8.8.8/",
        "https://[2a01:4f8::1]:8443/",
        "https://xn--bcher-kva.shop.example/?u=http://127.0.0.1/",
        "https://shop.example/http://localhost/",
        "https://shop.example/?next=https%3A%2F%2Fgo.example%2Fabc",
        "https://www.google.com/search?q=https://go.example/abc",
        "https://notgo.example/",
        "https://go.example.shop.example/",
        "https://links.example.shop.example/",
        "https://localhost.shop.example/",
        "https://youtu.be/dQw4w9WgXcQ",
        "https://web.archive.org/web/2020/http://bit.ly/x",
        b"https://shop.example/\xff",
    ],
)
def test_ordinary_links_are_accepted(url):
    verdict = shortener.check(url, OWN)
    assert verdict, verdict.reasons
    assert verdict.reasons == ()
    assert verdict.href == urlkey.href(url)
    assert verdict.key == shortener.dedupe_key(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://go.example/abc",
        "HTTP://GO.EXAMPLE:8080/",
        "https://go.example./abc",
        "https://g%6F.example/",
        "https://ｇｏ.example/",  # noqa: RUF001
        "https://go。example/",
        "https:\\\\go.example\\abc",
        "https://g\to.example/",
        "https://bücher.example/x",
        "https://BÜCHER.example/x",
        "https://xn--bcher-kva.example./x",
        "https://links.example/",
        "https://a.b.links.example/",
    ],
)
def test_own_hosts_are_recognised_in_any_spelling(url):
    assert codes(url) == ["own-host"]


@pytest.mark.parametrize("own", ["GO.example", "go.example.", "go.example:8080", "g%6f.example", "go。example"])
def test_own_hosts_may_be_given_in_any_spelling(own):
    assert codes("https://go.example/", [own]) == ["own-host"]


def test_an_own_host_need_not_be_public():
    assert codes("http://localhost:8000/x", ["localhost:8000"]) == ["own-host"]
    assert codes("http://[::1]/x", ["[::1]:80"]) == ["own-host"]


@pytest.mark.parametrize("own", ["", "https://go.example", "go.example/x", "u@go.example", "a b", "go.example?x", "*"])
def test_what_is_no_own_host_is_a_value_error(own):
    with pytest.raises(ValueError, match=r"host|code point|label|domain|port"):
        shortener.check("https://a.example/", [own])


def test_a_str_of_own_hosts_is_a_type_error():
    with pytest.raises(TypeError, match="list of hosts"):
        shortener.check("https://a.example/", "go.example")


@pytest.mark.parametrize("layers", [1, 2, 3, 5])
def test_loops_through_redirectors_are_refused(layers):
    url = "https://go.example/abc"
    for _ in range(layers):
        url = f"https://www.google.com/url?q={quote(url, safe='')}"
    assert codes(url) == ["own-host"]


def test_more_layers_than_are_taken_off_are_refused():
    url = "https://go.example/abc"
    for _ in range(9):
        url = f"https://www.google.com/url?q={quote(url, safe='')}"
    assert "redirector-loop" in codes(url)


def test_what_a_redirector_holds_is_checked_like_the_link():
    wrapped = "https://l.facebook.com/l.php?u="
    assert codes(f"{wrapped}https%3A%2F%2Fbit.ly%2Fx") == ["shortener"]
    assert codes(f"{wrapped}http%3A%2F%2F0x7f.1%2F") == ["private-address"]
    assert codes(f"{wrapped}http%3A%2F%2Flocalhost%2F") == ["private-name"]
    assert codes(f"{wrapped}https%3A%2F%2Fshop.example%2F") == []


def test_shorteners_are_refused_and_told_by_label():
    for url in (
        "https://bit.ly/x",
        "https://WWW.bit.ly./x",
        "http://t.co:8080/",
        "https://nyti.ms/1",
        "https://a.app.link/",
    ):
        assert codes(url) == ["shortener"], url
        assert shortener.is_shortener(url)
    for url in (
        "https://notbit.ly/x",
        "https://bit.ly.example/",
        "https://youtu.be/x",
        "mailto:a@bit.ly",
        "https://[::1]/",
    ):
        assert not shortener.is_shortener(url), url
    with pytest.raises(urlkey.UrlKeyError):
        shortener.is_shortener("bit.ly/x")


def test_opaque_redirectors_of_the_vectors_are_no_shorteners_nor_the_others():
    for rule in suites.shared_list("domains/redirectors.json", "rules"):
        for example in rule["examples"]:
            if not rule["id"].startswith(("firebase", "geniuslink")):
                assert not shortener.is_shortener(example["input"]), rule["id"]


def is_refused(row: Row):
    verdict = shortener.check(f"http://{row['host']}/", OWN)
    private = {"private-address", "private-name", "single-label", "special-use-name", "empty-label", "no-url"}
    ours = [bool(verdict), {reason.code for reason in verdict.reasons} <= private]
    if row["class"] == "name" and "." in row["host"] and row.get("note", "").startswith("resolves"):
        return differ(ours, [False, True])
    if row["class"] == "not-an-ip" and row["host"] == "1.2.3.4x":
        return differ(ours, [True, True])
    return differ(ours, [row["class"] == "public" and row["block"] is None and "siit" not in row["form"], True])


def test_private_targets_are_refused_in_any_spelling():
    rows = suites.shared_list("domains/private_forms.json", "vectors")
    verdicts.hold("domains/private_forms.check", rows, is_refused)


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("javascript:alert(1)", "script-scheme"),
        ("JaVa\tScRiPt:alert(1)", "script-scheme"),
        (" \x01javascript://go.example/%0aalert(1)", "script-scheme"),
        ("data:text/html,x", "script-scheme"),
        ("vbscript:x", "script-scheme"),
        ("blob:https://a.example/x", "script-scheme"),
        ("file:///etc/passwd", "scheme"),
        ("ftp://a.example/", "scheme"),
        ("mailto:a@b.example", "scheme"),
        ("gopher://127.0.0.1/", "scheme"),
        ("https://u:p@a.example/", "userinfo"),
        ("https://u@a.example/", "userinfo"),
        ("https://www.bank.example\\@a.example/", None),
        ("https://:@a.example/", None),
        ("http://a..example/", "empty-label"),
        ("http://127.0.0.1../", "empty-label"),
        ("http://http://a.example/", "single-label"),
        ("http://abcdefabcdefabcd.onion/", "special-use-name"),
        ("http://a.invalid/", "special-use-name"),
        ("http://a.test/", "private-name"),
        ("http://kubernetes.default.svc/", "private-name"),
        ("http://10.0.0.1.nip.io/", "private-name"),
        ("https://a.example:99999/", "no-url"),
        ("https:///", "no-url"),
        ("", "no-url"),
    ],
)
def test_each_reason_has_its_code(url, code):
    assert codes(url) == ([code] if code else [])


def test_all_reasons_are_told_at_once():
    url = f"https://u@bit.ly/{'x' * 9000}"
    verdict = shortener.check(url, allow=["too-long"])
    assert [reason.code for reason in verdict.reasons] == ["too-long", "userinfo", "shortener"]
    assert not verdict
    assert shortener.check(url, allow=["too-long", "userinfo", "shortener"])


def test_what_is_allowed_is_told_but_does_not_refuse():
    verdict = shortener.check("http://printer.local/", allow={"private-name"})
    assert verdict.accepted
    assert [reason.code for reason in verdict.reasons] == ["private-name"]


@pytest.mark.parametrize("allow", [["no-such"], ["script-scheme"], ["no-url"], "userinfo"])
def test_what_cannot_be_allowed_is_a_value_error(allow):
    with pytest.raises(ValueError, match="allowed: codes of too-long"):
        shortener.check("https://a.example/", allow=allow)


def test_the_limit_is_in_bytes_of_the_href():
    fits = "https://a.example/" + "é" * 100
    size = len(urlkey.href(fits))
    assert codes(fits, longest=size) == []
    assert codes(fits, longest=size - 1) == ["too-long"]
    beyond_all = shortener.check("https://a.example/" + "x" * 70_000, allow=["too-long"])
    assert ([reason.code for reason in beyond_all.reasons], beyond_all.accepted) == (["too-long"], False)


def test_batches_give_a_verdict_for_each_row():
    found = list(shortener.check_all(["https://a.example/", "x", "https://go.example/"], OWN))
    assert [bool(verdict) for verdict in found] == [True, False, False]
    with pytest.raises(ValueError, match="no host"):
        shortener.check_all([], ["a/b"])


def test_every_code_is_explained_in_the_docs():
    page = (Path(__file__).parents[1] / "docs" / "shortener.md").read_text(encoding="utf-8")
    for code, meaning in shortener.REASONS.items():
        assert f"| `{code}` | {meaning} |" in page


@given(st.text(max_size=60))
def test_no_text_makes_a_check_fail(text):
    for url in (text, f"http://{text}/", f"https://www.google.com/url?q={text}"):
        verdict = shortener.check(url, OWN)
        assert verdict.accepted == (not verdict.reasons)
        assert {reason.code for reason in verdict.reasons} <= shortener.REASONS.keys()
        if verdict:
            assert shortener.check(verdict.href, OWN) == verdict


# The command


def test_the_command_gives_a_line_for_each_line():
    done = command("shortener", "--own", "go.example", "https://A.example/x", "http://0x7f.1/", "https://go.example/a")
    assert done.returncode == 0
    assert done.stdout.decode().splitlines() == [
        "accepted\thttps://a.example/x\t",
        "refused\thttp://127.0.0.1/\t127.0.0.1 is in 127.0.0.0/8 (Loopback), which is not globally reachable",
        "refused\thttps://go.example/a\tgo.example is one of your own hosts",
    ]


def test_the_command_reads_lines_and_writes_json():
    done = command("shortener", "--json", "--strict", stdin=b"https://a.example/\nx\n")
    assert done.returncode == 1
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["verdict"], row["key"], row["codes"]) for row in rows] == [
        ("accepted", "https://a.example/", []),
        ("refused", None, ["no-url"]),
    ]


@pytest.mark.parametrize("options", [("--own", "https://go.example"), ("--own", "a b"), ("--allow", "x")])
def test_wrong_options_are_told(options):
    done = command("shortener", *options, "https://a.example/")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.count(b"\n") == 1
