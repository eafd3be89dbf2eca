"""What holds for every URL: one property per claim, on URLs that are made to be awkward."""

import hashlib
import pickle
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import urlkey
from urlkey.systems import archive

PROFILES = urlkey.PROFILES
REPAIRS = ["trim_wrapping", "refang", "assume_scheme"]
HOST_RUNGS = [
    *("drop_root_dot", "drop_www", "fold_mobile_host", "fold_amp_host"),
    *("unwrap_redirector", "unwrap_amp", "site_form"),
]

# Every one of these has broken a canonicalizer.
NAMED = [
    "http://a/x/%%32%65%%32%65/y",
    "http://a/%4%31",
    "http://./evil.example/",
    "http://127.0.0.1../",
    "http://a/x/..;jsessionid=A",
    "http://a:443/",
    "https://a:80/",
    "http://a.example/" + "index.html/" * 1000,
    "http://" + "www." * 60 + "example.com/",
    "http://" + "m.www." * 30 + "example.com/",
    "http://a.example/?utm_source=rss;id=1",
    "data:text/plain,x?b=2&a=1",
    "intent://x#Intent;package=a;end",
    "http://a.example/" + "|" * 30_000,
    "http://a.example/?%26&%3d=%3D&a=%2B+%20",
    "http://a.example//..//.//b//",
    "http://a.example/%2e%2e/%2E/b/%2f..",
    "http://u:p@www.m.example.com.:8080//index.php?&&a&a&=&utm_id#!/x",
    "http://a.example/;jsessionid=0123456789ABCDEF0123456789ABCDEF?PHPSESSID=0123456789abcdef0123456789",
    "http://www.com/",
    "http://m.co.uk/",
    "http://xn--mnchen-3ya.de./%FC?%FC#%FC",
    "file:///C|/a/../b",
    "file://localhost/",
    "javascript:alert(1)//?b&a#c",
    "http://[::ffff:1.2.3.4]:80/?[]#[]",
    "web+demo:/.//not-a-host/",
    "non-special:/..//p",
    "non-special://h/..//p?b&a",
    "http://a.example/?&amp;b=1&amp;amp;a=2",
    "<http://a.example/>",
    "hxxp[:]//a[.]example/(x)",
    "www.a.example:80/x",
    "https://l.facebook.com/l.php?u=https%3A%2F%2Fl.facebook.com%2Fl.php",
    "https://l.facebook.com:8080/l.php?u=https%3A%2F%2Fwww.google.com%3A8080%2Furl%3Fq%3Dhttp%253A%252F%252Fa.example",
]

SCHEMES = ["http:", "https:", "HTTP:", "ftp:", "file:", "ws:", "mailto:", "data:", "x-y:", ""]
HOSTS = [
    "example.com",
    "EXAMPLE.com.",
    "www.example.co.uk",
    "m.www.example.com",
    "www.com",
    "münchen.de",
    "127.1",
    "0x7f.1",
    "[::1]",
    "a..b",
    "a%2eb",
    "localhost",
    "",
]
PIECES = [
    "/", "//", "/.", "/..", "/%2e%2E", "/index.html", "/index.php/", "/a", "/B", ";jsessionid=" + "A" * 32,
    "%", "%%", "%2", "%2f", "%41", "%7e", "%e9", "%C3%A9", "é", " ", "|", "[", "]", "\\", "<", "^", "\t",
]  # fmt: skip
FIELDS = [
    "a=1", "b=2", "a=2", "a", "a=", "=", "", "utm_source=x", "UTM_Id=1", "gclid=y", "utm_source=x;id=1",
    "PHPSESSID=0123456789abcdef0123456789", "sid=1", "%61=1", "a=%20+", "q=http://x/?y", "[x]=1", "amp;b=3",
    "X-Amz-Signature=" + "0" * 64,
]  # fmt: skip


@st.composite
def spellings(draw: st.DrawFn) -> str:
    scheme = draw(st.sampled_from(SCHEMES))
    slashes = draw(st.sampled_from(["//", "/", "", "\\\\", "///"]))
    userinfo = draw(st.sampled_from(["", "", "", "u@", "u:p@", ":@"]))
    host = draw(st.sampled_from(HOSTS))
    port = draw(st.sampled_from(["", "", "", ":80", ":443", ":8080", ":", ":0080"]))
    path = "".join(draw(st.lists(st.sampled_from(PIECES), max_size=6)))
    query = draw(st.none() | st.lists(st.sampled_from(FIELDS), max_size=6).map("&".join))
    fragment = draw(st.sampled_from([None, None, "", "top", "!/route", "/route", "%"]))
    text = f"{scheme}{slashes}{userinfo}{host}{port}{path}"
    text += "" if query is None else f"?{query}"
    text += "" if fragment is None else f"#{fragment}"
    return text


