"""The seen-set, in memory and in a file: exact, bounded in memory, its own policy's, saved whole."""

import hashlib
import os
import random
import sqlite3
import subprocess
import sys

import polars as pl
import pyarrow as pa
import pytest

import urlkey
from urlkey.store import Seen, StoreError, disk

A, A2, B = "http://a.example/?b=1&a=2", "http://A.example/?a=2&b=1#top", "http://b.example/"
BAD = "http://b.example:x/"


@pytest.fixture(params=["memory", "disk", "bloom"])
def make(request, tmp_path):
    """Makes a set of each sort."""

    def make(**options):
        if request.param == "memory":
            return Seen(**options)
        return Seen(tmp_path / "seen.db", bloom=0.01 if request.param == "bloom" else None, **options)

    return make


@pytest.fixture
def small(monkeypatch):
    """Sets in files that merge after a few keys."""
    monkeypatch.setattr(disk, "MERGE_DIGESTS", 50)


def test_a_key_is_new_once(make):
    with make() as seen:
        assert [seen.add(A), seen.add(A2), seen.add(B)] == [True, False, True]
        assert seen.add_many([B, "http://c.example/", "http://c.example/#x", b"http://d.example/"]) == [
            *(False, True, False, True)
        ]
        assert (len(seen), A in seen, "http://e.example/" in seen) == (4, True, False)


def test_bad_rows_are_null_an_error_or_raised(make):
    with make() as seen:
        assert seen.add_many([A, BAD, "", B, "\ud800"]) == [True, None, None, True, None]
        new, error = seen.add_many(["http://c.example/", BAD], on_error="error")
        assert (new, error.code, error.at) == (True, "port-invalid", 17)
        with pytest.raises(urlkey.UrlKeyError) as caught:
            seen.add_many(["http://d.example/", BAD], on_error="raise")
        assert caught.value.__notes__ == ["in row 1, counted from 0"]
        assert "http://d.example/" not in seen
        with pytest.raises(urlkey.UrlKeyError):
            seen.add(BAD)
        with pytest.raises(TypeError, match="iterable of URLs, not str"):
            seen.add_many(A)
        with pytest.raises(TypeError, match=r"urls\[1\] must be str or bytes, not int"):
            seen.add_many([A, 7])
        assert len(seen) == 3


def test_it_says_what_a_set_says(make, small):
    rng = random.Random(3)
    with make() as seen:
        oracle = set()
        for _ in range(30):
            urls = [
                f"http://a.example/{rng.randrange(900)}?utm_source={rng.random()}" for _ in range(rng.randrange(60))
            ]
            told = seen.add_many(urls)
            expected = []
            for url in urls:
                key = urlkey.key(url)
                expected.append(key not in oracle)
                oracle.add(key)
            assert told == expected
            one = f"http://a.example/{rng.randrange(900)}"
            assert seen.add(one) == (one not in oracle)
            oracle.add(one)
            assert len(seen) == len(oracle)
        assert all(f"http://a.example/{number}" in seen for number in range(900)) == (len(oracle) == 900)
        assert {url for url in map("http://a.example/{}".format, range(900)) if url in seen} == oracle
        digests = b"".join(seen.digests())
        assert len(digests) == 16 * len(oracle)
        assert {digests[at : at + 16] for at in range(0, len(digests), 16)} == {
            hashlib.sha256(key.encode()).digest()[:16] for key in oracle
        }
        seen.verify()


def test_digests_that_are_there_already_can_be_added(make):
    with make() as seen:
        digests = urlkey.digest(A) + urlkey.digest(B) + urlkey.digest(A2)
        assert seen.add_digests(digests) == b"\1\1\0"
        assert (B in seen, seen.add(A)) == (True, False)
        with pytest.raises(ValueError, match="multiple of 16 bytes, not 15"):
            seen.add_digests(bytes(15))


def test_one_digest_is_added_as_its_url_is(make):
    with make() as seen:
        digest, other = urlkey.digest(A), bytes(range(16))
        assert [seen.holds(digest), seen.add_digest(digest), seen.holds(digest), seen.add(A2)] == [
            *(False, True, True, False)
        ]
        assert (seen.add_digest(other), seen.add_digest(other), seen.holds(b""), len(seen)) == (True, False, False, 2)
        with pytest.raises(ValueError, match="16 bytes, not 4"):
            seen.add_digest(b"four")


