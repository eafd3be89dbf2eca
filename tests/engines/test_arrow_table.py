"""urlkey.arrow.table and column: every fact is what the function of that name says of the row."""

import datetime

import polars
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_arrow import TYPES, column
from urls import COLUMNS, ROWS, key

import urlkey
import urlkey.arrow

FACTS = ["key", "href", "digest", "error", "loss", "flags", "host", "hostname", "registrable_domain"]
POLICIES = ["crawl", "fold", "safe", "feed"]


def facts(url, policy="crawl"):
    """What a row of a table holds, by the functions for single URLs."""
    if url is None:
        return dict.fromkeys(FACTS)
    try:
        told = urlkey.identify(url, policy=policy)
        parsed = urlkey.Policy(policy).parse(url)
    except urlkey.UrlKeyError as error:
        return dict.fromkeys(FACTS) | {"error": error.code}
    return {
        "key": told.key,
        "href": told.href,
        "digest": urlkey.digest(url, policy=policy),
        "error": None,
        "loss": told.loss,
        "flags": list(told.flags),
        "host": parsed.host,
        "hostname": parsed.hostname,
        "registrable_domain": parsed.registrable_domain,
    }


SIGNED = "https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=" + "0" * 64
MORE = [
    *ROWS,
    SIGNED,
    "http://[::1]:8080/",
    "mailto:a@b.example",
    "file:///x",
    b"http://a.example/\xff".decode("latin-1"),
]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("threads", [1, 3])
def test_every_fact_of_every_row(policy, threads):
    made = urlkey.arrow.table(pyarrow.array(MORE), columns=FACTS, policy=policy, threads=threads)
    assert made.to_pylist() == [facts(url, policy) for url in MORE]
    batch = pyarrow.record_batch(made)
    batch.validate(full=True)
    assert batch.to_pylist() == made.to_pylist()
    flags = made.to_pylist()[len(ROWS)]["flags"]
    assert flags == ([] if policy == "safe" else ["signed"])


@settings(max_examples=150)
@given(COLUMNS, st.sampled_from(TYPES), st.sets(st.sampled_from(FACTS), min_size=1), st.integers(0, 5))
def test_any_facts_of_any_type_and_slice(urls, type, asked, start):
    made = urlkey.arrow.table(column(urls, type).slice(start), columns=sorted(asked))
    expected = [facts(url) for url in urls[start:]]
    assert made.to_pylist() == [{name: row[name] for name in sorted(asked)} for row in expected]


@pytest.mark.parametrize("name", FACTS)
@pytest.mark.parametrize("type", [pyarrow.string(), pyarrow.dictionary(pyarrow.int8(), pyarrow.string())], ids=str)
def test_a_single_column(name, type):
    chunks = pyarrow.chunked_array([column(ROWS, type), column(ROWS[:3], type).slice(1)])
    made = urlkey.arrow.column(chunks, name)
    assert made.to_pylist() == [facts(url)[name] for url in [*ROWS, *ROWS[1:3]]]
    assert pyarrow.chunked_array(made).to_pylist() == made.to_pylist()
    assert urlkey.arrow.column(chunks.chunk(0), name).to_pylist() == made.to_pylist()[: len(ROWS)]


def test_many_rows_on_threads_keep_their_order():
    rows = [f"http://h{n % 700}.example/{n}?b&a" if n % 13 else f"bad {n}" for n in range(40_000)]
    asked = ["key", "error", "flags", "digest"]
    made = urlkey.arrow.table(pyarrow.array(rows), columns=asked, threads=3)
    assert made.to_pylist() == urlkey.arrow.table(pyarrow.array(rows), columns=asked, threads=1).to_pylist()
    assert [row["key"] for row in made.to_pylist()] == [key(row) for row in rows]


OTHERS = {
    "status": pyarrow.array([200, None, 404, 301], pyarrow.int16()),
    "at": pyarrow.array([datetime.datetime(2026, 11, 30), None] * 2, pyarrow.timestamp("us", "UTC")),
    "tags": pyarrow.array([["a", "b"], None, [], [None]], pyarrow.list_(pyarrow.string())),
    "kind": pyarrow.array(["x", "y", "x", None]).dictionary_encode(),
    "size": pyarrow.array([{"w": 1, "h": [2]}, None, {"w": 3, "h": None}, {"w": None, "h": []}]),
    "view": pyarrow.array(["short", "longer than twelve bytes", None, ""], pyarrow.string_view()),
    "map": pyarrow.array([[("a", 1)], None, [], [("b", None)]], pyarrow.map_(pyarrow.string(), pyarrow.int8())),
    "fixed": pyarrow.array([[1, 2], None, [3, 4], [5, None]], pyarrow.list_(pyarrow.int8(), 2)),
    "none": pyarrow.nulls(4),
    "flag": pyarrow.array([True, None, False, True]),
}
URLS = ["http://a.example/?b&a", None, "nonsense", "HTTP://b.example"]


def batches():
    """Record batches with columns of every sort, one of them cut out of a longer one."""
    whole = pyarrow.record_batch({"url": pyarrow.array(URLS), **OTHERS}).replace_schema_metadata({b"source": b"crawl"})
    return [
        whole,
        whole.slice(1, 2),
        whole.slice(0, 0),
        whole.slice(3),
    ]


