"""UrlKeyError: what is wrong, where, and with what."""

import pickle

import pytest

import urlkey

# The codes are an interface: one is added or renamed here and in CHANGELOG, or not at all.
CODES = {
    "domain-to-ASCII",
    "domain-to-Unicode",
    "domain-invalid-code-point",
    "host-invalid-code-point",
    "IPv4-empty-part",
    "IPv4-too-many-parts",
    "IPv4-non-numeric-part",
    "IPv4-non-decimal-part",
    "IPv4-out-of-range-part",
    "IPv6-unclosed",
    "IPv6-invalid-compression",
    "IPv6-too-many-pieces",
    "IPv6-multiple-compression",
    "IPv6-invalid-code-point",
    "IPv6-too-few-pieces",
    "IPv4-in-IPv6-too-many-pieces",
    "IPv4-in-IPv6-invalid-code-point",
    "IPv4-in-IPv6-out-of-range-part",
    "IPv4-in-IPv6-too-few-parts",
    "invalid-URL-unit",
    "special-scheme-missing-following-solidus",
    "missing-scheme-non-relative-URL",
    "invalid-reverse-solidus",
    "invalid-credentials",
    "host-missing",
    "port-out-of-range",
    "port-invalid",
    "file-invalid-Windows-drive-letter",
    "file-invalid-Windows-drive-letter-host",
    "not-an-IP-address",
    "zone-id",
    "not-a-hash",
    "bad-pattern",
    "too-long",
    "not-utf8",
    "surrogate",
    "no-url",
    "setter-ignored",
    "bad-policy",
    "bad-rule",
    "policy-mismatch",
}

# input, code, byte offset
FATAL = [
    ("", "missing-scheme-non-relative-URL", 0),
    ("example.com", "missing-scheme-non-relative-URL", 0),
    ("http://", "host-missing", 7),
    ("http://example.com:70000/", "port-out-of-range", 19),
    ("http://example.com:8a/", "port-invalid", 20),
    ("http://exa mple.com/", "domain-invalid-code-point", 10),
    ("foo://exa mple/", "host-invalid-code-point", 9),
    ("http://1.2.3.4.5/", "IPv4-too-many-parts", 7),
    ("http://1.2.3.256/", "IPv4-out-of-range-part", 7),
    ("http://a.b.1/", "IPv4-non-numeric-part", 7),
    ("http://[::1/", "IPv6-unclosed", 7),
    ("http://[1:2]/", "IPv6-too-few-pieces", 8),
    ("http://[1::2::3]/", "IPv6-multiple-compression", 13),
    ("http://[:1]/", "IPv6-invalid-compression", 8),
    ("http://[1:2:3:4:5:6:7:8:9]/", "IPv6-too-many-pieces", 24),
    ("http://[g]/", "IPv6-invalid-code-point", 8),
    ("http://[::1.2.3]/", "IPv4-in-IPv6-too-few-parts", 15),
    ("http://[::1.2.3.256]/", "IPv4-in-IPv6-out-of-range-part", 18),
    ("http://xn--a.é/", "domain-to-ASCII", 7),
]


def test_every_code_of_the_core_crosses_the_seam():
    assert len(urlkey.ERROR_CODES) == len(set(urlkey.ERROR_CODES))
    assert set(urlkey.ERROR_CODES) == CODES


@pytest.mark.parametrize(("url", "code", "at"), FATAL, ids=lambda value: repr(value)[:40])
def test_fatal_errors_have_code_place_and_input(url, code, at):
    for function in (urlkey.key, urlkey.href, urlkey.parse, urlkey.digest, urlkey.explain, urlkey.identify):
        with pytest.raises(urlkey.UrlKeyError) as error:
            function(url)
        assert error.value.code == code
        assert error.value.input is url
        assert 0 <= error.value.at <= len(url.encode())


@pytest.mark.parametrize(("url", "code", "at"), FATAL, ids=lambda value: repr(value)[:40])
def test_fatal_errors_point_at_the_byte(url, code, at):
    with pytest.raises(urlkey.UrlKeyError) as error:
        urlkey.key(url)
    assert error.value.at == at


@pytest.mark.parametrize(
    ("url", "at"), [("\ud800", 0), ("http://example.com/\udfff", 19), ("http://é/\udc80\udc81", 10)]
)
def test_a_lone_surrogate_is_found_at_its_byte(url, at):
    with pytest.raises(urlkey.UrlKeyError) as error:
        urlkey.key(url)
    assert (error.value.code, error.value.at, error.value.input) == ("surrogate", at, url)


def test_other_code_points_of_three_bytes_are_no_surrogates():
    assert urlkey.key("http://example.com/\ud7ff\ue000") == "http://example.com/%ED%9F%BF%EE%80%80"


def test_messages_say_what_and_where_and_never_hold_the_input():
    secret = "http://user:hunter2@example.com:70000/"
    with pytest.raises(urlkey.UrlKeyError) as error:
        urlkey.key(secret)
    assert "hunter2" not in str(error.value)
    assert str(error.value)[0].islower()
    assert not str(error.value).endswith(".")


def test_it_is_a_value_error_with_defaults():
    assert issubclass(urlkey.UrlKeyError, ValueError)
    plain = urlkey.UrlKeyError("nothing said")
    assert (plain.code, plain.at, plain.input) == (None, None, None)


def test_it_can_be_pickled():
    with pytest.raises(urlkey.UrlKeyError) as error:
        urlkey.key(b"http://a:x/")
    again = pickle.loads(pickle.dumps(error.value))
    assert (again.code, again.at, again.input) == ("port-invalid", 9, b"http://a:x/")
    assert str(again) == str(error.value)


def test_the_limit_is_the_policys():
    url = "http://example.com/" + "a" * 70_000
    with pytest.raises(urlkey.UrlKeyError) as error:
        urlkey.key(url)
    assert error.value.code == "too-long"
    assert urlkey.Policy("crawl").with_(input_bytes=100_000).key(url) is url


def test_hostile_inputs_give_a_key_or_a_code():
    policy = urlkey.Policy("fold").with_(input_bytes=20_000_000)
    hostile = [
        "http://example.com/" + "a" * 10_000_000,
        "http://example.com/?" + "&".join(f"p{n}" for n in range(100_000, 0, -1)),
        "http://example.com/" + "../" * 100_000,
        "http://example.com/" + "%" * 100_000,
        "http://example.com/" + "\0" * 1000,
        "http://" + "www." * 60 + "example.com/",
        "http://" + "\u0301" * 100_000 + "/",
        "http://" + "漢" * 100_000 + ".example/",
        bytes(range(256)),
        b"\xff" * 1000,
    ]
    for url in hostile:
        try:
            key = policy.key(url)
        except urlkey.UrlKeyError as error:
            assert error.code in urlkey.ERROR_CODES
        else:
            assert policy.key(key) == key