def test_columns_give_masks(make, small, monkeypatch):
    monkeypatch.setattr("urlkey.store.seen._ROWS", 64)
    urls = [f"http://a.example/{number % 150}" for number in range(400)]
    urls[3], urls[77] = BAD, None
    with make() as seen:
        mask = seen.add_many(pa.chunked_array([urls[:100], [], urls[100:]], pa.large_string()))
        told = mask.to_pylist()
        assert [len(chunk) for chunk in pa.chunked_array(mask).chunks] == [100, 0, 300]
        assert (mask.type, told[3], told[77]) == ("bool", None, None)
        assert [row for row, new in enumerate(told) if new] == [
            row for row in [*range(150), 153, 227] if row not in (3, 77)
        ]
        assert seen.add_many(pa.array([A, A2])).to_pylist() == [True, False]
        assert pl.Series(seen.add_many(pl.Series([A, "http://e.example/"]))).to_list() == [False, True]
        assert seen.add_many(pa.array([], pa.string())).to_pylist() == []
        assert seen.add_many(pa.array([None, None], pa.null())).to_pylist() == [None, None]


def test_a_bad_row_of_a_column_is_raised_before_anything_is_added(make, monkeypatch):
    monkeypatch.setattr("urlkey.store.seen._ROWS", 2)
    with make() as seen:
        column = pa.chunked_array([[A, None, B], [b"http://c.example/", BAD.encode(), A]], pa.binary())
        with pytest.raises(urlkey.UrlKeyError) as caught:
            seen.add_many(column, on_error="raise")
        assert (caught.value.code, caught.value.input) == ("port-invalid", BAD.encode())
        assert caught.value.__notes__ == ["in row 4, counted from 0"]
        assert len(seen) == 0
        assert seen.add_many(column[:3], on_error="raise").to_pylist() == [True, None, True]
        with pytest.raises(ValueError, match="on_error of a column must be 'raise' or 'null', not 'error'"):
            seen.add_many(column, on_error="error")
        with pytest.raises(ValueError, match=r"the column must be string.*, not double"):
            seen.add_many(pa.array([1.5]))


def test_saved_it_is_read_again(make, tmp_path):
    with make(policy="fold") as seen:
        seen.add_many([f"http://www.a.example/{number}" for number in range(1_000)])
        seen.save(tmp_path / "saved")
    again = Seen.load(tmp_path / "saved")
    assert (len(again), again.policy.name) == (1_000, "fold")
    assert "https://a.example/999" in again
    assert len(Seen.load(tmp_path / "saved", policy="fold")) == 1_000
    with pytest.raises(urlkey.UrlKeyError) as caught:
        Seen.load(tmp_path / "saved", policy="crawl")
    assert caught.value.code == "policy-mismatch"
    assert sorted(path.name for path in tmp_path.glob("saved*")) == ["saved"]


def test_an_empty_set_is_saved_too(make, tmp_path):
    with make() as seen:
        seen.save(tmp_path / "saved")
    assert len(Seen.load(tmp_path / "saved")) == 0


def test_every_damaged_byte_of_a_saved_set_is_told(tmp_path):
    seen = Seen()
    seen.add_many([A, B])
    path = tmp_path / "saved"
    seen.save(path)
    whole = path.read_bytes()
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises((StoreError, urlkey.UrlKeyError)) as caught:
            Seen.load(path)
        assert caught.value.code in ("corrupt", "not-a-store", "newer", "policy-mismatch"), at
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        with pytest.raises(StoreError):
            Seen.load(path)
    path.write_bytes(whole + b"x")
    with pytest.raises(StoreError):
        Seen.load(path)


def test_a_file_of_a_later_version_is_refused(tmp_path):
    path = tmp_path / "saved"
    Seen().save(path)
    data = bytearray(path.read_bytes())
    data[12] = 2
    path.write_bytes(data)
    with pytest.raises(StoreError) as caught:
        Seen.load(path)
    assert (caught.value.code, caught.value.path) == ("newer", str(path))


def test_a_save_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "saved"
    seen = Seen()
    seen.add(A)
    seen.save(path)

    def fails(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fails)
    seen.add(B)
    with pytest.raises(OSError, match="No space left"):
        seen.save(path)
    monkeypatch.undo()
    assert len(Seen.load(path)) == 1
    assert [entry.name for entry in tmp_path.iterdir()] == ["saved"]


# --- in a file


def test_a_file_is_there_the_next_time(tmp_path, small):
    path = tmp_path / "seen.db"
    urls = [f"http://a.example/{number}" for number in range(120)]
    with Seen(path, policy="safe") as seen:
        seen.add_many(urls[:100])
        seen.add_many(urls[100:])
        seen.add(A)
    with Seen(path) as seen:
        assert (len(seen), seen.policy.name) == (121, "safe")
        assert not any(seen.add_many([*urls, A]))
    with pytest.raises(urlkey.UrlKeyError) as caught:
        Seen(path, policy="crawl")
    assert caught.value.code == "policy-mismatch"