WRAPPERS = [
    ("https://www.google.com/url?q=", 1, "&sa=D"),
    ("http://l.facebook.com:8080/l.php?u=", 1, "&h=AT0"),
    ("http://www.l.facebook.com/l.php?utm_id=1&amp;u=", 1, "#x"),
    ("https://href.li/?", 0, ""),
    ("https://web.archive.org/web/2017id_/", 0, ""),
    ("https://x.safelinks.protection.outlook.com/?data=1&url=", 1, "&reserved=0"),
    ("https://urldefense.com/v3/__", 0, "__;IyMj!!x$"),
    ("https://www.awin1.com/cread.php?a=1&p=", 0, "&b"),
    ("https://www.youtube.com/attribution_link?u=", 2, ""),
    ("https://www.google.com/amp/s/example.com/", 0, "?amp"),
]


@st.composite
def wrapped(draw: st.DrawFn) -> str:
    """A link in links: up to seven layers, of one redirector or of several, some holding themselves."""
    text = draw(spellings())
    some = draw(st.lists(st.sampled_from(WRAPPERS), min_size=1, max_size=3))
    for number in range(draw(st.integers(1, 7))):
        front, escaped, back = some[number % len(some)]
        for _ in range(escaped):
            text = quote(text, safe="")
        text = f"{front}{text}{back}"
    return text


texts = spellings() | wrapped() | st.text(max_size=40) | st.text(alphabet="htp:/.?#%&=;@[]\\2eEaA0 \t", max_size=40)
rung_sets = st.sets(st.sampled_from(urlkey.RUNGS))
profiles = st.sampled_from(PROFILES)

