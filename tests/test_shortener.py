"""urlkey.systems.shortener: keys that never merge two pages."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import suites
import urlkey
import verdicts
from urlkey.systems import shortener
from verdicts import NotApplicable, Row, differ


@pytest.mark.parametrize(
    "spelling",
    [
        "HTTPS://Shop.Example:443/a/./b/../%7Eann?q=%c3%a9#/r",
        "https://shop.example/a/~ann?q=é#/r",
        "https:shop.example/a/~ann?q=%C3%A9#/r",
        "https://ｓｈｏｐ.example/a/%7eann?%71=%C3%a9#/r",  # noqa: RUF001
    ],
)
def test_spellings_that_specifications_call_equivalent_have_one_key(spelling):
    assert shortener.dedupe_key(spelling) == "https://shop.example/a/~ann?q=%C3%A9#/r"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("https://a.example/#x", "https://a.example/"),
        ("https://a.example/#x", "https://a.example/#y"),
        ("https://a.example/?utm_source=x", "https://a.example/"),
        ("https://a.example/?a=1&b=2", "https://a.example/?b=2&a=1"),
        ("https://a.example/?", "https://a.example/"),
        ("https://a.example/?a", "https://a.example/?a="),
        ("https://a.example/x/", "https://a.example/x"),
        ("https://a.example/X", "https://a.example/x"),
        ("https://a.example//x", "https://a.example/x"),
        ("https://a.example/%2F", "https://a.example//"),
        ("https://a.example/?a=%26", "https://a.example/?a=&"),
        ("https://a.example/?a=+", "https://a.example/?a=%20"),
        ("http://a.example/", "https://a.example/"),
        ("https://www.a.example/", "https://a.example/"),
        ("https://a.example./", "https://a.example/"),
        ("https://a.example:444/", "https://a.example/"),
        ("https://u@a.example/", "https://a.example/"),
        ("https://a.example/;jsessionid=8DBFC2FEDBD740BBC8B4D1A504A6DE7F", "https://a.example/"),
        ("https://a.example/index.html", "https://a.example/"),
    ],
)
def test_spellings_that_may_be_two_pages_have_two_keys(a, b):
    assert shortener.dedupe_key(a) != shortener.dedupe_key(b)


def test_a_scheme_must_be_there():
    for url in ("a.example", "//a.example/", "/x", ""):
        with pytest.raises(urlkey.UrlKeyError):
            shortener.dedupe_key(url)


def stays_as_it_is(row: Row):
    url = row.get("example", "")
    if "://" not in url or url.endswith("...") or "=..." in url:
        raise NotApplicable("no whole example")
    href = urlkey.href(url)
    verdict = shortener.check(url, ["go.example"])
    return differ([shortener.dedupe_key(url), verdict.key, verdict.href, verdict.accepted], [href] * 3 + [True])


def test_the_key_of_a_signed_url_is_its_href():
    rows = suites.shared_list("domains/signed_urls.json", "schemes")
    known = [row["known_answer"]["url"] for row in rows if "known_answer" in row]
    rows += [{"id": f"known-{i}", "example": url} for i, url in enumerate(known)]
    verdicts.hold("domains/signed_urls.dedupe_key", rows, stays_as_it_is)


def breaks_apart(row: Row):
    """Spellings that a signature tells apart have keys of their own."""
    edits = row.get("still_valid_after") or {}
    url = row.get("example", "")
    if not edits or url.endswith("..."):
        raise NotApplicable("no whole example")
    made = {
        "sort_query": lambda path, query: (path, "&".join(sorted(query.split("&")))),
        "reverse_query": lambda path, query: (path, "&".join(reversed(query.split("&")))),
        "append_utm_param": lambda path, query: (path, f"{query}&utm_source=x"),
        "lowercase_percent_hex": lambda path, query: (
            path,
            re.sub("%[0-9A-F]{2}", lambda escape: escape[0].lower(), query),
        ),
        "space_%20_to_plus": lambda path, query: (path, query.replace("%20", "+")),
        "lowercase_whole_query": lambda path, query: (path, query.lower()),
        "collapse_double_slash_in_path": lambda path, query: (re.sub("(?<!:)//+", "/", path), query),
    }
    broken = [name for name, valid in edits.items() if valid is False and name in made]
    one = []
    for name in broken:
        path, query = made[name](*url.split("?"))
        edited = f"{path}?{query}"
        if urlkey.href(edited) != urlkey.href(url) and shortener.dedupe_key(edited) == shortener.dedupe_key(url):
            one.append(name)
    return differ(one, [])


def test_no_edit_that_breaks_a_signature_keeps_the_key():
    rows = suites.shared_list("domains/signed_urls.json", "schemes")
    verdicts.hold("domains/signed_urls.edits", rows, breaks_apart)


@given(st.text(max_size=40))
def test_keys_are_their_own_keys_and_never_shared_beyond_safe(tail):
    url = f"https://a.example/{tail}"
    key = shortener.dedupe_key(url)
    assert shortener.dedupe_key(key) == key
    assert urlkey.key(key, policy="safe") == urlkey.key(url, policy="safe")


def test_batches_keep_their_rows():
    urls = ["https://A.example", "a.example", b"https://a.example/%ff"]
    assert shortener.dedupe_keys(urls, on_error="null") == ["https://a.example/", None, "https://a.example/%FF"]
    errors = shortener.dedupe_keys(urls, on_error="error")
    assert [getattr(row, "code", None) for row in errors] == [None, "missing-scheme-non-relative-URL", None]
    with pytest.raises(urlkey.UrlKeyError):
        shortener.dedupe_keys(urls)
    with pytest.raises(ValueError, match="on_error"):
        shortener.dedupe_keys([], on_error="drop")


def test_the_policy_id_names_all_that_decides():
    assert re.fullmatch("[0-9a-f]{64}-signed-[0-9]+", shortener.dedupe_policy())
