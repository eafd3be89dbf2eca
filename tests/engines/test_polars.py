"""urlkey.polars: expressions and Series, eager, lazy and streaming."""

import polars as pl
import pytest
from hypothesis import given
from polars.testing import assert_frame_equal
from urls import COLUMNS, ROWS, keys

import urlkey
import urlkey.polars


@given(COLUMNS)
def test_keys_are_those_of_a_list(rows):
    frame = pl.DataFrame({"url": pl.Series(rows, dtype=pl.String)})
    assert frame.select(pl.col("url").urlkey.key())["url"].to_list() == keys(rows)
    assert frame["url"].urlkey.key().to_list() == keys(rows)
    assert frame.slice(1)["url"].urlkey.key().to_list() == keys(rows[1:])


def test_types_are_said_beforehand_and_are_right():
    frame = pl.LazyFrame({"url": ROWS})
    told = frame.select(
        pl.col("url").urlkey.key().alias("key"),
        pl.col("url").urlkey.column("digest").alias("digest"),
        pl.col("url").urlkey.column("flags").alias("flags"),
        pl.col("url").urlkey.table({"k": "key", "f": "flags", "e": "error"}).alias("table"),
    )
    schema = told.collect_schema()
    assert schema["key"] == pl.String
    assert schema["digest"] == pl.Binary
    assert schema["flags"] == pl.List(pl.String)
    assert schema["table"] == pl.Struct({"k": pl.String, "f": pl.List(pl.String), "e": pl.String})
    assert told.collect().schema == schema
    empty = frame.head(0).select(pl.col("url").urlkey.table(["key", "flags"])).collect()
    assert empty.schema == {"url": pl.Struct({"key": pl.String, "flags": pl.List(pl.String)})}


def test_streaming_gives_the_same():
    rows = [f"HTTP://h{n % 50}.example/{n}?b&a" if n % 7 else None for n in range(60_000)]
    frame = pl.LazyFrame({"n": range(len(rows)), "url": rows})
    query = frame.with_columns(pl.col("url").urlkey.key(threads=1).alias("key")).sort("n")
    streamed = query.collect(engine="streaming")
    assert_frame_equal(streamed, query.collect())
    assert streamed["key"].to_list() == [row and urlkey.key(row) for row in rows]


def test_grouped_and_filtered_rows():
    rows = pl.DataFrame({"url": ["http://a.example/?b&a", "HTTP://a.example/?a&b", "http://b.example", "nonsense"]})
    groups = rows.lazy().group_by(pl.col("url").urlkey.key().alias("key")).len().collect()
    assert dict(groups.rows()) == {"http://a.example/?a&b": 2, "http://b.example/": 1, None: 1}
    bad = rows.filter(pl.col("url").urlkey.column("error").is_not_null())
    assert bad["url"].to_list() == ["nonsense"]


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Enum(["http://a.example", "bad"]), pl.Binary])
def test_dtypes(dtype):
    rows = pl.Series("url", ["http://a.example", None, "bad"]).cast(dtype)
    made = rows.urlkey.key()
    assert (made.name, made.dtype, made.to_list()) == ("url", pl.String, ["http://a.example/", None, None])


def test_nulls_alone():
    made = pl.select(pl.lit(None).urlkey.key().alias("key"), pl.Series([None, None]).alias("x"))
    assert made["key"].to_list() == [None, None]
    assert made["key"].dtype == pl.String


def test_options_are_those_of_keys():
    links = pl.DataFrame({"url": ["../b?é", "x"]})
    made = links.select(pl.col("url").urlkey.key(base="http://www.a.example/c/d", policy="fold", encoding="latin1"))
    assert made["url"].to_list() == ["https://a.example/b?%E9", "https://a.example/c/x"]
    with pytest.raises(urlkey.UrlKeyError):
        links["url"].urlkey.key(on_error="raise")


def test_another_type_is_an_error():
    with pytest.raises(ValueError, match="not int64"):
        pl.Series([1, 2]).urlkey.key()
    with pytest.raises(Exception, match="not int64"):
        pl.select(pl.lit(1, pl.Int64).urlkey.key())
