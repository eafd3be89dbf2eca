"""The store as a whole: export, versions, migrations."""

import json

import pytest

import urlkey
from stores.given import A2, A_KEY, A, B
from urlkey.store import Store, StoreError


def test_export_writes_every_entry(place, tmp_path):
    with Store.open(place) as store:
        store.add_many([A, A2, b"http://b.example/\xff"], time=7)
        store.fetched(A, 200, time=9, content=b"\xab")
        assert store.export(tmp_path / "out.jsonl") == 2
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    by_key = {row["key"]: row for row in rows}
    row = by_key[A_KEY]
    assert (row["count"], row["first"], row["last"], row["representative"]) == (2, 7, 9, A_KEY)
    assert row["digest"] == urlkey.digest(A).hex()
    assert {spelling["url"] for spelling in row["spellings"]} == {A, A2}
    assert row["fetch"]["content"] == "ab"
    assert by_key["http://b.example/%FF"]["spellings"][0]["url_base64"] == "aHR0cDovL2IuZXhhbXBsZS//"
    assert [path.name for path in tmp_path.glob("out.jsonl*")] == ["out.jsonl"]


def test_a_store_of_a_later_release_is_refused(place, make_newer):
    Store.open(place).close()
    make_newer(place)
    with pytest.raises(StoreError) as caught:
        Store.open(place)
    assert caught.value.code == "newer"


def test_a_store_of_an_earlier_release_is_brought_up_to_date_once(place, migrations):
    with Store.open(place) as store:
        store.add_many([A, B], time=1)
        version = store.stats().version
    migrations.append(("CREATE TABLE added (x BIGINT)", "INSERT INTO added VALUES (7)"))
    for _ in range(2):
        with Store.open(place) as store:
            assert store.stats().version == version + 1
            assert store._engine.rows("SELECT x FROM added") == [(7,)]
            assert A in store
            store.verify()


def test_a_migration_that_fails_leaves_the_store_as_it_was(place, migrations):
    with Store.open(place) as store:
        store.add_many([A, B], time=1)
        version = store.stats().version
    migrations.append(("CREATE TABLE added (x BIGINT)", "INSERT INTO nowhere VALUES (7)"))
    with pytest.raises(StoreError):
        Store.open(place)
    migrations.pop()
    with Store.open(place) as store:
        assert store.stats().version == version
        assert A in store
        with pytest.raises(StoreError):
            store._engine.rows("SELECT x FROM added")
