"""urlkey.arrow: a column of keys holds what a list of keys holds, row for row, whatever the column is made of."""

import gc
import subprocess
import sys
import threading
import time

import nanoarrow
import polars
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from urls import COLUMNS, ROWS, keys

import urlkey
import urlkey.arrow
from interrupts import Interrupt, interrupted

TEXTS = [pyarrow.string(), pyarrow.large_string(), pyarrow.string_view()]
BYTES = [pyarrow.binary(), pyarrow.large_binary(), pyarrow.binary_view()]
INDICES = [pyarrow.int8(), pyarrow.uint8(), pyarrow.int16(), pyarrow.uint16(), pyarrow.int32(), pyarrow.int64()]
DICTIONARIES = [pyarrow.dictionary(index, pyarrow.string()) for index in INDICES]
DICTIONARIES += [pyarrow.dictionary(pyarrow.int32(), values) for values in (pyarrow.large_string(), pyarrow.binary())]
TYPES = TEXTS + BYTES + DICTIONARIES


def column(urls, type):
    """An array of any type, dictionaries by way of their values' type."""
    if pyarrow.types.is_dictionary(type):
        return pyarrow.array(urls, type.value_type).dictionary_encode().cast(type)
    return pyarrow.array(urls, type)


def as_list(result):
    """Keys as Python has them, by way of PyArrow."""
    return pyarrow.chunked_array(result).to_pylist()


@pytest.mark.parametrize("type", TYPES, ids=str)
@pytest.mark.parametrize("threads", [None, 1, 3])
def test_every_type_gives_the_keys_of_a_list(type, threads):
    made = urlkey.arrow.keys(column(ROWS, type), threads=threads)
    assert made.to_pylist() == as_list(made) == keys(ROWS)
    assert made.null_count == keys(ROWS).count(None)
    pyarrow.array(made).validate(full=True)


@settings(max_examples=300)
@given(COLUMNS, st.sampled_from(TYPES), st.integers(0, 20), st.integers(0, 20))
def test_slices_give_the_keys_of_a_list(urls, type, start, length):
    made = urlkey.arrow.keys(column(urls, type).slice(min(start, len(urls)), length))
    assert made.to_pylist() == keys(urls[start : start + length])
    pyarrow.array(made).validate(full=True)


@settings(max_examples=200)
@given(st.lists(COLUMNS, max_size=4), st.sampled_from(TYPES), st.integers(0, 20))
def test_chunks_give_the_keys_of_a_list(parts, type, start):
    chunks = pyarrow.chunked_array([column(part, type) for part in parts], type)
    if pyarrow.types.is_dictionary(type):
        chunks = chunks.unify_dictionaries() if start % 2 else chunks
    chunks = chunks.slice(min(start, len(chunks)))
    made = urlkey.arrow.keys(chunks)
    assert made.to_pylist() == as_list(made) == keys([url for part in parts for url in part][start:])
    assert made.num_chunks == chunks.num_chunks
    assert [len(chunk) for chunk in pyarrow.chunked_array(made).chunks] == [len(chunk) for chunk in chunks.chunks]


@pytest.mark.parametrize("type", TYPES, ids=str)
def test_a_chunked_column_without_chunks(type):
    made = urlkey.arrow.keys(pyarrow.chunked_array([], type))
    assert (len(made), made.num_chunks, made.null_count) == (0, 0, 0)
    assert pyarrow.types.is_large_string(pyarrow.chunked_array(made).type) == ("large" in str(type))


def test_a_dictionary_may_hold_nulls_and_values_twice():
    values = pyarrow.array(["http://a.example?b&a", None, "bad", "http://a.example?b&a"])
    indices = pyarrow.array([3, 0, 1, None, 2, 0], pyarrow.int8())
    for encoded in (
        pyarrow.DictionaryArray.from_arrays(indices, values),
        pyarrow.DictionaryArray.from_arrays(indices, values).slice(1),
        pyarrow.DictionaryArray.from_arrays(indices[:3], values),  # more values than rows
        pyarrow.DictionaryArray.from_arrays(indices.slice(2), values.slice(0, 3).take([0, 1, 2])),
    ):
        expected = keys(encoded.to_pylist())
        assert urlkey.arrow.keys(encoded).to_pylist() == expected


def test_no_value_of_a_dictionary_that_is_in_no_row_raises():
    encoded = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, 0, 0]), pyarrow.array(["http://a.example/", "bad"]))
    assert urlkey.arrow.keys(encoded, on_error="raise").to_pylist() == ["http://a.example/"] * 3


