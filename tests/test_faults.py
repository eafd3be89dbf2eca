"""What seen-sets and stores in files keep when things go wrong: processes killed at any moment, full disks, damaged
files, other writers. What stores in PostgreSQL keep, `services/test_faults_postgres.py` tests."""

import errno
import os
import random
import resource
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest

import fault_worker
import urlkey
from faults import ROUNDS, check_killed_rekey, check_killed_store, check_reader, check_writers, fill, run_and_kill
from urlkey.store import Seen, Store, StoreError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills and limits processes as POSIX does")


@pytest.mark.parametrize("kind", ["seen", "bloom"])
def test_a_killed_seen_set_keeps_what_it_acknowledged(kind, tmp_path):
    rng = random.Random(ROUNDS)
    place, done = tmp_path / "seen.db", 0
    for _ in range(ROUNDS):
        told = run_and_kill(kind, place, done, rng)
        assert told == list(range(done, done + len(told)))
        done += len(told)
        with Seen(place, bloom=0.01 if kind == "bloom" else None) as seen:
            seen.verify()
            for number in range(max(0, done - 30), done):
                assert not any(seen.add_many(fault_worker.batch(number))), f"of batch {number} something is lost"
            # What was not acknowledged is whole or not there.
            new = seen.add_many(fault_worker.batch(done))
            assert new.count(True) in (0, fault_worker.SIZES[done % 4])
            done += 1
            assert len(seen) == sum(fault_worker.SIZES[number % 4] for number in range(done))


def test_a_killed_store_keeps_what_it_acknowledged(tmp_path):
    numbers = count()
    check_killed_store(lambda: tmp_path / f"store-{next(numbers)}.db")


def test_a_killed_rekey_leaves_the_old_store_or_the_new_one(tmp_path):
    check_killed_rekey(tmp_path / "store.db", "SELECT name FROM sqlite_schema WHERE name LIKE 'new_%'")


# --- no room

LIMITED = """
import resource, sys
from urlkey.store import Seen, Store, StoreError
kind, place = sys.argv[1:]
store = Seen(place) if kind == "seen" else Store.open(place)
hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, hard))
done = 0
try:
    while True:
        store.add_many([f"http://a.example/{done}/{item}" for item in range(2_000)])
        done += 1
except StoreError as error:
    code = error.code
resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
again = store.add_many([f"http://a.example/{done}/{item}" for item in range(2_000)])
store.verify()
print(code, done, all(again), len(store))
store.close()
"""


def limited(kind: str, place: Path) -> tuple[str, int, str, int]:
    """Adds until no more can be written (RLIMIT_FSIZE), then with room again."""
    done = subprocess.run([sys.executable, "-c", LIMITED, kind, place], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    code, batches, again, count = done.stdout.split()
    return code, int(batches), again, int(count)


@pytest.mark.parametrize("kind", ["seen", "store"])
def test_a_file_that_may_not_grow_is_a_clear_error_and_loses_nothing(kind, tmp_path):
    code, batches, again, count = limited(kind, tmp_path / "x.db")
    assert code == "io"
    assert again == "True"
    assert count == 2_000 * (batches + 1)
    opened = Seen(tmp_path / "x.db") if kind == "seen" else Store.open(tmp_path / "x.db")
    with opened as store:
        store.verify()
        assert all(f"http://a.example/{number}/1999" in store for number in range(batches))


def test_a_full_database_is_told_as_full(tmp_path):
    with Store.open(tmp_path / "x.db") as store:
        store.add_many(["http://a.example/"])
        store._engine.execute("PRAGMA max_page_count = 60")
        with pytest.raises(StoreError) as caught:
            store.add_many([f"http://b.example/{number}" for number in range(5_000)])
        assert caught.value.code == "full"
        assert len(store) == 1
        store._engine.execute("PRAGMA max_page_count = 1000000")
        assert all(store.add_many([f"http://b.example/{number}" for number in range(5_000)]))
        store.verify()


def check_full_disk(kind: str, folder: Path) -> None:
    """Fills a small file system."""
    place = folder / "x.db"
    with Seen(place) if kind == "seen" else Store.open(place) as store:
        done = fill(store)
        assert len(store) == 1_000 * done
    with Seen(place) if kind == "seen" else Store.open(place) as store:
        store.verify()
        assert all(f"http://a.example/{number}/999" in store for number in range(done))


if "URLKEY_FAULT_ROUNDS" in os.environ:  # needs the right to mount: part of `make faults` alone

    @pytest.mark.parametrize("kind", ["seen", "store"])
    def test_a_full_disk_is_told_as_full_and_loses_nothing(kind, tmp_path):
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "none", tmp_path], check=True)
        try:
            check_full_disk(kind, tmp_path)
        finally:
            subprocess.run(["umount", tmp_path], check=True)


def test_a_save_without_room_leaves_the_old_file(tmp_path):
    path = tmp_path / "saved"
    seen = Seen()
    seen.add("http://a.example/")
    seen.save(path)
    seen.add_many([f"http://a.example/{number}" for number in range(100_000)])
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, hard))
    try:
        with pytest.raises(OSError, match="too large") as caught:
            seen.save(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert caught.value.errno == errno.EFBIG
    assert len(Seen.load(path)) == 1
    assert [entry.name for entry in tmp_path.iterdir()] == ["saved"]


# --- damage


def test_a_damaged_store_is_told_and_never_read_as_another(tmp_path):
    place = tmp_path / "store.db"
    with Store.open(place) as store:
        for number in range(6):
            store.add_many(fault_worker.batch(number)[:60], time=1_000 + number)
        store.fetched("http://www.a.example/2/1", 200, etag="abcdefgh", time=5)
        store.alias("http://www.a.example/2/1", "http://www.a.example/2/2", reason="because", time=5)

    def read() -> list[object]:
        with Store.open(place) as store:
            found = [*sorted(map(repr, store)), *map(repr, store.rejects()), *map(repr, store.edges())]
            found += [store.resolve("http://www.a.example/2/1"), store.policy_id, store.stats()]
            store.verify()
            return found

    right, whole = read(), place.read_bytes()
    rng = random.Random(5)
    told = 0
    for _ in range(250):
        damaged = bytearray(whole)
        start = rng.randrange(len(whole))
        for at in range(start, min(start + rng.choice((1, 1, 1, 30)), len(whole))):
            damaged[at] ^= 1 << rng.randrange(8)
        place.write_bytes(damaged)
        for beside in ("-wal", "-shm"):
            Path(f"{place}{beside}").unlink(missing_ok=True)
        try:
            found = read()
        except (StoreError, urlkey.UrlKeyError) as error:
            told += 1
            assert error.code in ("corrupt", "not-a-store", "newer", "io", "bad-policy", "policy-mismatch"), error
        else:
            assert found == right, f"bytes from {start} on were changed, and nothing was said"
    assert told > 30


# --- others


@pytest.mark.parametrize("kind", ["seen", "store"])
def test_two_writers_call_each_key_new_once(kind, tmp_path):
    check_writers(kind, tmp_path / "x.db", 2)


def test_a_reader_sees_whole_batches_while_others_write(tmp_path):
    check_reader(tmp_path / "store.db")


def test_a_writer_that_waits_too_long_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr("urlkey.store.sqlite.WAIT_SECONDS", 0.1)
    place = tmp_path / "store.db"
    with Store.open(place) as store, Store.open(place) as other:
        with store._engine.writing():
            with pytest.raises(StoreError) as caught:
                other.add_many(["http://a.example/"])
            assert caught.value.code == "busy"
        assert other.add_many(["http://a.example/"]) == [True]
