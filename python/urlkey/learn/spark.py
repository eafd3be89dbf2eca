"""The learner on DataFrames of Apache Spark. Each domain is learned by itself, so domains go to executors, and what
they teach comes back: what all of them say together, the risks and the budget, is decided where the session is. Must
not know how anything is learned.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from functools import partial
from itertools import groupby
from operator import itemgetter

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import TimestampType

from urlkey import Policy
from urlkey.learn.findings import Finding
from urlkey.learn.host import Guards
from urlkey.learn.learning import findings_of
from urlkey.learn.model import BUDGET, Model, finding_of, selected
from urlkey.learn.observations import COLUMNS, Observation, observation
from urlkey.learn.streams import HELD, LARGEST, Source

# Of the column by which rows are brought together.
_DOMAIN = "__urlkey_domain"
_COUNTS = ("rows", "refused", "hosts", "pages", "sampled")
_ANSWER = pa.schema([("findings", pa.string()), *((name, pa.int64()) for name in _COUNTS)])
_DDL = "findings string, " + ", ".join(f"{name} long" for name in _COUNTS)

__all__ = ["learn"]


def learn(
    df: DataFrame,
    *,
    policy: str | Policy = "crawl",
    budget: float = BUDGET,
    guards: Guards | None = None,
    date: str | None = None,
    held: int = HELD,
    largest: int = LARGEST,
    partitions: int | None = None,
) -> Model:
    """The rules that the rows of a DataFrame tell; its columns are those of observations, `url` and any others of them.

    The model is that of `urlkey.learn.learn` on the same rows, to the last count. Rows are shuffled once, by their
    registrable domain, into `partitions` (by default what the session says), and read domain by domain: an executor
    holds one domain, of a host with more than `largest` pages a sample. This runs as it is called. Raises what `learn`
    raises; a row that is no observation fails the job.

    >>> import urlkey.spark
    >>> rows = [(f"http://a.example/p/{n}{tail}", n) for n in range(300) for tail in ("", "?color=red", "?color=blue")]
    >>> model = urlkey.spark.learn(spark.createDataFrame(rows, ["url", "fingerprint"]), budget=0.001)
    >>> [(rule.path, rule.rewrite.names, rule.trials) for rule in model.rules]
    [('/p/{int}', ('color',), 600)]
    """
    if not 0 < budget < 1:
        raise ValueError(f"a budget of {budget}; allowed: between 0 and 1")
    if "url" not in df.columns:
        raise ValueError(f"there is no column 'url'; there are {', '.join(df.columns)}")
    made = Policy(policy)
    # Of time stamps the seconds.
    stamps = {one.name for one in df.schema if isinstance(one.dataType, TimestampType)}
    columns = [name for name in COLUMNS if name in df.columns]
    plain = df.select(*(_named(one).cast("double").alias(one) if one in stamps else _named(one) for one in columns))
    schema = f"{_DOMAIN} string, {', '.join(f'`{one.name}` {one.dataType.simpleString()}' for one in plain.schema)}"
    keyed = plain.mapInArrow(partial(_with_domain, policy=made), schema)
    spread = keyed.repartition(_DOMAIN) if partitions is None else keyed.repartition(partitions, _DOMAIN)
    work = partial(_learned, policy=made, guards=guards, held=held, largest=largest)
    answers = spread.sortWithinPartitions(_DOMAIN).mapInArrow(work, _DDL).collect()
    found = [finding_of(one) for answer in answers for one in json.loads(answer.findings)]
    found.sort(key=Finding.sort_key)
    prior = selected(found, budget)
    rows, refused, hosts, pages, sampled = (sum(getattr(answer, name) for answer in answers) for name in _COUNTS)
    return Model(tuple(found), budget, made.id, rows, refused, hosts, pages, sampled, date, prior.whole)


def _with_domain(batches: Iterable[pa.RecordBatch], policy: Policy) -> Iterator[pa.RecordBatch]:
    """The batches with the domain of each row, null where it has no key; runs on the executors."""
    source = Source(policy)
    for batch in batches:
        urls = batch.column("url").to_pylist()
        domains = pa.array(source.domains_of(urls), pa.string())
        yield pa.RecordBatch.from_arrays([domains, *batch.columns], names=[_DOMAIN, *batch.schema.names])


def _learned(
    batches: Iterable[pa.RecordBatch], policy: Policy, guards: Guards | None, held: int, largest: int
) -> Iterator[pa.RecordBatch]:
    """What each domain teaches; runs on the executors, on rows that are sorted by domain."""
    for _, rows in groupby(_rows(batches), key=itemgetter(0)):
        source = Source(policy, held=held, largest=largest)
        found: list[Finding] = []
        hosts = pages = 0
        for domain in source.domains(row for _, row in rows):
            hosts, pages = hosts + len(domain), pages + sum(page.fetched for host in domain for page in host.pages)
            found += findings_of(domain, guards)
        text = json.dumps([asdict(one) for one in found], ensure_ascii=True)
        answer = (text, source.rows, source.refused, hosts, pages, source.sampled)
        yield pa.RecordBatch.from_arrays([pa.array([value]) for value in answer], schema=_ANSWER)


def _rows(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[str | None, Observation]]:
    for batch in batches:
        domains, *columns = (column.to_pylist() for column in batch.columns)
        names = batch.schema.names[1:]
        for domain, *values in zip(domains, *columns, strict=True):
            yield domain, observation(dict(zip(names, values, strict=True)))


def _named(name: str) -> Column:
    return F.col("`" + name + "`")
