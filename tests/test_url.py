"""Url and Base: the parts of a parsed URL, and changing them."""

import pickle

import pytest

import urlkey

REPAIRS = urlkey.Policy("safe").with_(trim_wrapping=True, assume_scheme=True)
URL = "http://user:pass@www.example.co.uk:8080/a/b?c=d#e"


def test_parts():
    url = urlkey.parse(URL)
    assert str(url) == url.href == URL
    assert (url.scheme, url.username, url.password) == ("http", "user", "pass")
    assert (url.host, url.hostname, url.port) == ("www.example.co.uk:8080", "www.example.co.uk", 8080)
    assert (url.path, url.query, url.fragment) == ("/a/b", "c=d", "e")
    assert url.origin == "http://www.example.co.uk:8080"
    assert url.registrable_domain == "example.co.uk"


def test_absent_parts_are_none_and_empty_ones_are_empty():
    url = urlkey.parse("http://example.com/")
    assert (url.port, url.query, url.fragment, url.username, url.password) == (None, None, None, "", "")
    url = urlkey.parse("http://example.com/?#")
    assert (url.query, url.fragment) == ("", "")
    mail = urlkey.parse("mailto:a@example.com")
    assert (mail.host, mail.hostname, mail.registrable_domain, mail.origin) == (None, None, None, "null")


@pytest.mark.parametrize("url", ["http://127.0.0.1/", "http://[::1]/", "http://localhost/", "http://co.uk/"])
def test_not_every_host_has_a_registrable_domain(url):
    assert urlkey.parse(url).registrable_domain is None


def test_violations_are_noted_under_the_standards_names():
    assert urlkey.parse("http://example.com/").violations == ()
    noted = urlkey.parse("http://user@example.com\\a").violations
    assert [violation.code for violation in noted] == ["invalid-credentials", "invalid-reverse-solidus"]
    assert noted[1] == urlkey.Violation("invalid-reverse-solidus", 23)


@pytest.mark.parametrize(
    ("parts", "href"),
    [
        ({"scheme": "https"}, "https://user:pass@www.example.co.uk:8080/a/b?c=d#e"),
        ({"username": ""}, "http://:pass@www.example.co.uk:8080/a/b?c=d#e"),
        ({"password": None}, "http://user@www.example.co.uk:8080/a/b?c=d#e"),
        ({"host": "example.org:81"}, "http://user:pass@example.org:81/a/b?c=d#e"),
        ({"hostname": "EXAMPLE.org"}, "http://user:pass@example.org:8080/a/b?c=d#e"),
        ({"port": 80}, "http://user:pass@www.example.co.uk/a/b?c=d#e"),
        ({"port": None}, "http://user:pass@www.example.co.uk/a/b?c=d#e"),
        ({"path": "/x/../y z"}, "http://user:pass@www.example.co.uk:8080/y%20z?c=d#e"),
        ({"query": None}, "http://user:pass@www.example.co.uk:8080/a/b#e"),
        ({"query": "?"}, "http://user:pass@www.example.co.uk:8080/a/b?#e"),
        ({"fragment": None, "query": "x"}, "http://user:pass@www.example.co.uk:8080/a/b?x"),
        ({"href": "http://example.org"}, "http://example.org/"),
        ({"scheme": "https", "port": 443}, "https://user:pass@www.example.co.uk/a/b?c=d#e"),
        ({}, URL),
    ],
    ids=str,
)
def test_replace_gives_a_new_url(parts, href):
    url = urlkey.parse(URL)
    assert url.replace(**parts).href == href
    assert url.href == URL


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("http://example.com/", {"scheme": "mailto"}),
        ("http://example.com/", {"hostname": ""}),
        ("http://example.com/", {"port": 70000}),
        ("http://example.com/", {"port": "x"}),
        ("http://example.com/", {"hostname": "a b"}),
        ("mailto:a@example.com", {"host": "example.com"}),
        ("mailto:a@example.com", {"path": "/"}),
        ("file:///a", {"username": "x"}),
        ("file:///a", {"port": 80}),
        ("http://example.com/", {"href": "nonsense"}),
    ],
    ids=str,
)
def test_replace_raises_where_the_standard_ignores(url, parts):
    with pytest.raises(urlkey.UrlKeyError):
        urlkey.parse(url).replace(**parts)


def test_replace_takes_known_parts_of_known_types():
    url = urlkey.parse(URL)
    with pytest.raises(TypeError, match='"netloc" is none of href, scheme'):
        url.replace(netloc="example.com")
    for port in (1.5, True):
        with pytest.raises(TypeError, match="port must be int, str or None, not "):
            url.replace(port=port)
    for part in ("path", "host", "href"):
        with pytest.raises(TypeError, match=f"{part} must be str or None, not int"):
            url.replace(**{part: 1})


def test_urls_are_equal_and_hashed_by_href():
    one, two = urlkey.parse("HTTP://example.com"), urlkey.parse("http://example.com/")
    assert one == two
    assert len({one, two, urlkey.parse("http://example.com/a")}) == 2
    assert one != "http://example.com/"
    assert urlkey.Base("http://example.com") == urlkey.Base("http://example.com/")


def test_a_url_is_frozen():
    with pytest.raises(AttributeError):
        urlkey.parse(URL).href = "http://example.com/"


@pytest.mark.parametrize(
    "url",
    [
        urlkey.parse("http:\\\\example.com"),
        urlkey.parse("../é?é", urlkey.parse("http://example.com/a/b"), encoding="latin1"),
        urlkey.parse(b"http://example.com/\xff"),
        urlkey.parse(URL).replace(port=None),
        urlkey.parse("<example.com\\a?é>", policy=REPAIRS, encoding="latin1"),
    ],
    ids=repr,
)
def test_a_url_can_be_pickled(url):
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(url, protocol))
        assert again == url
        assert again.violations == url.violations


def test_a_base_can_be_pickled():
    base = urlkey.Base("http://example.com/a")
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(base, protocol)) == base


def test_violations_come_by_offset():
    noted = [violation.at for violation in urlkey.parse("http://u@a.example\\x y|\\").violations]
    assert len(noted) > 3
    assert noted == sorted(noted)


def test_repr_is_for_eyes():
    assert repr(urlkey.parse("http://user:hunter2@example.com/")) == "Url('http://user:***@example.com/')"
    assert repr(urlkey.Base("http://example.com")) == "Base('http://example.com/')"


def test_a_base_must_be_a_url():
    with pytest.raises(urlkey.UrlKeyError):
        urlkey.Base("/relative")
