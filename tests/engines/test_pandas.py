"""urlkey.pandas: a Series of URLs of whatever dtype."""

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from urls import COLUMNS, ROWS, keys

import urlkey
import urlkey.pandas

INDEX = [f"row {n}" for n in range(len(ROWS))]
DTYPES = ["object", "string", "string[python]", "string[pyarrow]", "category", pd.ArrowDtype(pa.string())]
DTYPES += [pd.ArrowDtype(pa.large_string())] + (["str"] if pd.__version__ >= "3" else [])


def listed(series):
    """A Series as Python has it, what is missing as None."""
    return [None if row is pd.NA or row != row else row for row in series]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype_gives_the_keys_of_a_list(dtype):
    series = pd.Series(ROWS, index=INDEX, name="url").astype(dtype)
    made = series.urlkey.key()
    assert listed(made) == keys(ROWS)
    assert made.name == "url"
    assert made.index.equals(series.index)
    if dtype in ("object", "category"):
        assert made.dtype == pd.Series([""]).dtype
    elif not isinstance(dtype, pd.ArrowDtype):
        assert made.dtype == series.dtype
    else:
        assert isinstance(made.dtype, pd.ArrowDtype)


@given(COLUMNS)
def test_keys_are_those_of_a_list(rows):
    assert listed(pd.Series(rows, dtype="object").urlkey.key()) == keys(rows)
    assert listed(pd.Series(rows, dtype="object")[::-1].urlkey.key()) == keys(rows[::-1])


def test_missing_values_of_every_sort_stay_missing():
    series = pd.Series(["http://a.example", None, float("nan"), pd.NA], dtype="object")
    assert listed(series.urlkey.key()) == ["http://a.example/", None, None, None]


def test_tables_keep_the_index():
    series = pd.Series(["http://www.shop.co.uk/?b&a", "nonsense"], index=[7, 3])
    made = series.urlkey.table({"k": "key", "why": "error", "d": "digest", "f": "flags"})
    assert list(made.index) == [7, 3]
    assert list(made.columns) == ["k", "why", "d", "f"]
    assert made.loc[7, "d"] == urlkey.digest("http://www.shop.co.uk/?b&a")
    assert made.loc[7, "f"] == []
    assert made.loc[3, "why"] == "missing-scheme-non-relative-URL"
    assert made.loc[3, "d"] is None
    assert listed(series.urlkey.column("registrable_domain")) == ["shop.co.uk", None]


def test_grouping_by_key():
    frame = pd.DataFrame({"url": ["http://a.example?b&a", "HTTP://a.example/?a&b", "http://b.example"], "n": [1, 2, 4]})
    sums = frame.groupby(frame["url"].urlkey.key())["n"].sum()
    assert sums.to_dict() == {"http://a.example/?a&b": 3, "http://b.example/": 4}


def test_options_are_those_of_keys():
    made = pd.Series(["b"]).urlkey.key(base="http://www.a.example/", policy="fold", threads=2)
    assert made.tolist() == ["https://a.example/b"]
    with pytest.raises(urlkey.UrlKeyError) as error:
        pd.Series(["http://a.example", "nonsense"]).urlkey.key(on_error="raise")
    assert error.value.input == "nonsense"


def test_another_type_is_an_error():
    with pytest.raises(ValueError, match="not double"):
        pd.Series([1.5]).urlkey.key()
    with pytest.raises((TypeError, pa.ArrowInvalid)):
        pd.Series(["http://a.example", 3], dtype="object").urlkey.key()


def test_empty_series():
    for dtype in DTYPES:
        assert pd.Series([], dtype=dtype).urlkey.key().tolist() == []
