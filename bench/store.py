"""Part `store`: seen-sets and stores beside bare loops that write the same digests alone, batch by batch in turn,
at several sizes; and what they take of memory."""

import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

import corpora
import stats

sys.path.append(str(corpora.ROOT / "tests"))


def urls(start, count):
    """URLs of a crawl: 5,000 hosts; one in five has come before, any of them; one in ten in another spelling."""
    out = []
    for row in range(start, start + count):
        # A multiplicative hash of the row, as a share of the rows before it.
        number = ((row * 2_654_435_761) % (1 << 32) * row) >> 32 if row % 5 == 4 else row
        host = (number * 2_654_435_761) % 5_000
        link = f"https://www.site{host}.example/section/{number % 97}/article-{number}.html?id={number}"
        out.append(f"{link}&utm_source=mail" if row % 10 == 3 else link)
    return out


class Bare:
    """What is asked for at least: digests into a table, sorted, with the settings that ours has."""

    def __init__(self, folder):
        from urlkey.store.sqlite import CACHE_MIB

        self.path = folder / "bare.db"
        self.db = sqlite3.connect(self.path, isolation_level=None)
        for pragma in ("journal_mode = WAL", "synchronous = FULL", f"cache_size = {-CACHE_MIB * 1024}"):
            self.db.execute(f"PRAGMA {pragma}")
        self.db.execute("CREATE TABLE seen (digest BLOB PRIMARY KEY) WITHOUT ROWID")

    def prepared(self, batch, digests):
        return sorted((digest,) for digest in digests)

    def add(self, rows):
        self.db.execute("BEGIN IMMEDIATE")
        self.db.executemany("INSERT OR IGNORE INTO seen VALUES (?)", rows)
        self.db.execute("COMMIT")

    def finish(self):
        pass

    def count(self):
        return self.db.execute("SELECT count(*) FROM seen").fetchone()[0]


class Ours:
    """A seen-set or a store: makes keys, says what is new."""

    def __init__(self, opened):
        self.opened = opened

    def prepared(self, batch, digests):
        return batch

    def add(self, batch):
        self.opened.add_many(batch)

    def finish(self):
        """What a seen-set has put off belongs to its time."""
        if hasattr(self.opened, "_set"):
            self.opened._set._merge()

    def count(self):
        return len(self.opened)


class BareCopy:
    """A binary COPY of digests into a table with a primary key. It takes no digest twice: those are left out."""

    def __init__(self, url):
        import psycopg

        self.db = psycopg.connect(url, autocommit=True)
        self.db.execute("CREATE TABLE bare (digest BYTEA PRIMARY KEY)")
        self.seen = set()

    def prepared(self, batch, digests):
        new = sorted(set(digests) - self.seen)
        self.seen |= set(new)
        rows = (b"\0\1\0\0\0\x10" + digest for digest in new)
        return b"".join((b"PGCOPY\n\xff\r\n\0" + bytes(8), *rows, b"\xff\xff"))

    def add(self, data):
        with self.db.cursor() as cursor, cursor.copy("COPY bare FROM STDIN (FORMAT BINARY)") as copy:
            copy.write(data)

    def finish(self):
        pass

    def count(self):
        return self.db.execute("SELECT count(*) FROM bare").fetchone()[0]


def filled(engines, keys, batch, seconds, rng, say):
    """How many rows went in, and {engine: {wall: [seconds a batch], cpu: [...]}}: each batch to all of them, in
    random order, until all rows are in or the time is up."""
    import urlkey

    times = {name: {"wall": [], "cpu": []} for name in engines}
    begun = perf_counter()
    for start in range(0, keys, batch):
        links = urls(start, batch)
        digests = [urlkey.digest(link) for link in links]
        last = start + batch >= keys or perf_counter() - begun > seconds
        for name in rng.sample(list(engines), len(engines)):
            data = engines[name].prepared(links, digests)
            wall, cpu = perf_counter(), process_time()
            engines[name].add(data)
            if last:
                engines[name].finish()
            times[name]["wall"].append(perf_counter() - wall)
            times[name]["cpu"].append(process_time() - cpu)
        if last or not start % (5 * batch):
            say(f"store: {start + batch:,} rows")
        if last:
            break
    return start + batch, times


def figures(times, rows, bare):
    """Totals over all batches, and rates beside the bare loop."""
    record = {}
    for name, row in times.items():
        record[name] = {kind: round(sum(row[kind]) / rows * 1e6, 3) for kind in ("wall", "cpu")}
        record[name]["median"] = record[name]["wall"]
        record[name]["faster_than"] = {
            bare: round(sum(times[bare]["wall"]) / sum(row["wall"]), 3),
            f"{bare}, cpu": round(sum(times[bare]["cpu"]) / sum(row["cpu"]), 3),
        }
    return record


AFTERWARDS = """
import sys
from itertools import islice
from urlkey.store import Seen, Store
sys.path.append(sys.argv[1])
from store import urls
def most():
    # Not getrusage: there a new process begins with what its parent had.
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
kind, place, start, batch = *sys.argv[2:4], *map(int, sys.argv[4:])
links = urls(start, batch)
before = most()
with (Store.open if kind == "Store" else Seen)(place) as opened:
    opened.add_many(links)
    if kind == "Store":
        for entries in islice(opened.batches(), 50):
            pass
print((most() - before) // 1024)
"""