@pytest.mark.parametrize("length", [0, 1, 7, 8, 9])
def test_nulls_alone_stay_nulls(length):
    for nulls in (pyarrow.nulls(length), pyarrow.nulls(length, pyarrow.string()), pyarrow.nulls(length, TYPES[-1])):
        made = urlkey.arrow.keys(nulls)
        assert made.to_pylist() == [None] * length
        assert made.null_count == length


@pytest.mark.parametrize("make", [polars.Series, lambda rows: polars.Series(rows, dtype=polars.Categorical)])
def test_polars_columns(make):
    assert polars.Series(urlkey.arrow.keys(make(ROWS))).to_list() == keys(ROWS)
    assert urlkey.arrow.keys(make(ROWS)[3:9]).to_pylist() == keys(ROWS[3:9])
    assert urlkey.arrow.keys(polars.Series("x", [], dtype=polars.String)).to_pylist() == []


def test_nanoarrow_columns():
    # Not of string_view: nanoarrow 0.9 damages its own heap when it exports one that it made of Python objects.
    for type in (nanoarrow.string(), nanoarrow.large_string()):
        made = urlkey.arrow.keys(nanoarrow.c_array(ROWS, type))
        assert nanoarrow.Array(made).to_pylist() == keys(ROWS)
    chunked = nanoarrow.Array.from_chunks([["http://a.example"], ["HTTP://b.example"]], nanoarrow.string())
    assert urlkey.arrow.keys(chunked).to_pylist() == ["http://a.example/", "http://b.example/"]


def test_bytes_that_are_no_text_are_those_of_the_list():
    rows = [b"http://a.example/\xff?\xfe", b"http://\xff.example/", b"HTTP://a.example", None]
    for type in BYTES:
        assert urlkey.arrow.keys(pyarrow.array(rows, type)).to_pylist() == keys(rows)


def test_a_column_that_only_claims_to_be_text_is_taken_as_bytes():
    rows = [b"http://a.example/\xff", b"HTTP://a.example"]
    claimed = pyarrow.Array.from_buffers(pyarrow.string(), 2, pyarrow.array(rows, pyarrow.binary()).buffers())
    assert urlkey.arrow.keys(claimed).to_pylist() == keys(rows)
    pyarrow.array(urlkey.arrow.keys(claimed)).validate(full=True)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_many_rows_keep_their_order(threads):
    rows = [None if n % 11 == 0 else f"HTTP://a.example/{n}?b&a{'x' * (n % 40)}" for n in range(70_000)]
    expected = [row and urlkey.key(row) for row in rows]
    for source in (pyarrow.array(rows, pyarrow.large_string()), polars.Series(rows)):
        assert urlkey.arrow.keys(source, threads=threads).to_pylist() == expected


def test_base_policy_and_encoding_are_those_of_keys():
    rows = pyarrow.array(["../b?é=1&utm_id=2", None])
    made = urlkey.arrow.keys(rows, "http://a.example/x/y", policy="safe", encoding="windows-1252")
    assert made.to_pylist() == ["http://a.example/b?%E9=1&utm_id=2", None]
    policy = urlkey.Policy("crawl").with_(drop_www=True)
    assert urlkey.arrow.keys(pyarrow.array(["http://www.a.example"]), policy=policy).to_pylist() == [
        "http://a.example/"
    ]


def test_the_column_keeps_its_name_and_says_its_policy():
    series = polars.Series("url", ["http://a.example"])
    assert polars.Series(urlkey.arrow.keys(series)).name == "url"
    batch = pyarrow.record_batch({"x": pyarrow.array(["http://a.example"])})
    field = pyarrow.field(urlkey.arrow.keys(batch.column("x"), policy="fold"))
    assert field.metadata == {b"urlkey.policy_id": urlkey.Policy("fold").id.encode()}
    assert field.nullable


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("type", [*TEXTS, DICTIONARIES[0]], ids=str)
def test_raise_raises_the_first_bad_row(threads, type):
    rows = ["http://a.example/"] * 60_000
    rows[40_000] = rows[59_999] = "http://a.example:99999/"
    rows[7] = None
    with pytest.raises(urlkey.UrlKeyError) as error:
        urlkey.arrow.keys(column(rows, type), on_error="raise", threads=threads)
    assert (error.value.code, error.value.at) == ("port-out-of-range", 17)
    assert error.value.input == "http://a.example:99999/"
    assert error.value.__notes__ == ["in row 40000, counted from 0"]