@pytest.mark.parametrize("number", range(4))
def test_the_columns_of_a_batch_come_through_as_they_are(number):
    batch = batches()[number]
    made = pyarrow.record_batch(urlkey.arrow.table(batch, columns={"k": "key", "e": "error"}))
    made.validate(full=True)
    assert made.schema.names == [*batch.schema.names, "k", "e"]
    assert made.select(batch.schema.names).equals(batch, check_metadata=True)
    assert made.schema.metadata == {b"source": b"crawl"}
    assert made.column("k").to_pylist() == [key(url) for url in batch.column("url").to_pylist()]


def test_a_table_of_batches():
    table = pyarrow.Table.from_batches(batches())
    made = urlkey.arrow.table(table, columns=["key", "digest"])
    assert made.num_chunks == len(batches())
    back = pyarrow.table(made)
    back.validate(full=True)
    assert back.select(table.column_names).equals(table, check_metadata=True)
    assert back.column("key").to_pylist() == [key(url) for url in table.column("url").to_pylist()]
    # Once more, from the same object.
    assert pyarrow.table(made).equals(back)


def test_a_consumer_may_take_children_away():
    """PyArrow moves every column out of what it is given; the next consumer finds them all the same."""
    made = urlkey.arrow.table(batches()[0].drop_columns(["map"]))  # a type that Polars has not
    first, second = pyarrow.record_batch(made), polars.DataFrame(made)
    del first
    assert pyarrow.record_batch(made).column("size").to_pylist() == second["size"].to_list()


def test_a_reader_that_is_read_once():
    reader = pyarrow.RecordBatchReader.from_batches(batches()[0].schema, iter(batches()))
    made = pyarrow.table(urlkey.arrow.table(reader))
    assert len(made) == sum(len(batch) for batch in batches())


@pytest.mark.parametrize("table", [pyarrow.schema({"url": pyarrow.string(), "n": pyarrow.int8()}).empty_table()])
def test_a_table_without_rows_has_its_columns(table):
    made = urlkey.arrow.table(pyarrow.Table.from_batches([], table.schema), columns=["key", "flags"])
    assert len(made) == made.num_chunks == 0
    assert pyarrow.table(made).schema.names == ["url", "n", "key", "flags"]
    made = pyarrow.table(urlkey.arrow.table(table, columns=["key", "flags"]))
    assert made.schema.field("flags").type == pyarrow.list_(pyarrow.field("item", pyarrow.string()))


def test_polars_frames():
    frame = polars.DataFrame({"link": URLS, "n": [1, 2, 3, 4]})
    made = polars.DataFrame(urlkey.arrow.table(frame, "link", columns=["key", "registrable_domain"]))
    assert made.columns == ["link", "n", "key", "registrable_domain"]
    assert made["key"].to_list() == [key(url) for url in URLS]


def test_keys_and_digests_say_their_policy():
    schema = pyarrow.record_batch(urlkey.arrow.table(pyarrow.array(URLS), columns=FACTS, policy="fold")).schema
    told = {field.name for field in schema if field.metadata}
    assert told == {"key", "digest"}
    assert schema.field("key").metadata == {b"urlkey.policy_id": urlkey.Policy("fold").id.encode()}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"column": "link"}, 'there is no column "link": say which of url, n holds the URLs'),
        ({"columns": ["keys"]}, 'there is no column "keys" to be made; there are key, href, digest'),
        ({"columns": {"n": "key"}}, 'there are two columns "n"'),
        ({"columns": ["key", "key"]}, "columns names key twice"),
    ],
)
def test_columns_that_cannot_be(arguments, message):
    batch = pyarrow.record_batch({"url": ["http://a.example"], "n": [1]})
    with pytest.raises(ValueError, match=message):
        urlkey.arrow.table(batch, **arguments)


def test_a_batch_with_two_columns_of_urls():
    twice = pyarrow.record_batch([pyarrow.array(["x"])] * 2, ["url", "url"])
    with pytest.raises(ValueError, match='there are two columns "url"'):
        urlkey.arrow.table(twice)


def test_columns_are_not_one_text():
    with pytest.raises(TypeError, match="columns must be several names or a mapping, not str"):
        urlkey.arrow.table(pyarrow.array(["x"]), columns="key")


def test_a_column_has_no_columns():
    with pytest.raises(ValueError, match="this is a column itself"):
        urlkey.arrow.table(pyarrow.array(["x"]), "url")
    with pytest.raises(ValueError, match="there is no column"):
        urlkey.arrow.column(pyarrow.array(["x"]), "netloc")


def test_a_batch_with_null_rows_is_refused():
    rows = pyarrow.array([{"url": "http://a.example"}, None])
    with pytest.raises(ValueError, match="null rows"):
        urlkey.arrow.table(rows)
    assert pyarrow.record_batch(urlkey.arrow.table(rows.slice(0, 1))).column("key").to_pylist() == ["http://a.example/"]


def test_columns_that_came_in_are_not_read_here():
    with pytest.raises(TypeError, match="give the batch to an Arrow library"):
        urlkey.arrow.table(batches()[0]).to_pylist()