def peak(kind, place, start, batch):
    """MiB that a new process takes at most to open what is there, add a batch, and read half a million entries."""
    command = [sys.executable, "-c", AFTERWARDS, corpora.HERE, kind, place, str(start), str(batch)]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def in_files(size, rng, say):
    """SQLite: bare, seen-sets, a store."""
    from urlkey.store import Seen, Store

    with tempfile.TemporaryDirectory(prefix="urlkey-store-") as folder:
        folder = Path(folder)
        engines = {
            "sqlite3": Bare(folder),
            "Seen": Ours(Seen(folder / "seen.db")),
            "Seen, bloom": Ours(Seen(folder / "bloom.db", bloom=0.01)),
            "Store": Ours(Store.open(folder / "store.db")),
        }
        rows, times = filled(engines, size["rows"], size["batch"], size["seconds"], rng, say)
        record = figures(times, rows, "sqlite3")
        counts = {name: engine.count() for name, engine in engines.items()}
        for name, file in zip(engines, ("bare", "seen", "bloom", "store"), strict=True):
            bytes_there = sum(path.stat().st_size for path in folder.glob(f"{file}.db*"))
            record[name]["bytes_per_key"] = round(bytes_there / counts[name], 1)
        for name, file in (("Seen", "seen"), ("Store", "store")):
            engines[name].opened.close()
            record[name]["peak_mib"] = peak(name, folder / f"{file}.db", rows, size["batch"])
    return rows, record, counts


def in_postgresql(size, rng, say):
    """PostgreSQL, a server of its own: bare COPY, a store."""
    from postgres import Cluster
    from urlkey.store import Store

    with Cluster(fsync="on", shared_buffers="512MB", max_wal_size="4GB") as cluster:
        place = cluster.place()
        engines = {"COPY": BareCopy(cluster.place()), "Store": Ours(Store.open(place))}
        rows, times = filled(engines, size["rows"], size["batch"], size["seconds"], rng, say)
        record = figures(times, rows, "COPY")
        counts = {name: engine.count() for name, engine in engines.items()}
        record["Store"]["bytes_per_key"] = round(engines["Store"].opened.size() / counts["Store"], 1)
        engines["Store"].opened.close()
        record["Store"]["peak_mib"] = peak("Store", place, rows, size["batch"])
        engines["COPY"].db.close()
    return rows, record, counts


IN_MEMORY = """
import os, sys
from urlkey.store import Seen
seen, step, worst = Seen(), 50_000, 0.0
for size in range(step, int(sys.argv[1]) + 1, step):
    seen.add_digests(os.urandom(16 * step))
    if size >= 1_000_000:
        worst = max(worst, seen.memory / size)
print(worst)
"""


def in_memory(most):
    """Bytes a key of `Seen()` at the worst size between a million keys and so many; growth happens in place."""
    command = [sys.executable, "-c", IN_MEMORY, str(most)]
    return round(float(subprocess.run(command, capture_output=True, text=True, check=True).stdout), 1)


def measure(config, quick, rng, say):
    """The part's record: microseconds a row, rates beside the bare loops, memory, checks."""
    part = corpora.scaled(config["store"], quick)
    record, problems, missing = {"unit": "microseconds a row"}, [], []
    for size in part["sizes"]:
        for engine, fill in (("SQLite", in_files), ("PostgreSQL", in_postgresql)):
            name = f"{engine}, {size['name']}"
            say(f"store: {name}")
            try:
                rows, record[name], counts = fill(size, rng, say)
            except (ImportError, AssertionError) as error:
                say(f"store: {name} is missing: {error}")
                missing.append(name)
                continue
            if len(set(counts.values())) > 1:
                problems.append(f"{name}: different numbers of keys: {counts}")
            record[name] |= {"keys": min(counts.values()), "rows": rows, "batch": size["batch"]}
    record["memory"] = {"bytes_per_key": in_memory(part["in_memory"]), "most": part["in_memory"]}
    return {**record, "missing": missing, "problems": problems}


def report(record):
    """Markdown lines."""
    out = []
    for engine, row in stats.by_corpus(record):
        rows = []
        for name, found in row.items():
            if isinstance(found, dict):
                shown = (found["wall"], found["cpu"], *found["faster_than"].values())
                rows.append((name, *shown, found.get("bytes_per_key", ""), found.get("peak_mib", "")))
        if rows:
            head = [f"{engine}: {row['rows']:,} rows in batches of {row['batch']:,}, {row['keys']:,} keys"]
            head += ["wall us a row", "CPU us", "rate beside bare", "by CPU", "bytes a key", "then at most MiB"]
            out += [*stats.table(head, rows), ""]
    memory = record["memory"]
    out += [f"`Seen()`: at most {memory['bytes_per_key']} bytes a key, between 1 million and {memory['most']:,} keys."]
    out += ["CPU is the client's. *Then*: a new process opens what is there, adds a batch, reads 500,000 entries."]
    return [*out, ""]
