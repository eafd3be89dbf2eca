"""Forms of reputation: what holds of any bytes, and what a caller meets. Rows of the suites are in
test_vectors_reputation.py."""

import base64
import doctest
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

import suites
import urlkey
import verdicts
from urlkey import UrlKeyError
from urlkey.systems import reputation

VERSIONS = ("v4", "v5")
# Pieces that matter to hosts, escapes and indicators, beside any others.
PIECES = ["http://", "https:", "//", "/", "\\", "a.example", "co.uk", ".", "..", "%25", "%2", "5", "@", ":80", "[", "]"]
PIECES += ["::1", "0x7f", "?", "#", " ", "\t", "\xe9", "[.]", "(.)", "hxxp", "[://]", "[@]", "dot"]
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=9).map("".join)


@pytest.mark.parametrize("row", suites.own("safebrowsing.jsonl"), ids=lambda row: row["input"][:40])
def test_forms_are_those_of_the_documents(row):
    url = verdicts.given(row)
    for version in VERSIONS:
        if version in row:
            assert verdicts.result(lambda: reputation.canonical(url, version)) == row[version]  # noqa: B023
        if f"expressions_{version}" in row:
            assert reputation.expressions(url, version) == row[f"expressions_{version}"]


@pytest.mark.parametrize("row", suites.own("defang.jsonl"), ids=lambda row: row["defanged"])
def test_indicators_come_alive(row):
    assert reputation.refang(row["defanged"], nested=row["nested"]) == row["live"]
    assert reputation.refang(reputation.defang(row["live"])) == row["live"]
    if "ours" in row:
        assert reputation.defang(row["live"]) == row["defanged"]


def test_docstrings():
    assert doctest.testmod(reputation).failed == 0


@given(st.binary(max_size=60) | TEXTS.map(lambda text: text.encode()), st.sampled_from(VERSIONS))
def test_any_bytes_have_one_canonical_url_or_no_host(url, version):
    try:
        canonical = reputation.canonical(url, version)
    except UrlKeyError as error:
        assert (error.code, error.input) == ("host-missing", url)
        return
    assert all("!" <= unit <= "~" and unit != "#" for unit in canonical)
    assert reputation.canonical(canonical, version) == canonical
    expressions = reputation.expressions(url, version)
    assert 1 <= len(set(expressions)) == len(expressions) <= 30
    assert all(expression in canonical for expression in expressions)
    hashes = [hashlib.sha256(expression.encode()).digest() for expression in expressions]
    assert reputation.hashes(url, version=version) == hashes
    assert reputation.hashes(url, 5, version) == [hash[:5] for hash in hashes]


def test_str_and_bytes_are_one():
    url = "http://\xe9.example/\u20ac"
    assert reputation.canonical(url) == reputation.canonical(url.encode()) == "http://xn--9ca.example/%E2%82%AC"


def test_what_is_asked_for_wrongly_is_an_error():
    with pytest.raises(ValueError, match="version must be 'v4' or 'v5', not \"v3\""):
        reputation.canonical("a.example", "v3")
    for prefix in (3, 33, -1, 10**9):
        with pytest.raises(ValueError, match=f"prefix must be 4 to 32 bytes, not {prefix}"):
            reputation.hashes("a.example", prefix)
    with pytest.raises(TypeError, match="url must be str or bytes, not int"):
        reputation.canonical(1)
    for function in (reputation.canonical, reputation.refang, reputation.defang, reputation.is_defanged):
        with pytest.raises(UrlKeyError) as raised:
            function("http://a.example/\ud800")
        assert (raised.value.code, raised.value.at) == ("surrogate", 17)


def test_deep_escapes_take_linear_time():
    # Round by round these would take 400,000 passes over a megabyte.
    assert reputation.canonical("http://a.example/%" + "25" * 400_000 + "41") == "http://a.example/A"


@given(TEXTS)
def test_what_is_broken_comes_alive_as_it_was(text):
    if reputation.is_defanged(text) or text != text.strip("<>()[]{}\"'` \t"):
        return
    assert reputation.refang(text) == text
    assert reputation.refang(reputation.defang(text)) == text


@given(st.sampled_from(["", " ", "x:", "http:", "HTTPS://", "ssh://", "hxxp://", "\x00ftp:/"]), TEXTS)
def test_every_text_that_parses_and_is_not_broken_comes_alive_as_it_was(start, rest):
    text = start + rest
    try:
        urlkey.parse(text)
    except UrlKeyError:
        return
    if not reputation.is_defanged(text):
        assert reputation.refang(reputation.defang(text)) == text


@pytest.mark.parametrize("text", ['"evil.example"', "(evil.example)", "<URL:evil.example>", "`[evil.example`]"])
def test_what_is_around_a_text_that_was_broken_goes(text):
    live = reputation.refang(reputation.defang(text))
    assert live == (text if text.endswith("]") else "evil.example")
    with pytest.raises(UrlKeyError):
        urlkey.parse(text)


@given(TEXTS)
def test_every_link_of_the_web_is_broken_and_alive_again(text):
    try:
        href = urlkey.href(f"http://user@a.example/{text}", policy="whatwg")
    except UrlKeyError:
        return
    broken = reputation.defang(href)
    assert broken.startswith("hxxp[://]")
    assert reputation.is_defanged(broken)
    assert reputation.refang(broken) == href
    assert reputation.defang(broken) == broken


def test_a_live_text_is_the_object_that_came():
    text = "http://a.example/[.]"
    assert reputation.refang(text) is text


@given(st.binary(max_size=80))
def test_virustotal_ids_decode_to_the_url(url):
    id = reputation.virustotal_id(url)
    assert base64.urlsafe_b64decode(id + "=" * (-len(id) % 4)) == url


@given(st.integers(0, 700), st.integers(0, 200))
def test_hashes_of_every_length_are_those_of_hashlib(path, query):
    url = f"http://a.example/{'x' * path}" + (f"?{'q' * query}" if query else "")
    expected = [hashlib.sha256(expression.encode()).digest() for expression in reputation.expressions(url)]
    assert reputation.hashes(url) == expected
    assert reputation.hashes(url, 4) == [whole[:4] for whole in expected]
