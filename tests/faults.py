"""What the tests of faults share: writers that are killed, or write at the same time; on SQLite in `test_faults.py`,
on PostgreSQL in `services/test_faults_postgres.py`. `make faults` kills 200 times each; without URLKEY_FAULT_ROUNDS
it is a few."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import fault_worker
from urlkey.store import Seen, Store, StoreError

ROUNDS = int(os.environ.get("URLKEY_FAULT_ROUNDS", "8"))

_MOST_BATCHES = 60

Place = str | Path


def run_and_kill(kind: str, place: Place, first: int, rng: random.Random) -> list[int]:
    """Lets a worker write for a moment and kills it; returns the batches that it had acknowledged."""
    command = [sys.executable, fault_worker.__file__, kind, place, str(first)]
    worker = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    begun = worker.stdout.readline()
    time.sleep(rng.random() ** 2 / 2)
    worker.kill()
    # Not by `communicate`: it passes over what `readline` has read ahead.
    rest = worker.stdout.read()
    worker.stdout.close()
    assert worker.wait() == -signal.SIGKILL
    # The last line may be cut: its batch is one of those that are whole or not there.
    return [int(line) for line in (begun + rest).split("\n")[:-1]]


def check_killed_store(new_place: Callable[[], Place], settle: Callable[[], None] = lambda: None) -> None:
    """Kills writers of stores; `settle` returns when nothing that they asked for is under way any more."""
    rng, place, done = random.Random(ROUNDS), new_place(), 0
    for _ in range(ROUNDS):
        # All of a store is read after each kill: a large one makes way for a new one.
        if done > _MOST_BATCHES:
            place, done = new_place(), 0
        told = run_and_kill("store", place, done, rng)
        assert told == list(range(done, done + len(told)))
        done += len(told)
        settle()
        with Store.open(place) as store:
            store.verify()
            unsure = fault_worker.batch(done)
            if unsure[0] in store:
                done += 1
            stats = store.stats()
            batches = [fault_worker.batch(number) for number in range(done)]
            assert stats.keys == sum(fault_worker.SIZES[number % 4] for number in range(done))
            assert stats.sightings == sum(map(len, batches))
            assert stats.rejects == done
            for urls in batches[-3:]:
                assert sum(store.get(url).count for url in set(urls[:-1])) == len(urls) - 1


def check_killed_rekey(place: Place, leftovers: str, settle: Callable[[], None] = lambda: None) -> None:
    """Kills processes that change the policy back and forth; `leftovers` is SQL for tables half made."""
    rng = random.Random(ROUNDS)
    urls = [url for number in range(40) for url in fault_worker.batch(number)]
    with Store.open(place) as store:
        store.add_many(urls, time=1)
    names = set()
    for _ in range(ROUNDS):
        run_and_kill("rekey", place, 0, rng)
        settle()
        with Store.open(place) as store:
            store.verify()
            names.add(store.policy.name)
            keys = {key for key in store.policy.keys(urls, on_error="null") if key is not None}
            assert {entry.key for entry in store} == keys
            assert store.stats().sightings == len(urls)
            assert store._engine.rows(leftovers) == []
    assert names <= {"crawl", "fold"}


WRITER = """
import sys
from urlkey.store import Seen, Store, StoreError
kind, place, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
new = 0
with Seen(place) if kind == "seen" else Store.open(place) as store:
    for turn in range(25):
        at = turn if seed % 2 else 24 - turn
        urls = [f"http://a.example/{at}/{number}?utm_source={seed}" for number in range(100)]
        new += sum(store.add_many(urls[::-1] if seed % 2 else urls))
print(new)
"""


def check_writers(kind: str, place: Place, count: int) -> None:
    """Lets so many processes write the same keys, each in spellings of its own, in different orders."""
    command = [sys.executable, "-c", WRITER, kind, place]
    writers = [subprocess.Popen([*command, str(seed)], stdout=subprocess.PIPE, text=True) for seed in range(count)]
    told = [int(writer.communicate(timeout=120)[0]) for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * count
    # Each key was new to exactly one of them.
    assert sum(told) == 2_500
    with Seen(place) if kind == "seen" else Store.open(place) as store:
        assert len(store) == 2_500
        store.verify()
        if isinstance(store, Store):
            assert {(entry.count, len(entry.spellings)) for entry in store} == {(count, count)}


def check_reader(place: Place) -> None:
    """Reads a store again and again while another connection writes."""
    stop, failed = threading.Event(), []
    Store.open(place).close()

    def write() -> None:
        try:
            with Store.open(place) as store:
                # Few enough that reading keeps up.
                for number in range(60):
                    store.add_many([f"http://a.example/{number}/{item}" for item in range(500)])
                    if stop.wait(0.01):
                        return
        except BaseException as error:
            failed.append(error)

    writer = threading.Thread(target=write)
    writer.start()
    sizes: list[int] = []
    try:
        with Store.open(place) as store:
            while len(sizes) < 12 or not sizes[-1]:
                sizes.append(sum(map(len, store.batches(300))))
                assert not failed
    finally:
        stop.set()
        writer.join()
    assert failed == []
    # Whole batches, and never fewer than before.
    assert all(size % 500 == 0 for size in sizes)
    assert sizes == sorted(sizes)


def fill(store: Seen | Store) -> int:
    """Adds batches of 1,000 until there is no room on the disk; how many were acknowledged."""
    done = 0
    while True:
        try:
            store.add_many([f"http://a.example/{done}/{item}" for item in range(1_000)])
        except StoreError as error:
            assert error.code == "full"
            return done
        done += 1
