"""Keys, spellings, rejects, fetches: what goes in comes out."""

import random
from itertools import chain

import pytest

import urlkey
from stores.given import A2, A_KEY, BAD, A, B, content, naive
from urlkey.store import Entry, Store


def test_a_key_is_new_once(place):
    with Store.open(place) as store:
        assert store.add(A) is True
        assert store.add(A2) is False
        assert store.add_many([A_KEY, B, B, BAD]) == [False, True, False, None]
        assert (len(store), A in store, "http://c.example/" in store) == (2, True, False)


def test_every_spelling_has_its_count_and_times(place):
    with Store.open(place) as store:
        store.add_many([A2, A, A], time=200)
        store.add_many([A, A_KEY], time=100)
        store.add(A, time=300)
        entry = store.get(A_KEY)
        assert isinstance(entry, Entry)
        assert entry.key == A_KEY
        assert entry.digest == urlkey.digest(A)
        assert entry.spellings[0].text == A2
        found = {spelling.text: (spelling.count, spelling.first, spelling.last) for spelling in entry.spellings}
        assert found == {A2: (1, 200, 200), A: (4, 100, 300), A_KEY: (1, 100, 100)}
        assert (entry.count, entry.first, entry.last) == (6, 100, 300)
        assert store.spellings(A) == entry.spellings
        store.verify()


def test_what_is_not_there_is_none(place):
    with Store.open(place) as store:
        assert store.get(B) is None
        assert store.spellings(B) == ()
        assert store.resolve(B) == B
        assert list(store) == []


def test_bad_urls_are_kept_with_their_reason(place):
    with Store.open(place) as store:
        row, error = store.add_many([B, BAD], time=10, on_error="error")
        assert (row, error.code, error.at) == (True, "port-invalid", 17)
        with pytest.raises(urlkey.UrlKeyError) as caught:
            store.add(BAD, time=20)
        assert caught.value.code == "port-invalid"
        with pytest.raises(urlkey.UrlKeyError):
            store.add("http://\ud800/", time=20)
        rejects = {reject.text: reject for reject in store.rejects()}
        assert set(rejects) == {BAD, b"http://\xed\xa0\x80/"}
        kept = rejects[BAD]
        assert (kept.code, kept.at, kept.count, kept.first, kept.last) == ("port-invalid", 17, 2, 10, 20)
        with pytest.raises(urlkey.UrlKeyError):
            store.get(BAD)
        store.verify()


def test_spellings_are_kept_to_the_byte(place):
    odd = [
        b"http://a.example/\xff",
        "http://a.example/%FF",
        "http://a.example/\0x",
        " http://a.example/é ",
        "http://a.example/%00x",
    ]
    with Store.open(place) as store:
        store.add_many(odd, time=1)
        kept = [spelling.text for entry in store for spelling in entry.spellings]
        assert sorted(kept, key=repr) == sorted(odd, key=repr)
        store.verify()


def test_long_urls_and_many_spellings_are_kept(place):
    long = [f"http://a.example/{'x' * 60_000}{number}" for number in range(3)]
    many = [f"http://b.example/?utm_source={number}" for number in range(3_000)]
    with Store.open(place) as store:
        store.add_many([*long, *many], time=1)
        assert len(store) == 4
        assert [spelling.text for spelling in store.spellings(B)] != []
        assert {spelling.text for spelling in store.spellings(B)} == set(many)
        assert {entry.key for entry in store} == {*long, B}


def test_what_add_many_was_given_is_there_for_others_when_it_returns(place):
    with Store.open(place) as store, Store.open(place) as other:
        store.add_many([A, B])
        assert A in other
        store.add("http://c.example/")
        assert "http://c.example/" not in other
        store.flush()
        assert "http://c.example/" in other
        assert other.add("http://c.example/?utm_source=x") is False


