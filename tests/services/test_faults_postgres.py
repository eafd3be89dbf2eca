"""What stores in PostgreSQL keep when things go wrong: clients killed at any moment, servers that fail, full disks,
damaged files, other writers."""

import os
import shutil
import subprocess
import threading
import time
from pathlib import Path

import psycopg
import pytest

from faults import check_killed_rekey, check_killed_store, check_reader, check_writers, fill
from postgres import Cluster
from urlkey.store import Store, StoreError

pytestmark = pytest.mark.service

LEFTOVERS = (
    "SELECT relname::text FROM pg_class "
    "WHERE left(relname, 3) = 'new' AND relnamespace = current_schema()::regnamespace"
)


@pytest.fixture
def settle(cluster):
    """Waits until the server has seen that its clients are gone."""

    def settle():
        busy = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        with psycopg.connect(cluster.url(), autocommit=True) as db:
            while db.execute(busy).fetchone() != (0,):
                time.sleep(0.01)

    return settle


def test_a_killed_client_keeps_what_was_acknowledged(cluster, settle):
    check_killed_store(cluster.place, settle)


def test_a_killed_rekey_leaves_the_old_store_or_the_new_one(place, settle):
    check_killed_rekey(place, LEFTOVERS, settle)


def test_many_writers_share_a_store(place):
    Store.open(place).close()
    check_writers("store", place, 4)


def test_a_reader_sees_whole_batches_while_others_write(place):
    check_reader(place)


def test_a_server_that_fails_in_the_midst_of_a_batch_loses_nothing_acknowledged():
    # With a log that is written for sure: this is what the test is about.
    with Cluster(fsync="on") as cluster:
        place = cluster.place()
        acknowledged, failed = [], []

        def write():
            with Store.open(place) as store:
                for turn in range(1_000_000):
                    urls = [f"http://a.example/{turn}/{number}" for number in range(2_000)]
                    try:
                        store.add_many(urls)
                    except StoreError as error:
                        failed.append(error.code)
                        break
                    acknowledged.append(turn)
                # The same store goes on when the server is back.
                back.wait(60)
                assert store.add_many(["http://b.example/"]) == [True]

        back = threading.Event()
        writer = threading.Thread(target=write)
        writer.start()
        while len(acknowledged) < 3:
            time.sleep(0.01)
        time.sleep(0.05)
        cluster.stop("immediate")
        cluster.start()
        back.set()
        writer.join(60)
        assert not writer.is_alive()
        assert failed == ["lost"]
        with Store.open(place) as store:
            assert "http://b.example/" in store
            for turn in acknowledged:
                assert f"http://a.example/{turn}/0" in store
                assert f"http://a.example/{turn}/1999" in store
            # The batch that was not acknowledged is whole or not there.
            assert (len(store) - 1) % 2_000 == 0
            assert len(store) - 1 - 2_000 * len(acknowledged) in (0, 2_000)
            store.verify()
            assert store.rekey("fold", apply=True).applied


def test_a_server_that_fails_during_rekey_leaves_the_old_store():
    with Cluster(fsync="on") as cluster:
        place = cluster.place()
        with Store.open(place) as store:
            store.add_many([f"http://www.a.example/{number}" for number in range(8_000)])
            told = []

            def rekey():
                try:
                    store.rekey("fold", apply=True)
                except StoreError as error:
                    told.append(error.code)

            thread = threading.Thread(target=rekey)
            thread.start()
            time.sleep(0.3)
            cluster.stop("immediate")
            thread.join(60)
            cluster.start()
        with Store.open(place) as store:
            policy = "crawl" if told else "fold"
            assert store.policy.name == policy
            assert len(store) == 8_000
            assert ("https://a.example/1" in store) == (policy == "fold")
            store.verify()


def test_a_server_that_forgets_what_it_acknowledged_is_told_not_to():
    with Cluster(synchronous_commit="off") as cluster, Store.open(cluster.place()) as store:
        assert store._engine.rows("SHOW synchronous_commit") == [("on",)]


def test_damage_in_the_servers_files_is_told(cluster):
    place = cluster.place()
    with Store.open(place) as store:
        store.add_many([f"http://a.example/{number}" for number in range(2_000)])
        ((file,),) = store._engine.rows("SELECT pg_relation_filepath('entries')")
    cluster.stop("fast")
    path = cluster.data / file
    damaged = bytearray(path.read_bytes())
    damaged[20_000] ^= 1
    path.write_bytes(damaged)
    cluster.start()
    with Store.open(place) as store:
        with pytest.raises(StoreError) as caught:
            list(store)
        assert caught.value.code == "corrupt"
        with pytest.raises(StoreError) as caught:
            store.verify()
        assert caught.value.code == "corrupt"


if "URLKEY_FAULT_ROUNDS" in os.environ:  # needs the right to mount: part of `make faults` alone

    def test_a_full_disk_is_told_as_full_and_loses_nothing(cluster, tmp_path_factory):
        disk = Path("/tmp") / f"urlkey-full-{os.getpid()}"
        disk.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12m", "none", disk], check=True)
        try:
            shutil.chown(disk, "postgres", "postgres")
            with psycopg.connect(cluster.url(), autocommit=True) as db:
                db.execute(f"CREATE TABLESPACE small LOCATION '{disk}'")
            place = f"{cluster.place()}%20-cdefault_tablespace%3Dsmall"
            with Store.open(place) as store:
                done = fill(store)
                assert done > 2
                assert len(store) == 1_000 * done
                assert all(f"http://a.example/{number}/999" in store for number in range(done))
                store.verify()
        finally:
            cluster.stop("immediate")
            subprocess.run(["umount", disk], check=True)
            disk.rmdir()
