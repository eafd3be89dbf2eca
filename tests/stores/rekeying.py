"""Another policy: told first, done at once, interrupted anywhere."""

import pytest

import urlkey
from stores.given import A, B, content, naive
from urlkey.store import Store

SPELLINGS = [
    "http://www.a.example/x",
    "http://a.example/x",
    "http://a.example/x?utm_source=1",
    "http://a.example/x?utm_source=2",
    "http://b.example/?b=1&a=2",
    "http://b.example/?a=2&b=1",
    "c.example/y",
]


def test_a_dry_run_tells_merges_and_splits_and_changes_nothing(place):
    with Store.open(place) as store:
        store.add_many(SPELLINGS, time=1)
        before = content(store)
        told = store.rekey("fold")
        assert not told.applied
        assert (told.keys_before, told.keys_after, told.merges, told.splits) == (3, 2, 1, 0)
        (sample,) = told.merge_samples
        assert set(sample.before) == {"http://a.example/x", "http://www.a.example/x"}
        assert sample.after == ("https://a.example/x",)
        told = store.rekey("safe")
        assert (told.keys_after, told.merges, told.splits, told.lost, told.won) == (6, 0, 2, 0, 0)
        assert {sample.before for sample in told.split_samples} == {
            ("http://a.example/x",),
            ("http://b.example/?a=2&b=1",),
        }
        assert all(len(sample.after) >= 2 for sample in told.split_samples)
        assert content(store) == before
        assert store.policy.name == "crawl"


@pytest.mark.parametrize(
    "policy", ["fold", "safe", "crawl", urlkey.Policy("crawl").with_(assume_scheme=True)], ids=repr
)
def test_rekeyed_it_holds_what_a_new_store_would(place, policy):
    wanted = urlkey.Policy(policy)
    with Store.open(place) as store:
        store.add_many(SPELLINGS, time=100)
        store.add_many(SPELLINGS[:3], time=100)
        told = store.rekey(wanted, apply=True)
        assert told.applied
        assert content(store) == naive([*SPELLINGS, *SPELLINGS[:3]], wanted)
        assert told.keys_after == len(store)
        assert told.won == int("assume_scheme" in wanted.rungs)
        store.verify()
        store.add(B)
    with Store.open(place) as again:
        assert again.policy_id == wanted.id
        assert B in again


def test_rekey_takes_fetches_evidence_and_aliases_along(place):
    with Store.open(place) as store:
        store.add_many(SPELLINGS, time=1)
        store.fetched("http://www.a.example/x", 200, time=10)
        store.fetched("http://a.example/x", 404, time=20)
        store.alias("http://b.example/?b=1&a=2", "http://www.a.example/x")
        store.rekey("fold", apply=True)
        assert store.get("http://a.example/x").fetch.status == 404
        assert store.resolve("http://b.example/?a=2&b=1") == "https://a.example/x"
        assert store.edges()[0].to_key == "https://a.example/x"
        store.verify()
        store.rekey("safe", apply=True)
        # The key that was one held the last fetch of both.
        assert store.get("http://a.example/x").fetch.status == 404
        assert store.get("http://www.a.example/x").fetch is None
        assert store.resolve("http://b.example/?b=1&a=2") == "http://www.a.example/x"
        assert store.resolve("http://b.example/?a=2&b=1") == "http://b.example/?a=2&b=1"
        store.verify()


def test_a_limit_that_loses_spellings_is_told(place):
    with Store.open(place) as store:
        store.add_many(["http://a.example/", f"http://a.example/{'x' * 200}"], time=1)
        short = urlkey.Policy("crawl").with_(input_bytes=100, drop_www=True)
        assert store.rekey(short).lost == 1
        store.rekey(short, apply=True)
        assert [reject.code for reject in store.rejects()] == ["too-long"]
        assert len(store) == 1
        store.verify()


class Interruption(Exception):
    pass


@pytest.mark.parametrize("nth", [1, 4, 7, 10, 13, 16])
def test_an_interrupted_rekey_leaves_the_old_store(place, monkeypatch, nth):
    with Store.open(place) as store:
        store.add_many(SPELLINGS, time=1)
        store.alias(A, B)
        before = content(store)
        left = nth
        engine = store._engine
        run = type(engine).execute

        def execute(self, sql, parameters=()):
            nonlocal left
            left -= 1
            if not left:
                raise Interruption
            return run(self, sql, parameters)

        monkeypatch.setattr(type(engine), "execute", execute)
        with pytest.raises(Interruption):
            store.rekey("fold", apply=True)
        monkeypatch.undo()
        assert content(store) == before
        assert store.policy.name == "crawl"
        store.verify()
        store.add_many(["http://d.example/"])
        assert store.rekey("fold", apply=True).applied


def test_a_store_that_another_process_rekeyed_takes_nothing_more(place):
    with Store.open(place) as store, Store.open(place) as other:
        store.add_many(SPELLINGS)
        store.rekey("fold", apply=True)
        for use in (lambda: other.add(B), lambda: other.add_many([B]), lambda: other.get(A), lambda: len(other)):
            with pytest.raises(urlkey.UrlKeyError) as caught:
                use()
            assert caught.value.code == "policy-mismatch"
        assert store.get(B) is None


def test_keys_of_an_older_release_are_only_rekeyed(place):
    with Store.open(place) as store:
        store.add_many(SPELLINGS[:2])
        store._engine.execute("UPDATE policies SET id = ?", ("0" * 64,))
        store._engine.execute("UPDATE store SET policy_id = ?", ("0" * 64,))
    with Store.open(place) as store:
        assert store.policy_id == "0" * 64
        for use in (lambda: store.add(B), lambda: store.add_many([B]), lambda: store.get(A)):
            with pytest.raises(urlkey.UrlKeyError) as caught:
                use()
            assert caught.value.code == "policy-mismatch"
        assert [entry.key for entry in store] != []
        store.rekey("crawl", apply=True)
        assert store.add_many([B]) == [True]
