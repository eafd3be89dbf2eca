"""A store in PostgreSQL, a real server: what every store does, and what servers do."""

import psycopg
import pytest

pytest.register_assert_rewrite("stores")

from stores import *  # noqa: E402, F403
from urlkey.store import Store, StoreError, tables  # noqa: E402

pytestmark = pytest.mark.service


@pytest.fixture
def new_place(cluster):
    return cluster.place


@pytest.fixture
def make_newer():
    def make(place):
        with psycopg.connect(place) as db:
            db.execute("INSERT INTO migrations VALUES (99, 0)")

    return make


@pytest.fixture
def migrations(monkeypatch):
    steps = [*tables.MIGRATIONS_POSTGRES]
    monkeypatch.setattr("urlkey.store.postgres.MIGRATIONS_POSTGRES", steps)
    return steps


def test_messages_name_the_store_without_the_password():
    with pytest.raises(StoreError) as caught:
        Store.open("postgresql://me:secret@127.0.0.1:1/base?password=hidden&connect_timeout=2")
    assert caught.value.code == "lost"
    assert caught.value.path == "postgresql://127.0.0.1:1/base"
    assert "secret" not in str(caught.value)
    assert "hidden" not in str(caught.value)


def test_postgresql_recomputes_digests(place):
    with Store.open(place) as store:
        store.add_many([f"http://a.example/{number}?q=é" for number in range(50)])
    with psycopg.connect(place) as db:
        ours = "substring(sha256(convert_to(key, 'UTF8')) from 1 for 16)"
        found = db.execute(f"SELECT count(*) FROM entries WHERE uuid_send(id) = {ours}").fetchall()
    assert found == [(50,)]