def test_raise_counts_rows_over_chunks_and_keeps_bytes():
    chunks = pyarrow.chunked_array([[b"http://a.example"] * 5, [None, b"bad"]], pyarrow.binary())
    with pytest.raises(urlkey.UrlKeyError) as error:
        urlkey.arrow.keys(chunks, on_error="raise")
    assert error.value.input == b"bad"
    assert error.value.__notes__ == ["in row 6, counted from 0"]


@pytest.mark.parametrize("on_error", ["error", "drop"])
def test_on_error_must_be_known(on_error):
    with pytest.raises(ValueError, match="on_error must be 'raise' or 'null', not"):
        urlkey.arrow.keys(pyarrow.array(["x"]), on_error=on_error)


def test_threads_must_be_positive():
    with pytest.raises(ValueError, match="threads must be at least 1, not 0"):
        urlkey.arrow.keys(pyarrow.array(["x"]), threads=0)


def test_the_result_can_be_read_again_and_outlives_its_source():
    made = urlkey.arrow.keys(pyarrow.array(ROWS))
    first = pyarrow.array(made)
    assert pyarrow.array(made).equals(first)
    del made
    gc.collect()
    assert first.to_pylist() == keys(ROWS)
    assert polars.Series(urlkey.arrow.keys(pyarrow.array(ROWS))).to_list() == keys(ROWS)


def test_nothing_is_kept_of_what_came_in():
    before = pyarrow.total_allocated_bytes()
    rows = pyarrow.array([f"http://a.example/{n}?b&a" for n in range(10_000)])
    made = [urlkey.arrow.keys(rows) for _ in range(20)]
    del rows
    gc.collect()
    assert pyarrow.total_allocated_bytes() == before
    assert len(made[0]) == 10_000


def test_memory_does_not_grow_with_calls():
    import resource

    rows = pyarrow.chunked_array([pyarrow.array([f"HTTP://a.example/{n}" for n in range(4000)])] * 2)
    for _ in range(5):
        pyarrow.chunked_array(urlkey.arrow.keys(rows))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(60):
        pyarrow.chunked_array(urlkey.arrow.keys(rows))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 6000  # KiB; every call makes 200


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_is_heard(threads):
    rows = pyarrow.array(["HTTP://Example.com/?" + "&".join(f"p{n}" for n in range(30, 0, -1))] * 100_000)
    with pytest.raises(Interrupt), interrupted():
        urlkey.arrow.keys(rows, threads=threads)


@pytest.mark.parametrize("threads", [1, 2])
def test_other_threads_run_meanwhile(threads):
    rows = pyarrow.array(["HTTP://example.com/?" + "&".join(f"p{n}={n}" for n in range(50, 0, -1))] * 9000)
    counted = 0
    done = threading.Event()

    def count():
        nonlocal counted
        while not done.is_set():
            counted += 1

    counter = threading.Thread(target=count)
    counter.start()
    before = counted
    urlkey.arrow.keys(rows, threads=threads)
    after = counted
    done.set()
    counter.join()
    assert after > before + 1000


def test_a_stream_that_runs_python_code_on_another_thread():
    """A producer's batches may need the GIL: it is released while they are pulled."""

    def batches():
        for n in range(3):
            time.sleep(0.01)
            yield pyarrow.record_batch({"url": [f"http://a.example/{n}?"]})

    schema = pyarrow.schema({"url": pyarrow.string()})
    reader = pyarrow.RecordBatchReader.from_batches(schema, batches())
    urls = pyarrow.table(reader).column("url")
    assert urlkey.arrow.keys(urls).to_pylist() == [f"http://a.example/{n}" for n in range(3)]


NO_LIBRARY = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("pyarrow", "numpy", "pandas", "polars", "duckdb"):
            raise ImportError(f"{name} must not be imported")

sys.meta_path.insert(0, Refuse())
import urlkey.arrow
assert {name for name in sys.modules if name.startswith("urlkey")} == {
    "urlkey", "urlkey._native", "urlkey.arrow", "urlkey.engines", "urlkey.engines.arrow"
}
import nanoarrow
urls = nanoarrow.c_array(["http://a.example/?b&a", None, "bad"], nanoarrow.string())
made = urlkey.arrow.keys(urls)
assert made.to_pylist() == ["http://a.example/?a&b", None, None]
assert nanoarrow.Array(made).to_pylist() == made.to_pylist()
"""


def test_no_arrow_library_is_needed():
    subprocess.run([sys.executable, "-c", NO_LIBRARY], check=True)