def test_two_sets_on_one_file_see_what_the_other_has_flushed(tmp_path, small):
    path = tmp_path / "seen.db"
    with Seen(path) as one, Seen(path, bloom=0.1) as two:
        for turn in range(20):
            urls = [f"http://a.example/{turn}/{number}" for number in range(20)]
            assert all(one.add_many(urls))
            assert not any(two.add_many(urls))
            assert all(two.add_many([f"{url}/x" for url in urls]))
            assert f"{urls[0]}/x" in one
            assert len(one) == len(two) == 40 * (turn + 1)
        one.verify()


def test_a_filter_that_is_missing_damaged_or_behind_is_made_anew(tmp_path, small):
    path, front = tmp_path / "seen.db", tmp_path / "seen.db-bloom"
    urls = [f"http://a.example/{number}" for number in range(300)]

    def add(part, bloom=0.01):
        with Seen(path, bloom=bloom) as seen:
            return seen.add_many(part)

    assert all(add(urls[:100]))
    assert all(add(urls[100:200]))
    behind = front.read_bytes()
    assert all(add(urls[200:], bloom=None))
    assert not any(add(urls))
    front.write_bytes(behind[:-1] + bytes([behind[-1] ^ 1]))
    assert not any(add(urls))
    front.unlink()
    assert not any(add(urls))
    assert front.exists()
    other = tmp_path / "other.db"
    with Seen(other, bloom=0.01) as seen:
        seen.add_many([A])
    (tmp_path / "other.db-bloom").replace(front)
    assert not any(add(urls))


@pytest.mark.parametrize("rate", [0.0, 1.0, -1, float("nan")])
def test_a_rate_that_makes_no_sense_is_refused(tmp_path, rate):
    with pytest.raises(ValueError, match="bloom must be from"):
        Seen(tmp_path / "seen.db", bloom=rate)
    with pytest.raises(ValueError, match="bloom is for a set with a path"):
        Seen(bloom=0.01)


def test_a_filter_spares_lookups_at_the_rate_it_states(tmp_path):
    rate = 0.02
    table = urlkey._native.Bloom(100_000, rate)
    table.insert(os.urandom(16 * 100_000))
    asked = 300_000
    mistakes = len(table.may_hold(os.urandom(16 * asked))) // 16
    assert 0 < mistakes < asked * rate + 4 * (asked * rate) ** 0.5


def test_a_damaged_file_is_told(tmp_path, small):
    path = tmp_path / "seen.db"
    with Seen(path) as seen:
        for start in range(0, 200, 40):
            seen.add_many([f"http://a.example/{number}" for number in range(start, start + 40)])
    whole = path.read_bytes()
    rng = random.Random(11)
    told = 0
    for _ in range(150):
        at = rng.randrange(len(whole))
        path.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << rng.randrange(8))]) + whole[at + 1 :])
        (tmp_path / "seen.db-wal").unlink(missing_ok=True)
        (tmp_path / "seen.db-shm").unlink(missing_ok=True)
        try:
            with Seen(path) as seen:
                seen.verify()
                kept = len(seen) == 200 and all(f"http://a.example/{number}" in seen for number in range(200))
        except (StoreError, urlkey.UrlKeyError):
            told += 1
        else:
            assert kept, f"byte {at} was changed, and nothing was said"
    assert told > 20


def test_other_files_are_refused(tmp_path):
    path = tmp_path / "seen.db"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE theirs (x)")
    with pytest.raises(StoreError) as caught:
        Seen(path)
    assert caught.value.code == "not-a-store"
    Seen(tmp_path / "mine.db").close()
    with sqlite3.connect(tmp_path / "mine.db") as db:
        db.execute("PRAGMA user_version = 9")
    with pytest.raises(StoreError) as caught:
        Seen(tmp_path / "mine.db")
    assert caught.value.code == "newer"


def test_importing_stores_loads_no_database():
    code = "import sys, urlkey.store; print({'sqlite3', 'psycopg', 'pyarrow'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"


# --- memory

MEMORY = """
import os, resource, sys
from urlkey.store import Seen
seen, step, worst = Seen(), 250_000, 0.0
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for size in range(step, {most} + 1, step):
    seen.add_digests(os.urandom(16 * step))
    if size >= 1_000_000:
        worst = max(worst, seen.memory / size)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
print(len(seen), worst, peak * 1024 / {most})
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak memory as Linux reports it")
@pytest.mark.parametrize("most", [1_000_000, 2_750_000, 20_000_000])
def test_a_key_costs_at_most_forty_bytes_whatever_the_size(most):
    code = MEMORY.format(most=most)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    count, worst, peak = map(float, done.stdout.split())
    assert count == most
    assert worst <= 40
    # What the process took at most, growth included, and a few blocks of random bytes that it made.
    assert peak <= 40 + 16e6 / most
