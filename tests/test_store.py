"""A store in a SQLite file: what every store does, and what files do."""

import sqlite3
from itertools import count

import duckdb
import pytest

pytest.register_assert_rewrite("stores")

import urlkey  # noqa: E402
from stores import *  # noqa: E402, F403
from urlkey.store import Store, StoreError, tables  # noqa: E402


@pytest.fixture
def place(tmp_path):
    return tmp_path / "store.db"


@pytest.fixture
def new_place(tmp_path):
    numbers = count()
    return lambda: tmp_path / f"store-{next(numbers)}.db"


@pytest.fixture
def make_newer():
    def make(place):
        with sqlite3.connect(place) as db:
            db.execute("PRAGMA user_version = 99")

    return make


@pytest.fixture
def migrations(monkeypatch):
    steps = [*tables.MIGRATIONS_SQLITE]
    monkeypatch.setattr("urlkey.store.sqlite_engine.MIGRATIONS_SQLITE", steps)
    return steps


def test_a_database_of_somebody_else_is_refused_and_left_alone(place):
    with sqlite3.connect(place) as db:
        db.execute("CREATE TABLE theirs (x)")
    before = place.read_bytes()
    with pytest.raises(StoreError) as caught:
        Store.open(place)
    assert caught.value.code == "not-a-store"
    assert place.read_bytes() == before
    place.write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreError) as caught:
        Store.open(place)
    assert caught.value.code == "corrupt"


@pytest.mark.parametrize("name", ["", ":memory:", "mysql://localhost/x"])
def test_a_place_that_is_no_file_is_refused(name):
    with pytest.raises(ValueError, match="a store is a file or a postgresql:// URL"):
        Store.open(name)


def test_duckdb_recomputes_digests():
    keys = urlkey.keys([f"http://a.example/{number}?q=é" for number in range(50)])
    query = "SELECT unhex(left(sha256(key), 32)) FROM (SELECT unnest(?) AS key)"
    assert [row[0] for row in duckdb.execute(query, [keys]).fetchall()] == [urlkey.digest(key) for key in keys]
