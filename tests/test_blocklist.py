"""Blocklists: what a line means, what a list is taken for, and what it says of a URL."""

import base64
import gzip
import hashlib
import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlkey import UrlKeyError
from urlkey.readers import ReadError
from urlkey.systems.reputation import Blocklist, LineError, Match, defang, expressions, hashes

LINES = ["# a feed", "", "evil.example", "hxxp://phish[.]example/login/", "no entry at all", "0.0.0.0 ads.example"]


@pytest.fixture
def feed(tmp_path):
    file = tmp_path / "feed.txt"
    file.write_bytes("\ufeff".encode() + "\r\n".join(LINES).encode())
    return file


def test_a_file_is_read_whole_and_its_odd_lines_are_kept(feed):
    listed = Blocklist.load(feed)
    assert (listed.kind, listed.version, len(listed), listed.defanged, listed.widths) == ("text", "v5", 3, 1, [])
    assert [(error.line, error.code, error.text) for error in listed.errors] == [
        (5, "domain-invalid-code-point", b"no entry at all")
    ]
    assert isinstance(listed.errors[0], LineError)
    assert listed.errors[0].message
    named = [
        found and (found.expression, found.line)
        for found in map(
            listed.lookup,
            [
                "https://www.evil.example:8443/?x",
                "http://phish.example/login/a",
                "http://ads.example",
                "http://good.example",
            ],
        )
    ]
    assert named == [("evil.example/", 3), ("phish.example/login/", 4), ("ads.example/", 6), None]


def test_entries_may_be_given_as_lines():
    listed = Blocklist(LINES)
    assert len(listed) == 3
    assert [error.line for error in listed.errors] == [5]
    # A line break in an entry does not make two, nor move the others.
    listed = Blocklist(["a.example\nb.example", b"c.example"])
    assert [error.line for error in listed.errors] == [1]
    assert listed.lookup("c.example").line == 2
    assert [error.code for error in Blocklist(["\ud800"]).errors] == ["domain-invalid-code-point"]


def test_compressed_files_are_read_and_broken_ones_refused(feed, tmp_path):
    packed = tmp_path / "feed.txt.gz"
    packed.write_bytes(gzip.compress(feed.read_bytes()))
    assert len(Blocklist.load(packed)) == 3
    packed.write_bytes(packed.read_bytes()[:-12])
    with pytest.raises(ReadError):
        Blocklist.load(packed)
    with pytest.raises(FileNotFoundError):
        Blocklist.load(tmp_path / "absent.txt")


WRITE = {"hex": lambda hash: hash.hex(), "base64": lambda hash: base64.b64encode(hash).decode()}


@pytest.mark.parametrize("kind", WRITE)
@pytest.mark.parametrize("width", [4, 5, 16, 31, 32])
def test_hashed_lists_are_told_and_say_how_much_they_hold(kind, width):
    hash = hashes("http://evil.example/a", width)[0]
    listed = Blocklist([WRITE[kind](hash), "# done"])
    assert (listed.kind, listed.widths, len(listed), listed.errors) == (kind, [width], 1, ())
    found = listed.lookup("http://www.evil.example/a?b")
    assert (found.expression, found.prefix, found.exact, found.line) == ("evil.example/a", width, False, 1)
    assert listed.lookup("http://evil.example/") is None


def test_the_longest_prefix_is_told():
    hash = hashlib.sha256(b"evil.example/").hexdigest()
    assert Blocklist([hash[:8], hash, hash[:16]]).lookup("evil.example").prefix == 32


def test_kind_may_be_given():
    # Hexadecimal by its looks; in base64 it is another hash.
    assert Blocklist(["deadbeef"]).kind == "hex"
    listed = Blocklist(["deadbeef"], kind="base64")
    assert (listed.kind, listed.widths) == ("base64", [6])
    listed = Blocklist(["deadbeef", "evil.example"], kind="text")
    assert listed.lookup("http://deadbeef/").line == 1
    listed = Blocklist(["deadbeef", "evil.example"], kind="hex")
    assert [(error.line, error.code) for error in listed.errors] == [(2, "not-a-hash")]
    with pytest.raises(ValueError, match="kind must be 'text', 'hex' or 'base64'"):
        Blocklist([], kind="list")


def test_versions_decide_about_addresses_and_suffixes():
    # That an entry is for all hosts below it holds of public suffixes, too, which v5 does not ask about.
    for version, hits in (("v4", [True, False]), ("v5", [True, True])):
        listed = Blocklist(["co.uk", "[2001:DB8::0:1]"], version=version)
        assert [url in listed for url in ("http://a.co.uk/", "http://[2001:db8::1]/")] == hits


def test_what_a_link_wraps_is_looked_up():
    listed = Blocklist(["evil.example"])
    url = "https://l.facebook.com/l.php?u=https%3A%2F%2Fwww.google.com%2Furl%3Fq%3Dhttp%253A%252F%252Fevil.example%252F"
    found = listed.lookup(url)
    assert (found.layer, found.url, found.rule) == (2, "http://evil.example/", "google-url")
    assert Blocklist(["google.com"]).lookup(url).layer == 1
    assert Blocklist(["l.facebook.com"]).lookup(url) == Match("l.facebook.com/", 1, None, False, 0, None, None)


