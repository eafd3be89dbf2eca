"""`compat.w3lib.canonicalize_url` gives what w3lib 2.5 gives: on its own suite, on real URLs and on any text."""

import gzip
import random
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import ParseResult, urlparse

import pytest
import w3lib.url
from hypothesis import given, settings
from hypothesis import strategies as st

import suites
import urlkey
import verdicts
from urlkey.compat.w3lib import canonicalize_url

CORPORA = Path(__file__).parents[2] / "shared" / "corpora"
ROWS_OF_A_FILE = 4_000

OWN = suites.own("w3lib.jsonl")


def outcome(function: Callable[..., str], url: Any, options: dict[str, Any]) -> str | tuple[str, ...]:
    """What a call gives, or the kind of error that it raises."""
    try:
        return function(url, **options)
    except UnicodeEncodeError as error:
        return ("UnicodeEncodeError", error.encoding)
    except ValueError:
        return ("ValueError",)
    except LookupError as error:
        return ("LookupError", str(error))


def both(url: Any, **options: Any) -> None:
    ours = outcome(canonicalize_url, url, options)
    assert ours == outcome(w3lib.url.canonicalize_url, url, options), (url, options)


@pytest.mark.parametrize("row", OWN, ids=[row["id"] for row in OWN])
def test_own_vectors(row):
    url, options = verdicts.given(row), row.get("options", {})
    ours = outcome(canonicalize_url, url, options)
    assert (ours if isinstance(ours, str) else ours[0]) == row.get("expected", row.get("error"))
    both(url, **options)


def test_the_suite_of_w3lib():
    rows = [row for row in suites.shared("w3lib/w3lib.jsonl") if row["op"] == "canonicalize_url"]
    verdicts.hold(
        "w3lib",
        rows,
        lambda row: verdicts.differ(canonicalize_url(url_of(row), **row.get("options", {})), row["expected"]),
    )


def url_of(row: dict[str, Any]) -> str | bytes:
    return row["input"].encode() if row.get("input_encoding") == "utf8-bytes" else verdicts.given(row)


@pytest.mark.parametrize(
    "options",
    [{}, {"keep_fragments": True, "encoding": "latin1"}, {"query_separator": ";", "keep_blank_values": False}],
)
def test_every_input_of_the_suite_of_w3lib(options):
    for row in suites.shared("w3lib/w3lib.jsonl"):
        if isinstance(row["input"], str):
            both(url_of(row), **options)


@pytest.mark.parametrize("folder", ["bench", "urls"])
def test_real_urls(folder):
    if not CORPORA.exists():
        pytest.skip("../shared/corpora is not there: the corpora are no part of the project")
    for path in sorted((CORPORA / folder).glob("*.txt.gz")):
        lines = gzip.decompress(path.read_bytes()).splitlines()
        lines = random.Random(1).sample(lines, min(len(lines), ROWS_OF_A_FILE))
        for number, line in enumerate(line for line in lines if len(line) < 20_000):
            both(line.decode("utf-8", "surrogateescape"))
            if number % 9 == 0:
                both(line, keep_fragments=True, encoding="cp1252")


@pytest.mark.parametrize(
    "parts",
    [
        urlparse("http://A.example/x;p?b&a#f"),
        ParseResult("", "", "", "", "", ""),
        ParseResult("Ht tp", "A:/?#B", "x?y#z", "p#q", "q#r", "f"),
        ParseResult("http", "a.example", "b", "p", "", ""),
        ParseResult("http", "", "b;c/d", "p", "", ""),
        ParseResult("http", "", "//b", "", "", ""),
        ParseResult("mailto", "", "x", "p", "q", "f"),
        ParseResult("http", "a.example", "/../x", "p/../y", "", ""),
        ParseResult("", "a.example", "", "", "q", ""),
    ],
)
def test_parse_results(parts):
    both(parts)
    both(parts, keep_fragments=True)


@pytest.mark.parametrize("url", [None, 5, bytearray(b"http://a.example/"), ("http", "a.example", "/", "", "", "")])
def test_what_is_no_url_is_a_type_error(url):
    for function in (canonicalize_url, w3lib.url.canonicalize_url):
        with pytest.raises(TypeError):
            function(url)


def test_an_error_says_what_is_wrong_and_where():
    with pytest.raises(urlkey.UrlKeyError) as caught:
        canonicalize_url(" http://a.ex\tample:70000/")
    assert (caught.value.code, caught.value.at) == ("port-out-of-range", 19)


def test_any_truth_switches():
    assert canonicalize_url("http://a.example/?a=#b", 0, 1) == "http://a.example/#b"


# Characters that the running Python has no properties of are left out: w3lib's result for them changes with Python.
KNOWN = st.characters(exclude_categories=["Cn", "Cs"])
PIECES = st.sampled_from(
    [
        *(
            "http://",
            "HTTPS:",
            "foo:",
            "foo://",
            "file:",
            "ws:",
            "mailto:",
            "//",
            "/",
            "\\",
            "?",
            "#",
            "&",
            "=",
            ";",
            "+",
        ),
        *(
            "%",
            "%2",
            "%41",
            "%2f",
            "%25",
            "%C3%A9",
            "%e9",
            "%%",
            "%3B",
            "%2e",
            "@",
            ":",
            ":80",
            ":080",
            "[",
            "]",
            "[::1]",
        ),
        *(
            "::",
            "[v1.a]",
            ".",
            "..",
            "/..",
            "/.",
            "a.example",
            "xn--",
            "\t",
            "\n",
            " ",
            "\x00",
            "\x7f",
            "\xa0",
            "'",
            "|",
        ),
        *("é", "ß", "İ", "\uff0f", "。", "א", "€", "\ud800", "u", "A", "0"),
    ]
)
TEXTS = st.lists(st.one_of(PIECES, PIECES, PIECES, KNOWN), max_size=14).map("".join)
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "keep_blank_values": st.booleans(),
        "keep_fragments": st.booleans(),
        "encoding": st.sampled_from(
            [
                "utf8",
                "latin1",
                "cp1251",
                "gb18030",
                "shift_jis",
                "iso2022_jp",
                "utf-16",
                "utf-7",
                "ascii",
                "klingon",
                "",
            ]
        ),
        "query_separator": st.sampled_from(["&", ";", "", "%", "&&", "é", "a", "+", "'"]),
    },
)


@settings(max_examples=1500, deadline=None)
@given(TEXTS, OPTIONS)
def test_any_text(text, options):
    both(text, **options)


@settings(max_examples=500, deadline=None)
@given(st.one_of(st.binary(), TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass"))), OPTIONS)
def test_any_bytes(data, options):
    both(data, **options)


@settings(max_examples=1000, deadline=None)
@given(st.text(KNOWN, max_size=8))
def test_any_host(host):
    both(f"http://{host}/")


def test_every_character_in_a_host():
    known = (chr(point) for point in range(0x80, 0x30000) if unicodedata.category(chr(point)) not in ("Cn", "Cs", "Lo"))
    for c in known:
        both(f"http://a{c}/")
