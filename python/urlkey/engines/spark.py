"""Keys of DataFrames of Apache Spark: `urlkey.spark`. Rows go to the executors' Python as Arrow batches, what has one
key is brought together by Spark's own shuffle. Must not know what a key is.

What crosses the network is 16 bytes of a key and the row, and it is distributed by those bytes: a host with most of
the URLs is spread as evenly as all others. A single key with most of the rows is brought down to one row in each
partition before the shuffle.

Executors need this package, and PyArrow as Spark itself does. Policies travel by value: rule files that the driver
has read need not be there.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Literal, TypeAlias

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, BinaryType, DataType, StringType, StructField, StructType

from urlkey import Policy
from urlkey.engines import arrow
from urlkey.engines.arrow import Columns, Fact

__all__ = ["Keep", "components", "dedupe", "group", "with_key"]

Keep: TypeAlias = Literal["first", "shortest", "https"]

# Columns that come and go within a function.
_DIGEST, _ORDER, _ROW = "__urlkey_digest", "__urlkey_order", "__urlkey_row"

# What the core takes for space before a scheme: controls and the blank.
_HTTPS = r"(?i)^[\x00-\x20]*https:"


def with_key(
    df: DataFrame,
    column: str = "url",
    *,
    policy: str | Policy = "crawl",
    columns: Columns = ("key",),
    base: str | None = None,
    encoding: str = "utf-8",
) -> DataFrame:
    """The DataFrame with a column `key`, or those that `columns` names; as many rows as before.

    `column` names a column of strings. `columns` is what `urlkey.arrow.table` takes: names of facts, or a mapping
    from names of columns to them; null in the row of a null, and of what is no URL, whose code is the fact 'error'.
    Raises ValueError for a column that is not there, or is there already, UrlKeyError for a policy that cannot be used.

    >>> import urlkey.spark
    >>> crawl = spark.createDataFrame([("HTTP://a.example?b&a",), ("nonsense",)], ["url"])
    >>> [row.key for row in urlkey.spark.with_key(crawl, "url").collect()]
    ['http://a.example/?a&b', None]
    """
    facts = arrow.named(columns)
    if column not in df.columns:
        raise ValueError(f"there is no column {column!r}; there are {', '.join(df.columns)}")
    twice = [name for name in facts if name in df.columns]
    if twice:
        raise ValueError(f"there is a column {twice[0]!r} already")
    schema = StructType([*df.schema.fields, *(StructField(name, _type(fact)) for name, fact in facts.items())])
    # Spark looks for the columns by name, and takes a dot in one for a field of a struct: names of ours for the way.
    plain = df.toDF(*(f"c{place}" for place in range(len(df.columns))))
    make = partial(
        _facts,
        column=f"c{df.columns.index(column)}",
        facts=facts,
        names=schema.names,
        policy=Policy(policy),
        base=base,
        encoding=encoding,
    )
    return plain.mapInArrow(make, schema)


def dedupe(
    df: DataFrame,
    column: str = "url",
    *,
    keep: Keep = "first",
    order: str | Column | None = None,
    policy: str | Policy = "crawl",
    base: str | None = None,
    encoding: str = "utf-8",
) -> DataFrame:
    """One row of each key, whole; rows without a key are left out.

    `keep` is 'first', the row with the least `order`; 'shortest', that with the shortest URL; 'https', one whose URL
    begins so, if there is one; of several such the first. `order` is a column, or an expression, that no two rows have
    in common; without it, rows come in the order in which Spark reads them, partition by partition. The rows are
    those that the command `urlkey dedupe` keeps of the same lines in that order. Raises what `with_key` raises.

    >>> import urlkey.spark
    >>> rows = [(1, "http://a.example/?"), (2, "HTTP://a.example"), (3, "nonsense")]
    >>> crawl = spark.createDataFrame(rows, ["n", "url"])
    >>> urlkey.spark.dedupe(crawl, "url", keep="shortest", order="n").collect()
    [Row(n=2, url='HTTP://a.example')]
    """
    if keep not in ("first", "shortest", "https"):
        raise ValueError(f"keep is first, shortest or https, not {keep!r}")
    ordered = df.withColumn(_ORDER, _place(order))
    digests: dict[str, Fact] = {_DIGEST: "digest"}
    keyed = with_key(ordered, column, policy=policy, columns=digests, base=base, encoding=encoding)
    row = F.struct(*(_named(name) for name in df.columns))
    place = F.struct(_rank(keep, _named(column)), F.col(_ORDER))
    # Spark takes the least of each partition before the shuffle: no key is too hot.
    kept = keyed.where(F.col(_DIGEST).isNotNull()).groupBy(_DIGEST).agg(F.min_by(row, place).alias(_ROW))
    return kept.select(f"{_ROW}.*")


def group(
    df: DataFrame,
    column: str = "url",
    *,
    order: str | Column | None = None,
    policy: str | Policy = "crawl",
    base: str | None = None,
    encoding: str = "utf-8",
) -> DataFrame:
    """A row for each key: `key`, `digest`, `rows`, and `spellings`, an array of `url` and `rows` of each.

    Spellings come in the order of their first rows, as `dedupe` explains `order`; rows without a key are left out.
    Two shuffles: repeats of one spelling are counted before spellings of one key meet. The spellings of one key must
    fit into the memory of an executor; their repeats need not. Raises what `with_key` raises.

    >>> import urlkey.spark
    >>> urls = ["http://a.example", "http://b.example/", "HTTP://a.example/", "http://a.example"]
    >>> groups = urlkey.spark.group(spark.createDataFrame([(url,) for url in urls], ["url"]))
    >>> [(row.key, row.rows, [tuple(s) for s in row.spellings]) for row in groups.orderBy("key").collect()]
    [('http://a.example/', 3, [('http://a.example', 2), ('HTTP://a.example/', 1)]),
     ('http://b.example/', 1, [('http://b.example/', 1)])]
    """
    rows = df.select(_named(column).alias("url"), _place(order).alias(_ORDER))
    digests: dict[str, Fact] = {"digest": "digest"}
    keyed = with_key(rows, "url", policy=policy, columns=digests, base=base, encoding=encoding)
    once = (
        keyed.where(F.col("digest").isNotNull())
        .groupBy("digest", "url")
        .agg(F.min(_ORDER).alias(_ORDER), F.count("*").alias("rows"))
    )
    found = once.groupBy("digest").agg(
        F.sum("rows").alias("rows"), F.sort_array(F.collect_list(F.struct(_ORDER, "url", "rows"))).alias("spellings")
    )
    spellings = F.transform("spellings", lambda row: F.struct(row["url"].alias("url"), row["rows"].alias("rows")))
    first = F.col("spellings")[0]["url"]
    groups = found.select("digest", "rows", spellings.alias("spellings"), first.alias(_ROW))
    # The key is made again, of one spelling: 16 bytes of it went through the shuffles.
    whole = with_key(groups, _ROW, policy=policy, base=base, encoding=encoding)
    return whole.select("key", "digest", "rows", "spellings")


def components(edges: DataFrame, *, reliable: bool = False) -> DataFrame:
    """A row for each key of the edges: `key`, and `component`, the least key of those that edges connect it with.

    The first two columns of `edges` are the two ends, strings: either way round, repeated, or one key twice; edges with
    a null are left out. What comes out is what `urlkey.evidence.components.components` makes of the same pairs on
    one machine. Rounds of two steps (Kiveris and others, "Connected Components in MapReduce and Beyond", 2014), each of
    them some shuffles of the edges; a chain of n keys takes about log n rounds. This runs as it is called. Between the
    rounds the edges are kept on the executors, or, with `reliable`, in the checkpoint directory of the session, where
    they outlive an executor.

    >>> import urlkey.spark
    >>> edges = spark.createDataFrame([("b", "c"), ("d", "d"), ("c", "a")], ["from_key", "to_key"])
    >>> [tuple(row) for row in urlkey.spark.components(edges).orderBy("key").collect()]
    [('a', 'a'), ('b', 'a'), ('c', 'a'), ('d', 'd')]
    """
    one, other = (_named(name) for name in edges.columns[:2])
    pairs = edges.select(one.alias("u"), other.alias("v")).where("u IS NOT NULL AND v IS NOT NULL")
    keys = pairs.select(F.col("u").alias("key")).union(pairs.select("v")).distinct()
    stars = _kept(pairs.where("u != v").select(F.greatest("u", "v").alias("u"), F.least("u", "v").alias("v")), reliable)
    while not _are_stars(stars):
        stars = _kept(_small_star(_large_star(stars)), reliable)
    return keys.join(stars, keys["key"] == stars["u"], "left").select("key", F.coalesce("v", "key").alias("component"))


def _kept(pairs: DataFrame, reliable: bool) -> DataFrame:
    """The same pairs, each once, without the way that led to them."""
    distinct = pairs.distinct()
    return distinct.checkpoint() if reliable else distinct.localCheckpoint()


def _are_stars(pairs: DataFrame) -> bool:
    """Whether every key has one smaller neighbour, and that has none: then it is the least of the component."""
    if pairs.groupBy("u").count().where("count > 1").limit(1).count():
        return False
    return (
        not pairs.join(pairs.select(F.col("u").alias("inner")), F.col("v") == F.col("inner"), "left_semi")
        .limit(1)
        .count()
    )


def _large_star(pairs: DataFrame) -> DataFrame:
    """Every key joins its larger neighbours with the least of its neighbours and itself."""
    both = pairs.select("u", "v").union(pairs.select(F.col("v").alias("u"), F.col("u").alias("v")))
    least = both.groupBy("u").agg(F.least(F.min("v"), F.col("u")).alias("m"))
    return both.join(least, "u").where("v > u").select(F.col("v").alias("u"), F.col("m").alias("v"))


def _small_star(pairs: DataFrame) -> DataFrame:
    """Every key joins its smaller neighbours and itself with the least of them."""
    least = pairs.groupBy("u").agg(F.min("v").alias("m"))
    others = pairs.join(least, "u").where("v != m").select(F.col("v").alias("u"), F.col("m").alias("v"))
    return others.union(least)


def _facts(
    batches: Iterable[pa.RecordBatch],
    column: str,
    facts: dict[str, Fact],
    names: list[str],
    policy: Policy,
    base: str | None,
    encoding: str,
) -> Iterator[pa.RecordBatch]:
    """What runs on the executors: one thread a task, as Spark counts them."""
    # The names of facts may be those that the columns have for the way.
    columns = {f"fact{place}": fact for place, fact in enumerate(facts.values())}
    for batch in batches:
        made = arrow.table(batch, column, columns=columns, policy=policy, base=base, encoding=encoding, threads=1)
        yield pa.RecordBatch.from_arrays(pa.record_batch(made).columns, names=names)


def _type(fact: Fact) -> DataType:
    """Spark's type of what `urlkey.arrow.table` makes."""
    if fact == "digest":
        return BinaryType()
    return ArrayType(StringType()) if fact == "flags" else StringType()


def _place(order: str | Column | None) -> Column:
    if order is None:
        return F.monotonically_increasing_id()
    return _named(order) if isinstance(order, str) else order


def _named(name: str) -> Column:
    """The column of that name, dots and all."""
    return F.col("`" + name.replace("`", "``") + "`")


def _rank(keep: Keep, url: Column) -> Column:
    """The lower, the better; as `urlkey dedupe --keep` ranks spellings."""
    if keep == "shortest":
        return F.octet_length(url)
    return ~F.rlike(url, F.lit(_HTTPS)) if keep == "https" else F.lit(0)
