"""A store in PostgreSQL, a real server: what every store does, and what servers do."""

import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import psycopg
import pytest

pytest.register_assert_rewrite("stores")

from stores import *  # noqa: E402, F403
from urlkey.store import Store, StoreError, tables  # noqa: E402
from urlkey.store.postgres_lookup import Lookup  # noqa: E402

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


def _urls(start, count):
    return [f"http://a.example/{number}" for number in range(start, start + count)]


def test_a_large_batch_says_what_others_have_written(place):
    with Store.open(place) as one, Store.open(place) as other:
        other.add_many(_urls(0, 100))
        assert one.add_many(_urls(0, 40_000)) == [False] * 100 + [True] * 39_900
        assert other.add_many(_urls(39_000, 40_000)) == [False] * 1_000 + [True] * 39_000
        assert len(one) == 79_000
        assert one.stats().sightings == 100 + 40_000 + 40_000


def test_a_large_batch_in_a_change_sees_what_came_before_it(place):
    with Store.open(place) as store:
        with store.changing():
            assert all(store.add_many(_urls(0, 40_000)))
            assert store.add_many(_urls(100, 40_000)) == [False] * 39_900 + [True] * 100
        assert len(store) == 40_100


def test_answers_that_are_behind_lose_nothing(place, monkeypatch):
    @contextmanager
    def behind(self, prefix, asked):
        yield iter([b""] * len(asked))

    monkeypatch.setattr(Lookup, "ahead", behind)
    with Store.open(place) as store:
        store.add_many(_urls(20_000, 100))
        assert store.add_many(_urls(0, 40_000)) == [True] * 20_000 + [False] * 100 + [True] * 19_900


def test_a_second_connection_is_not_needed(cluster, place):
    with psycopg.connect(place, autocommit=True) as db:
        db.execute("CREATE ROLE lonely LOGIN CONNECTION LIMIT 1")
        db.execute("DO $$ BEGIN EXECUTE 'GRANT ALL ON SCHEMA ' || current_schema() || ' TO lonely'; END $$")
    with Store.open(place.replace("postgres@", "lonely@")) as store:
        store.add_many(_urls(0, 100))
        assert store.add_many(_urls(0, 40_000)) == [False] * 100 + [True] * 39_900


def test_a_question_does_not_wait_behind_a_lock(place):
    with Store.open(place) as store:
        lookup = store._engine._lookup
        with psycopg.connect(place) as db:
            db.execute("LOCK TABLE entries")
            with lookup.ahead("", [bytes(16), bytes(16)]) as answers:
                assert list(answers) == [None, None]
        with lookup.ahead("", [bytes(16)]) as answers:
            assert list(answers) == [b""]


def test_large_batches_of_several_writers_meet(place):
    def write(seed):
        urls = _urls(10_000 * seed, 34_000)
        random.Random(seed).shuffle(urls)
        with Store.open(place) as store:
            return sum(store.add_many(urls)) + sum(store.add_many(urls[::-1]))

    Store.open(place).close()
    with ThreadPoolExecutor(3) as pool:
        new = sum(pool.map(write, range(3)))
    with Store.open(place) as store:
        store.verify()
        assert len(store) == new == 54_000
        assert store.stats().sightings == 3 * 2 * 34_000