def test_matches_are_values():
    found = Blocklist(["evil.example"]).lookup("evil.example")
    assert pickle.loads(pickle.dumps(found)) == found
    assert hash(found) == hash(Match("evil.example/", 1, None, True, 0, None, None))
    assert repr(found) == "<Match 'evil.example/' line=1 layer=0>"


def test_many_urls_have_a_row_each():
    listed = Blocklist(["evil.example"])
    urls = ["http://evil.example/", b"http://good.example/", "mailto:x", "\ud800", "http:///evil.example/"]
    rows = listed.lookup_many(iter(urls), on_error="error")
    assert [row.code if isinstance(row, UrlKeyError) else row and row.line for row in rows] == [
        *(1, None, "host-missing", "surrogate", 1)
    ]
    assert rows[2].input is urls[2]
    with pytest.raises(UrlKeyError) as raised:
        listed.lookup_many(urls)
    assert raised.value.__notes__ == ["in row 2, counted from 0"]
    with pytest.raises(ValueError, match="on_error must be 'raise' or 'error', not 'null'"):
        listed.lookup_many(urls, on_error="null")
    for wrong in ("http://a.example", b"http://a.example", 3, [3]):
        with pytest.raises(TypeError):
            listed.lookup_many(wrong)


HOSTS = st.lists(st.sampled_from(["a", "b", "evil", "www", "com", "co.uk", "xn--9ca"]), min_size=1, max_size=5)
URLS = st.builds(
    lambda host, path: f"http://{'.'.join(host)}.example/{path}",
    HOSTS,
    st.text("ab/?.%2", max_size=8),
)


@given(st.lists(URLS, max_size=8), st.lists(URLS, max_size=8), st.sampled_from(["text", "hex", "defanged"]))
def test_a_list_names_a_url_when_an_expression_of_it_is_an_entry(entries, urls, kind):
    lines = {"text": str, "hex": lambda url: hashes(url)[0].hex(), "defanged": defang}[kind]
    listed = Blocklist(map(lines, entries))
    assert listed.errors == ()
    whole = {expressions(entry)[0] for entry in entries}
    assert len(listed) == len(whole)
    for url, found in zip(urls, listed.lookup_many(urls), strict=True):
        named = [expression for expression in expressions(url) if expression in whole]
        assert (found and found.expression) == (named[0] if named else None)
        assert (url in listed) is bool(named)
        if found:
            assert found.exact is (found.expression == expressions(url)[0])
            assert expressions(entries[found.line - 1])[0] == found.expression


@given(st.lists(st.binary(max_size=40)), st.sampled_from(["text", "hex", "base64", None]))
def test_any_lines_make_a_list_and_none_is_lost(lines, kind):
    listed = Blocklist(lines, kind=kind)
    numbers = [error.line for error in listed.errors]
    assert numbers == sorted(set(numbers))
    assert all(
        listed.errors[i].text == lines[n - 1].replace(b"\n", b" ").removesuffix(b"\r") for i, n in enumerate(numbers)
    )
    listed.lookup("http://a.example/")


@pytest.mark.parametrize("kind", ["text", "hex"])
def test_an_entry_costs_less_than_forty_bytes(kind):
    count = 50_000
    names = [f"h{number}.example/{number % 9}" for number in range(count)]
    listed = Blocklist(names if kind == "text" else (hashlib.sha256(name.encode()).hexdigest() for name in names))
    assert len(listed) == count
    assert listed.memory < 40 * count
    for number in random.Random(1).sample(range(count), 500):
        assert listed.lookup(f"https://www.h{number}.example/{number % 9}").line == number + 1


@given(st.binary(max_size=60))
def test_any_bytes_can_be_looked_up(url):
    try:
        assert Blocklist(["evil.example"]).lookup(url) is None
    except UrlKeyError as error:
        assert error.code == "host-missing"


URLS = st.builds(
    "http://{}.example/{}{}".format,
    st.sampled_from(["a", "b.a", "www.b", "c" * 60]),
    st.sampled_from(["", "x", "x/y/", "x/y/z/1/2"]),
    st.sampled_from(["", "?q=1", "?" + "q" * 80]),
)


@given(st.lists(URLS, max_size=40), st.lists(URLS, max_size=10), st.sampled_from([4, 8, 32]))
def test_a_list_of_hashes_says_what_hashlib_says(entries, urls, width):
    held = {hashlib.sha256(expressions(entry)[0].encode()).digest()[:width] for entry in entries}
    listed = Blocklist([prefix.hex() for prefix in held], kind="hex")
    for url, found in zip(urls, listed.lookup_many(urls), strict=True):
        expected = [
            expression
            for expression in expressions(url)
            if hashlib.sha256(expression.encode()).digest()[:width] in held
        ]
        assert (found and found.expression) == (expected[0] if expected else None)
