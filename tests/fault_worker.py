"""A process that writes to a store until it is killed: `fault_worker.py KIND PLACE FIRST`. It prints the number of
each batch when the batch is acknowledged."""

import random
import sys
import time

from urlkey.store import Seen, Store, disk

SIZES = (1, 3, 40, 700)


def batch(number: int) -> list[str]:
    """The URLs of a batch: keys of its own, some of them twice, and one that has none."""
    size = SIZES[number % len(SIZES)]
    urls = [f"http://www.a.example/{number}/{item}?utm_source={item % 3}" for item in range(size)]
    return [*urls, *urls[: size // 2], f"http://bad.example:x/{number}"]


def acknowledge(number: int) -> None:
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


def write_seen(place: str, first: int, bloom: float | None) -> None:
    disk.MERGE_DIGESTS = 500  # so that kills fall into merges too
    seen = Seen(place, bloom=bloom)
    for number in range(first, sys.maxsize):
        if number % 5:
            seen.add_many(batch(number))
        else:
            for url in batch(number)[:-1]:
                seen.add(url)
            seen.flush()
        acknowledge(number)


def write_store(place: str, first: int) -> None:
    store = Store.open(place)
    for number in range(first, sys.maxsize):
        store.add_many(batch(number), time=1_000 + number)
        acknowledge(number)


def rekey_store(place: str) -> None:
    acknowledge(-1)
    store = Store.open(place)
    for name in ("fold", "crawl") * 1_000:
        time.sleep(random.random() / 50)
        store.rekey(name, apply=True)


if __name__ == "__main__":
    kind, place, first = sys.argv[1], sys.argv[2], int(sys.argv[3])
    if kind == "store":
        write_store(place, first)
    elif kind == "rekey":
        rekey_store(place)
    else:
        write_seen(place, first, 0.01 if kind == "bloom" else None)
