"""Columns of Arrow in, columns of bool out."""

import random

import polars as pl
import pyarrow as pa
import pytest

from stores.given import A2, BAD, A, B, content
from urlkey.store import Store

MIXED = [A, None, BAD, A2, B, "http://b.example/#x", None, ""]
TOLD = [True, None, None, False, True, False, None, None]


@pytest.mark.parametrize(
    "type_",
    [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.dictionary(pa.int8(), pa.string())],
    ids=str,
)
def test_an_array_gives_a_mask(place, type_):
    column = pa.array(MIXED).cast(type_) if type_ != pa.string_view() else pa.array(MIXED, type_)
    with Store.open(place) as store:
        mask = store.add_many(column, time=5)
        assert (mask.type, mask.to_pylist(), mask.null_count) == ("bool", TOLD, 4)
        assert pa.array(mask).to_pylist() == TOLD
        assert {spelling.text for spelling in store.spellings(A)} == {A, A2}
        assert {reject.text for reject in store.rejects()} == {BAD, ""}
        assert store.stats().sightings == 6
        store.verify()


def test_a_column_says_and_keeps_what_a_list_does(place, new_place, monkeypatch):
    monkeypatch.setattr("urlkey.store.store._CHUNK", 70)
    rng = random.Random(4)
    urls = [f"http://a.example/{rng.randrange(200)}?utm_source={rng.randrange(3)}" for _ in range(1_000)]
    urls[::50] = [BAD] * 20
    chunks = pa.chunked_array([urls[:1], [], urls[1:400], urls[400:]], pa.string())
    with Store.open(place) as store, Store.open(new_place()) as other:
        mask = store.add_many(chunks, time=9)
        assert [len(chunk) for chunk in pa.chunked_array(mask).chunks] == [1, 0, 399, 600]
        assert mask.to_pylist() == other.add_many(urls, time=9)
        assert content(store) == content(other)
        assert store.add_many(pa.chunked_array([], pa.string())).to_pylist() == []
        assert pl.Series(store.add_many(pl.Series(urls[:3]))).to_list() == [None, False, False]
        assert store.add_many(pa.array(urls).slice(60, 7)).to_pylist() == [False] * 7


def test_what_is_no_column_of_urls_is_refused(place):
    with Store.open(place) as store:
        with pytest.raises(ValueError, match=r"the column must be string.*, not int64"):
            store.add_many(pa.array([1, 2]))
        with pytest.raises(ValueError, match="on_error of a column must be 'null'"):
            store.add_many(pa.array([A]), on_error="error")
        with pytest.raises(ValueError, match="not struct"):
            store.add_many(pa.table({"url": [A]}))
        assert len(store) == 0
