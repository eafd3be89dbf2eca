"""None in a batch is a row without a URL: one rule for all of them (docs/bad-input.md)."""

import numpy
import pytest

import urlkey
from urlkey.store import Seen, Store
from urlkey.systems import archive, company, gateway, reputation, shortener, social

GOOD = "http://evil.example/"
ROWS = [GOOD, None, GOOD]
LISTED = reputation.Blocklist([GOOD])
HASHED = reputation.Blocklist([reputation.hashes(GOOD)[0].hex()])
PATTERNS = gateway.PatternSet("zscaler", ["evil.example"])
HOSTS = gateway.Homographs(["paypal.com"])


def on_hosts(rows, **options):
    return HOSTS.check_many(["paypa1.com" if row == GOOD else row for row in rows], **options)


RAISING = {
    "keys": urlkey.keys,
    "keys of a policy": urlkey.Policy("safe").keys,
    "keys on threads": lambda rows, **options: urlkey.keys(rows, threads=2, **options),
    "keys of an iterator": lambda rows, **options: urlkey.keys(iter(rows), **options),
    "dedupe_keys": shortener.dedupe_keys,
    "lookup_many": LISTED.lookup_many,
    "lookup_many of hashes": HASHED.lookup_many,
    "match_many": PATTERNS.match_many,
    "homographs": on_hosts,
    "add_many": lambda rows, **options: Seen().add_many(rows, **{"on_error": "raise"} | options),
}
NULLING = {"keys", "keys of a policy", "keys on threads", "keys of an iterator", "dedupe_keys", "add_many"}


@pytest.mark.parametrize("name", RAISING)
def test_a_row_without_a_url_is_an_error_with_a_code(name):
    with pytest.raises(urlkey.UrlKeyError) as caught:
        RAISING[name](ROWS)
    assert (caught.value.code, caught.value.input) == ("no-url", None)
    if name != "dedupe_keys":
        assert caught.value.__notes__ == ["in row 1, counted from 0"]


@pytest.mark.parametrize("name", RAISING)
def test_no_row_is_lost_where_errors_go_into_their_rows(name):
    first, second, third = RAISING[name](ROWS, on_error="error")
    assert isinstance(second, urlkey.UrlKeyError)
    assert second.code == "no-url"
    assert first is not None
    assert third is not None
    assert not isinstance(first, urlkey.UrlKeyError)
    assert not isinstance(third, urlkey.UrlKeyError)


@pytest.mark.parametrize("name", sorted(NULLING))
def test_null_gives_none(name):
    rows = RAISING[name](ROWS, on_error="null")
    assert [row is None for row in rows] == [False, True, False]


@pytest.mark.parametrize("name", RAISING)
def test_other_types_are_type_errors_that_name_the_row(name):
    place = "url" if name == "dedupe_keys" else r"(urls|hosts)\[1\]"
    for other in (7, numpy.nan):
        with pytest.raises(TypeError, match=f"^{place} must be str or bytes, not {type(other).__name__}$"):
            RAISING[name]([GOOD, other], on_error="error")


def test_what_has_no_on_error_says_what_it_says_of_no_url():
    assert [verdict.accepted for verdict in gateway.check_many(ROWS)] == [True, False, True]
    assert [reason.code for reason in gateway.check_many(ROWS)[1].reasons] == ["no-url"]
    assert [verdict.accepted for verdict in shortener.check_all(ROWS)] == [True, False, True]
    assert [reason.code for reason in list(shortener.check_all(ROWS))[1].reasons] == ["no-url"]
    assert archive.surts(ROWS) == [archive.surt(row) for row in ROWS] == ["example,evil)/", "-", "example,evil)/"]
    assert [found.key for found in company.company_keys(["acme.com", None])] == ["acme.com", None]
    assert company.company_keys([None])[0].reason == company.company_key("").reason
    youtube = "https://youtu.be/dQw4w9WgXcQ"
    assert [found is None for found in social.social_ids([youtube, None, youtube])] == [False, True, False]


def test_a_store_passes_nulls_over_as_it_does_in_columns(tmp_path):
    with Store.open(tmp_path / "store.db") as store:
        assert store.add_many(ROWS) == [True, None, False]
        again = store.add_many(ROWS, on_error="error")
        assert (again[0], again[1].code, again[2]) == (False, "no-url", False)
        assert list(store.rejects()) == []
