"""key, href, digest, join: one URL in, one text out."""

import hashlib
import inspect
import pickle
import sys
import threading

import pytest

import urlkey

SPELLING = "HTTP://Example.com:80/a/../b?utm_source=x&b=2&a=1#top"
KEY = "http://example.com/b?a=1&b=2"


def test_key_of_a_spelling():
    assert urlkey.key(SPELLING) == KEY


@pytest.mark.parametrize("policy", ["whatwg", "safe", "crawl", "aggressive"])
def test_the_same_object_comes_back_where_nothing_changes(policy):
    url = "".join(["https://example.com", "/a/b?a=1&b=2"])
    assert urlkey.key(url, policy=policy) is url
    assert urlkey.href(url, policy=policy) is url
    assert urlkey.Policy(policy).key(url) is url


def test_a_str_of_a_subclass_gives_a_plain_one():
    class Text(str):
        pass

    url = Text(KEY)
    assert urlkey.key(KEY) is KEY
    for made in (urlkey.key(url), urlkey.key(url, policy="safe"), urlkey.href(url), *urlkey.keys([url])):
        assert made == KEY
        assert type(made) is str


def test_bytes_give_str():
    assert urlkey.key(SPELLING.encode()) == KEY
    assert urlkey.key(KEY.encode()) == KEY
    assert isinstance(urlkey.key(KEY.encode()), str)
    assert urlkey.href(b"http://example.com") == "http://example.com/"


def test_bytes_outside_utf8_are_escaped_as_themselves_in_path_and_query():
    assert urlkey.key(b"http://example.com/\xe9?\xff") == "http://example.com/%E9?%FF"


def test_bytes_outside_utf8_are_an_error_in_the_host():
    with pytest.raises(urlkey.UrlKeyError) as error:
        urlkey.key(b"http://ex\xe9mple.com/")
    assert (error.value.code, error.value.at) == ("not-utf8", 9)


@pytest.mark.parametrize(
    "base",
    [
        "http://example.com/a/b",
        b"http://example.com/a/b",
        urlkey.Base("http://example.com/a/b"),
        urlkey.Base(urlkey.parse("http://example.com/a/b")),
        urlkey.parse("http://example.com/a/b"),
    ],
    ids=["str", "bytes", "Base", "Base of Url", "Url"],
)
def test_a_base_may_be_given_in_every_shape(base):
    assert urlkey.key("../c", base) == "http://example.com/c"
    assert urlkey.key("../c", base=base) == "http://example.com/c"
    assert urlkey.join(base, "../c") == "http://example.com/c"
    assert urlkey.keys(["../c"], base) == ["http://example.com/c"]
    assert urlkey.parse("../c", base).href == "http://example.com/c"


def test_a_bad_base_is_named_as_the_input():
    with pytest.raises(urlkey.UrlKeyError) as error:
        urlkey.key("../c", "no base")
    assert error.value.input == "no base"
    assert error.value.__notes__ == ["in the base"]


def test_policy_takes_a_name_or_a_policy():
    url = "http://www.example.com/"
    assert urlkey.key(url, policy="crawl") == url
    assert urlkey.key(url, policy="aggressive") == "http://example.com/"
    assert urlkey.key(url, policy=urlkey.Policy("aggressive")) == "http://example.com/"


def test_encoding_decides_how_the_query_is_written():
    assert urlkey.href("http://example.com/é?é", encoding="latin1") == "http://example.com/%C3%A9?%E9"
    assert urlkey.href("http://example.com/?é", encoding="windows-1252") == "http://example.com/?%E9"
    assert urlkey.href("http://example.com/?é", encoding="utf-8") == "http://example.com/?%C3%A9"


def test_an_unknown_encoding_is_a_lookup_error():
    with pytest.raises(LookupError, match="klingon"):
        urlkey.key("http://example.com/", encoding="klingon")


def test_digest_is_half_a_sha256_of_the_key():
    expected = hashlib.sha256(KEY.encode()).digest()[:16]
    assert urlkey.digest(SPELLING) == urlkey.digest(KEY) == urlkey.digest(KEY.encode()) == expected


def test_href_is_what_a_client_requests():
    assert urlkey.href(SPELLING) == "http://example.com/b?utm_source=x&b=2&a=1#top"


def test_a_str_subclass_is_a_str():
    class Link(str):
        pass

    assert urlkey.key(Link(SPELLING)) == KEY


@pytest.mark.parametrize("function", [urlkey.key, urlkey.href, urlkey.digest, urlkey.parse, urlkey.explain])
@pytest.mark.parametrize("url", [None, 3, bytearray(b"http://example.com/"), ["http://example.com/"]])
def test_other_types_are_a_type_error(function, url):
    with pytest.raises(TypeError, match="url must be str or bytes, not"):
        function(url)


def test_other_types_of_policy_base_and_encoding_are_a_type_error():
    url = "http://example.com/"
    with pytest.raises(TypeError, match="policy must be a name or a Policy, not int"):
        urlkey.key(url, policy=3)
    with pytest.raises(TypeError, match="base must be str, bytes, Base or Url, not int"):
        urlkey.key(url, 3)
    with pytest.raises(TypeError, match="encoding must be str, not int"):
        urlkey.key(url, encoding=3)


def test_key_looks_like_any_other_function():
    assert str(inspect.signature(urlkey.key)) == str(inspect.signature(urlkey.href))
    assert (urlkey.key.__name__, urlkey.key.__module__) == ("key", urlkey.href.__module__)
    assert pickle.loads(pickle.dumps(urlkey.key)) is urlkey.key
    assert urlkey.key(url="http://example.com") == "http://example.com/"
    for wrong in (lambda: urlkey.key(), lambda: urlkey.key("a:b", None, None), lambda: urlkey.key("a:b", x=1)):
        with pytest.raises(TypeError, match="key\\(\\)"):
            wrong()


def test_the_fast_road_keeps_references():
    url = "".join(["http://example.com/", "a"])
    before = sys.getrefcount(url), sys.getrefcount(None)
    for _ in range(1000):
        urlkey.key(url)
        urlkey.key("HTTP://example.com")
    assert abs(sys.getrefcount(url) - before[0]) <= 1
    assert abs(sys.getrefcount(None) - before[1]) < 500


def test_policy_and_encoding_are_keyword_only():
    with pytest.raises(TypeError):
        urlkey.key("http://example.com/", None, "crawl")


def test_threads_have_their_own_buffers():
    urls = [f"HTTP://example.com/{n}?b&a" for n in range(500)]
    expected = [f"http://example.com/{n}?a&b" for n in range(500)]
    wrong = []

    def work():
        wrong.extend(url for url, key in zip(urls, expected, strict=True) if urlkey.key(url) != key)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