def test_urls_may_come_from_any_iterable(place):
    with Store.open(place) as store:
        assert store.add_many(f"http://a.example/{number % 3}" for number in range(5)) == [
            True,
            True,
            True,
            False,
            False,
        ]
        assert store.add_many([]) == []
        with pytest.raises(TypeError, match="urls must be an iterable of URLs"):
            store.add_many(B)
        with pytest.raises(TypeError, match=r"urls\[1\] must be str or bytes, not int"):
            store.add_many([B, 3])
        assert B not in store


def test_another_policy_is_refused(place):
    policy = urlkey.Policy("crawl").with_(drop_www=True)
    with Store.open(place, policy=policy) as store:
        store.add("http://www.a.example/")
    with Store.open(place) as store:
        assert store.policy == policy
        assert store.get("http://a.example/").key == "http://a.example/"
    with pytest.raises(urlkey.UrlKeyError) as caught:
        Store.open(place, policy="crawl")
    assert caught.value.code == "policy-mismatch"


def test_fetch_facts_are_of_the_last_fetch(place):
    with Store.open(place) as store:
        store.add(A, time=5)
        store.fetched(A2, 200, time=20, etag='"x"', content=b"\1\2")
        store.fetched(A, 304, time=10)
        store.fetched(B, 404, time=30, last_modified="Mon, 30 Nov 2026 00:00:00 GMT")
        fetch = store.get(A).fetch
        assert (fetch.url, fetch.time, fetch.status, fetch.etag, fetch.content) == (A2, 20, 200, '"x"', b"\1\2")
        assert store.get(B).fetch.status == 404
        # Fetching is not seeing.
        assert {spelling.text: spelling.count for spelling in store.spellings(A)} == {A: 1, A2: 0}
        store.verify()


def test_the_last_fetch_is_told_without_spellings(place):
    with Store.open(place) as store:
        store.add(A)
        assert (store.fetch(A), store.fetch(B)) == (None, None)
        store.fetched(A2, 200, time=20, content=b"x")
        assert store.fetch(A) == store.get(A).fetch
        assert store.fetch(A).content == b"x"


def test_stats_count_what_is_there(place):
    with Store.open(place) as store:
        store.add_many([A, A2, A, B, BAD, BAD])
        store.fetched(B, 200)
        store.alias(B, A)
        stats = store.stats()
        assert (stats.keys, stats.spellings, stats.sightings, stats.rejects) == (2, 3, 6, 1)
        assert (stats.fetches, stats.edges, stats.aliases) == (1, 1, 1)
        assert (stats.policy, stats.policy_id, stats.version) == ("crawl", urlkey.Policy("crawl").id, 1)
        assert store.size() > 0


def test_iteration_sees_one_moment(place):
    with Store.open(place) as store, Store.open(place) as other:
        store.add_many([f"http://a.example/{number}" for number in range(2_500)])
        batches = store.batches(1_000)
        first = next(batches)
        other.add_many([f"http://b.example/{number}" for number in range(1_000)])
        rest = list(batches)
        assert [len(batch) for batch in (first, *rest)] == [1_000, 1_000, 500]
        assert {entry.key for entry in chain(first, *rest)} == {f"http://a.example/{number}" for number in range(2_500)}


def test_it_holds_what_a_dict_holds(place):
    rng = random.Random(7)
    hosts = ["a", "b", "www.c"]
    queries = ["", "b=1&a=2", "utm_source=x"]
    urls = [
        f"http{rng.choice(['', 's', 'S'])}://{rng.choice(hosts)}.example/{rng.randrange(40)}?{rng.choice(queries)}"
        for _ in range(3_000)
    ]
    policy = urlkey.Policy("fold")
    with Store.open(place, policy=policy) as store:
        seen = set()
        for start in range(0, len(urls), 700):
            batch = urls[start : start + 700]
            told = store.add_many(batch, time=100)
            for new, key in zip(told, policy.keys(batch), strict=True):
                assert new == (key not in seen)
                seen.add(key)
        assert content(store) == naive(urls, policy)
        store.verify()