thorough = settings(max_examples=400, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


def with_rungs(rungs: set[str]) -> urlkey.Policy:
    """The policy that has these rungs on and no other."""
    return urlkey.Policy("whatwg").with_(**{rung: rung in rungs for rung in urlkey.RUNGS})


def key_or_none(policy: urlkey.Policy, text: str, base: str | None = None) -> str | None:
    try:
        return policy.key(text, base)
    except urlkey.UrlKeyError as error:
        assert error.code in urlkey.ERROR_CODES
        assert error.at is not None
        return None


def assert_settled(policy: urlkey.Policy, text: str) -> None:
    """The key is its own key, an href, and what explain ends with."""
    key = key_or_none(policy, text)
    if key is None:
        return
    assert policy.key(key) is key
    assert policy.href(key) is key
    told = policy.explain(text)
    assert (told.key, told.href) == (key, policy.href(text))
    assert told.input == text
    at = text
    for step in told.steps:
        assert step.before == at
        at = step.after
    assert at == key


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("url", NAMED, ids=lambda url: url[:40])
def test_named_inputs_are_settled_under_every_profile(url, profile):
    assert_settled(urlkey.Policy(profile), url)


@pytest.mark.parametrize("url", [url for url in NAMED if len(url) < 1000], ids=lambda url: url[:40])
def test_named_inputs_are_settled_under_every_rung_alone_and_without_it(url):
    for rung in urlkey.RUNGS:
        assert_settled(with_rungs({rung}), url)
        assert_settled(with_rungs(set(urlkey.RUNGS) - {rung}), url)


def test_named_inputs_have_the_keys_that_were_settled():
    assert urlkey.key("http://a/%4%31") == "http://a/%2541"
    assert urlkey.key("http://a.example/?utm_source=rss;id=1") == "http://a.example/?utm_source=rss;id=1"
    assert with_rungs({"fold_scheme"}).key("http://a:443/") == "https://a/"
    assert urlkey.key("data:text/plain,x?b=2&a=1", policy="fold") == "data:text/plain,x?b=2&a=1"
    assert urlkey.key(NAMED[7], policy="fold") == "https://a.example/"
    assert urlkey.key(NAMED[8], policy="fold") == "https://example.com/"


@thorough
@given(text=texts, rungs=rung_sets)
def test_keys_are_settled_for_every_set_of_rungs(text, rungs):
    assert_settled(with_rungs(rungs), text)


@thorough
@given(text=texts, profile=profiles)
def test_keys_are_settled_for_every_profile(text, profile):
    assert_settled(urlkey.Policy(profile), text)


def outcome(call):
    """What a call gives, or what it raises."""
    try:
        return call()
    except urlkey.UrlKeyError as error:
        return error.code, error.at, error.input


@thorough
@given(text=texts | st.text(alphabet=st.characters(categories=["L", "Cs", "P"]), max_size=20))
def test_the_fast_road_equals_the_slow_road(text):
    """`key(str)` alone takes the fast road, with any keyword the slow one."""
    fast = outcome(lambda: urlkey.key(text))
    slow = outcome(lambda: urlkey.key(text, encoding="utf-8"))
    assert fast == slow
    assert (fast is text) == (slow is text)


@thorough
@given(text=texts | st.text(alphabet=st.characters(categories=["L", "Cs", "P"]), max_size=20))
def test_the_fast_road_of_surt_equals_the_slow_road(text):
    """`surt(str)` alone takes the fast road, with a flavor the slow one."""
    fast = outcome(lambda: archive.surt(text))
    assert fast == outcome(lambda: archive.surt(text, "python"))
    assert fast == outcome(lambda: archive.surt(url=text))


@thorough
@given(urls=st.lists(texts, max_size=8), profile=profiles, threads=st.integers(1, 3))
def test_batch_equals_single(urls, profile, threads):
    policy = urlkey.Policy(profile)
    single = [key_or_none(policy, url) for url in urls]
    assert policy.keys(urls, on_error="null", threads=threads) == single


@thorough
@given(a=texts, b=texts, profile=profiles)
def test_compare_agrees_with_keys(a, b, profile):
    policy = urlkey.Policy(profile)
    keys = key_or_none(policy, a), key_or_none(policy, b)
    if None in keys:
        with pytest.raises(urlkey.UrlKeyError):
            policy.compare(a, b)
        return
    seen = policy.compare(a, b)
    assert (seen.a, seen.b) == keys
    assert seen.same == (keys[0] == keys[1])
    assert (seen.part is None) == seen.same


@thorough
@given(text=texts, rungs=rung_sets)
def test_no_rung_but_a_host_rung_changes_the_host(text, rungs):
    policy = with_rungs(rungs - set(HOST_RUNGS))
    key = key_or_none(policy, text)
    if key is not None:
        assert urlkey.parse(key).hostname == policy.parse(text).hostname


@thorough
@given(text=texts, profile=profiles)
def test_bytes_give_what_str_gives(text, profile):
    policy = urlkey.Policy(profile)
    raw = text.encode("utf-8")
    key = key_or_none(policy, text)
    if key is None:
        with pytest.raises(urlkey.UrlKeyError):
            policy.key(raw)
        return
    assert policy.key(raw) == key
    assert policy.digest(raw) == policy.digest(text) == hashlib.sha256(key.encode()).digest()[:16]


@thorough
@given(raw=st.binary(max_size=60) | spellings().map(lambda text: text.encode("latin-1", "replace")))
def test_any_bytes_give_a_key_or_an_error_with_a_place(raw):
    try:
        key = urlkey.key(raw, policy="fold")
    except urlkey.UrlKeyError as error:
        assert error.code in urlkey.ERROR_CODES
        assert error.input == raw
    else:
        assert key.isascii()
        assert urlkey.key(key, policy="fold") is key


@thorough
@given(text=texts, base=spellings(), profile=profiles)
def test_a_reference_has_the_key_of_its_href(text, base, profile):
    policy = urlkey.Policy(profile)
    try:
        href = policy.join(base, text)
    except urlkey.UrlKeyError:
        assert key_or_none(policy, text, base) is None
        return
    assert policy.key(text, base) == policy.key(href)
    assert policy.key(text, urlkey.Base(base)) == policy.key(href)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(rungs=rung_sets, url=spellings())
def test_a_policy_survives_pickling(rungs, url):
    policy = with_rungs(rungs)
    again = pickle.loads(pickle.dumps(policy))
    assert again.id == policy.id
    assert set(again.rungs) == set(policy.rungs) == rungs
    assert key_or_none(again, url) == key_or_none(policy, url)


@thorough
@given(text=texts)
def test_the_parts_of_a_url_are_its_href(text):
    try:
        url = urlkey.parse(text)
    except urlkey.UrlKeyError:
        return
    assert urlkey.parse(url.href) == url
    assert pickle.loads(pickle.dumps(url)).violations == url.violations
    assert url.href.startswith(url.scheme + ":")
    assert url.href.endswith(
        url.path + ("" if url.query is None else f"?{url.query}") + ("" if url.fragment is None else f"#{url.fragment}")
    )
