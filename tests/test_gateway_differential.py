"""What urlkey.systems.gateway accepts, HTTP clients and parsers read alike: mutated nasty strings."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import suites
from destinations import CLIENTS, PARSERS, dialled, reached, read
from urlkey.systems.gateway import Rules, Verdict

STRICT = Rules(ports=None)
LENIENT = Rules(strict=False, ports=None)

SEEDS = [row["url"] for row in suites.own("ssrf_differentials.jsonl") + suites.own("gateway.jsonl")]
GOOD = [url for url in SEEDS if STRICT.check(url)]

# Delimiters, what looks like them, what vanishes, what changes, whole hosts and ports.
NASTY = [
    *"/\\@:#?%.[]-_~!$&'()*+,;=<>^`{|}\"0189axX \t\r\n\x00\x0b\x7f\x85",
    *"\u3002\uff0e\uff61\uff0f\uff20\uff1a\uff3c\u2044\u2215\u29f8\u00ad\u200b\u200d\u202e\ufeff\u00a0\u3000",
    *"ßςü\u0130\u0131\u017f\u212a①\uff11\u0663·・〇ー℀℡♥\u13a0\uab70\u10a0\u2c00\u04c0\u1806\u2060\u034f\u3164\uffa0\ua789",
    *("%00", "%2f", "%40", "%2e", "%5c", "%25", "%0d%0a", "%zz", "%e3%80%82", "xn--", "XN--", "0x", "..", "--"),
    *("http://", "https:", "//", "///", ":80", ":8080", ":0", ":65536", ":080", "@evil.example", ".evil.example"),
    *("127.0.0.1", "localhost", "[::1]", "[::ffff:8.8.8.8]", "8.8.8.8", "0x7f.1", "example.com", "a" * 64),
]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A seed with a few pieces put in, put over or taken out."""
    url: str = draw(st.sampled_from(SEEDS) | st.sampled_from(GOOD))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(url)))
        piece = draw(st.sampled_from(NASTY) | st.characters(exclude_categories=["Cs"]) | st.just(""))
        url = url[:at] + piece + url[at + draw(st.integers(0, 2)) :]
    return url


def disagreements(verdict: Verdict, text: str) -> list[tuple[str, object]]:
    """Parsers that take the text for another destination; an error is none."""
    wanted = (dialled(verdict.host or ""), verdict.port)
    found = [(name, read(name, text)) for name in PARSERS]
    return [(name, there) for name, there in found if there.host is not None and there[:2] != wanted]


@settings(max_examples=500, deadline=None)
@given(mutated())
@example("http://good.example\\@evil.example/")
@example("http://\u13a0b.example/")
def test_a_spelling_that_a_strict_check_accepts_is_read_alike_by_all(url):
    verdict = STRICT.check(url)
    if verdict:
        assert disagreements(verdict, url) == []
        assert STRICT.check(verdict.href).href == verdict.href


@settings(max_examples=500, deadline=None)
@given(mutated(), st.sampled_from([STRICT, LENIENT]))
def test_an_accepted_href_is_read_alike_by_all_and_is_its_own_href(url, rules):
    verdict = rules.check(url)
    if verdict:
        assert disagreements(verdict, verdict.href) == []
        again = rules.check(verdict.href)
        assert (again.href, again.host, again.port) == (verdict.href, verdict.host, verdict.port)


@settings(max_examples=200, deadline=None)
@given(mutated(), st.sampled_from([STRICT, LENIENT]), st.sampled_from(sorted(CLIENTS)))
def test_clients_connect_where_the_verdict_says(url, rules, client):
    verdict = rules.check(url)
    if verdict:
        there = reached(client, verdict.href)
        if there.host is not None:  # a client may refuse: httpx does not know the newest code points
            assert (dialled(there.host), there.port) == (dialled(verdict.host or ""), verdict.port)


@pytest.mark.parametrize("client", sorted(CLIENTS))
def test_clients_take_every_href_of_the_vectors(client):
    for url in GOOD:
        verdict = STRICT.check(url)
        assert reached(client, verdict.href)[:2] == (verdict.host, verdict.port), url


def test_no_letter_of_a_host_that_is_accepted_makes_another_host_elsewhere():
    """Every letter of the first plane but ideographs and Hangul, by IDNA 2003; some by all parsers."""
    points = [point for point in range(0x80, 0x10000) if not 0xD800 <= point < 0xE000]
    urls = [f"http://a{chr(point)}b.example/" for point in points]
    rows = [row for row in zip(points, urls, STRICT.check_many(urls), strict=True) if row[2]]
    assert len(rows) > 30_000
    for point, _, verdict in rows:
        if not (0x3400 <= point < 0xA000 or 0xAC00 <= point < 0xD7B0):
            try:  # as urlsplit and the resolver of CPython do
                before = f"a{chr(point)}b.example".lower().encode("idna").decode()
            except UnicodeError:
                continue
            assert before == verdict.host, hex(point)
    for _, url, verdict in rows[::200]:
        assert disagreements(verdict, url) == []
