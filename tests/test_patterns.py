"""Lists of patterns: what a caller meets, and the project's own rows. Those beside the project are in
test_vectors_patterns.py; the reference that looks at each pattern is in the core's tests."""

import doctest
import gzip
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

import suites
from urlkey import ERROR_CODES, UrlKeyError
from urlkey.readers import ReadError
from urlkey.systems.gateway import patterns
from urlkey.systems.gateway.patterns import DIALECTS, PatternError, PatternMatch, PatternSet, embedded_url


def name(row):
    return f"{row['dialect']} {row['pattern']} {row.get('url', '')}"[:70]


@pytest.mark.parametrize("row", suites.own("patterns.jsonl"), ids=name)
def test_a_pattern_names_what_its_product_takes_it_for(row):
    listed = PatternSet(row["dialect"], [row["pattern"]])
    assert listed.errors == ()
    assert (listed.match(row["url"]) is not None) is row["match"]


@pytest.mark.parametrize("row", suites.own("patterns_refused.jsonl"), ids=name)
def test_a_line_that_is_no_pattern_is_told(row):
    listed = PatternSet(row["dialect"], ["# kept", row["pattern"]])
    (error,) = listed.errors
    assert (error.list, error.line, error.code) == ("block", 2, row["code"])
    assert error.text.decode() == row["pattern"]
    assert error.code in ERROR_CODES
    assert 0 <= error.at <= len(error.text)
    assert error.message
    assert (isinstance(error, PatternError), len(listed)) == (True, 0)


def test_docstrings():
    assert doctest.testmod(patterns).failed == 0


def test_a_match_says_which_pattern_where_and_why():
    listed = PatternSet("chrome", ["# first", "https://example.com:8443/a?x=1"], ["other.example"])
    found = listed.match("https://www.example.com:8443/ab?y&x=1")
    assert (found.pattern, found.list, found.line) == ("https://example.com:8443/a?x=1", "block", 2)
    assert found.reason == "the host or one below, its scheme, its port, its path, its query"
    assert found.embedded is None
    assert listed.match("https://other.example/").list == "allow"
    assert listed.match("https://none.example/") is None
    assert pickle.loads(pickle.dumps(found)) == found
    assert repr(found) == "<PatternMatch 'https://example.com:8443/a?x=1' list=block line=2>"
    assert isinstance(found, PatternMatch)


def test_many_urls_have_a_row_each():
    listed = PatternSet("netskope", ["*.evil.example"])
    urls = ["http://evil.example/", b"http://good.example/", "mailto:x", "\ud800", "http://a.example:x/"]
    rows = listed.match_many(iter(urls), on_error="error")
    assert [row.code if isinstance(row, UrlKeyError) else row and row.line for row in rows] == [
        *(1, None, "host-missing", "surrogate", "port-invalid")
    ]
    with pytest.raises(UrlKeyError) as raised:
        listed.match_many(urls)
    assert raised.value.__notes__ == ["in row 2, counted from 0"]
    with pytest.raises(ValueError, match="on_error must be 'raise' or 'error', not 'null'"):
        listed.match_many(urls, on_error="null")
    with pytest.raises(TypeError):
        listed.match_many("http://a.example/")


def test_files_are_read_whole(tmp_path):
    file, packed = tmp_path / "block.txt", tmp_path / "allow.gz"
    file.write_bytes("\ufeff# ours\r\n.evil.example\r\n\r\nUPPER.example\r\n".encode())
    packed.write_bytes(gzip.compress(b"www.evil.example"))
    listed = PatternSet.load("zscaler", file, packed)
    assert (len(listed), listed.dialect) == (2, "zscaler")
    assert [(error.list, error.line, error.at) for error in listed.errors] == [("block", 4, 0)]
    assert listed.match("http://a.evil.example/").line == 2
    packed.write_bytes(packed.read_bytes()[:-9])
    with pytest.raises(ReadError):
        PatternSet.load("zscaler", file, packed)
    with pytest.raises(FileNotFoundError):
        PatternSet.load("zscaler", tmp_path / "absent")


def test_what_is_asked_for_wrongly_is_an_error():
    with pytest.raises(ValueError, match=r"dialect must be one of 'chrome', 'squid'.*, not \"edge\""):
        PatternSet("edge")
    with pytest.raises(TypeError, match="the lines of a list must be an iterable"):
        PatternSet("chrome", "example.com")


@pytest.mark.parametrize(
    ("url", "inner"),
    [
        ("https://cdn.ampproject.org/c/example.com", "http://example.com/"),
        ("https://x.cdn.ampproject.org/c/s/example.com/p?q=1#f", "https://example.com/p?q=1"),
        ("https://cdn.ampproject.org/cd/example.com", None),
        ("https://www.google.co.uk/amp/s/example.com/path?q=baz", "https://example.com/path"),
        ("https://www.google.com/amp/example.com%2fpath%3fq=foo%23bar?q=baz", "http://example.com/path?q=foo#bar"),
        ("https://www.google.com/amp/example.com/%81%82%83", "http://example.com/%81%82%83"),
        ("https://www.google.com/amp/www.%F0%9F%94%8F.com/", "http://www.xn--iv8h.com/"),
        ("https://mail.google.com/amp/example.com", None),
        ("https://www.google.nope/amp/example.com", None),
        ("https://webcache.googleusercontent.com/search?a=b&q=cache:example.com/+word&c=d", "http://example.com/"),
        ("https://webcache.googleusercontent.com/search?q=cache:https://example.com/", "https://example.com/"),
        ("https://webcache.googleusercontent.com/search?q=cache:123:example.com/", None),
        ("https://webcache.googleusercontent.com/search?q=cache:abc://example.com/", None),
        ("https://translate.google.de/path?a=asdf&u=example.com&b=fdsa", "http://example.com/"),
        ("https://translate.googleusercontent.com/path?u=https://example.com", "https://example.com/"),
        ("https://translate.google.google.com/path?u=example.com", None),
        ("https://translate.google.com/path?t=example.com", None),
    ],
)
def test_urls_inside_urls_are_those_of_chrome(url, inner):
    assert embedded_url(url) == inner


LINES = st.lists(st.text("ab.*^/:?=&[]()\\ -i#A\u00e9", max_size=12) | st.binary(max_size=12), max_size=6)


@given(st.sampled_from(DIALECTS), LINES, LINES, st.lists(st.text("ab.:/?&=", max_size=12)))
def test_any_lines_make_a_set_and_any_text_can_be_asked(dialect, block, allow, tails):
    listed = PatternSet(dialect, block, allow)
    assert all(error.at <= len(error.text) for error in listed.errors)
    for tail in tails:
        for url in (tail, f"http://{tail}"):
            try:
                listed.match(url)
            except UrlKeyError as error:
                assert error.code in ERROR_CODES
