"""urlkey.spark on real sessions of Spark: the same rows as on one machine, whatever is skewed."""

import doctest
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

import urlkey
from urlkey._native import Dedupe
from urlkey.evidence.components import components

pyspark = pytest.importorskip("pyspark")
import pyarrow as pa  # noqa: E402, both come with the extra
import pyarrow.parquet as pq  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402
from pyspark.sql import functions as F  # noqa: E402

import urlkey.spark  # noqa: E402

pytestmark = [
    pytest.mark.service,
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]

EXAMPLES = Path(__file__).parents[2] / "examples"
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": "8",
    "spark.sql.adaptive.coalescePartitions.enabled": "false",
}
COUNT = 100_000


@pytest.fixture(scope="module")
def spark():
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.fail("Spark needs Java 17 or later: apt-get install default-jre-headless")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def skewed(count: int) -> list[str]:
    """Nine of ten URLs are one host's, one of five is a spelling of one page, and some are none."""
    pick = random.Random(7)
    urls = []
    for number in range(count):
        host = "big.example" if pick.random() < 0.9 else f"h{pick.randrange(500)}.example"
        page = "hot" if pick.random() < 0.2 else str(pick.randrange(count // 3))
        scheme = pick.choice(["http", "https", "HTTP", " https"])
        query = pick.choice(["", "?", "?utm_source=x", f"?utm_id={number % 50}", "?b=1&a=2", "?a=2&b=1"])
        urls.append(f"{scheme}://{host}{pick.choice(['', ':80', ':443'])}/{page}{query}")
    urls[::1000] = ["no url"] * len(urls[::1000])
    return urls


@pytest.fixture(scope="module")
def urls() -> list[str]:
    return skewed(COUNT)


@pytest.fixture(scope="module")
def crawl(spark, urls, tmp_path_factory):
    """The URLs as rows of a file: number, URL, something else."""
    path = tmp_path_factory.mktemp("crawl") / "crawl.parquet"
    table = {"n": range(len(urls)), "url": urls, "more.or less": [f"row {n}" for n in range(len(urls))]}
    pq.write_table(pa.table({name: list(column) for name, column in table.items()}), path, row_group_size=10_000)
    return spark.read.parquet(str(path)).repartition(5).cache()


def one_machine(urls, policy, **options) -> Dedupe:
    """The core over the same rows, all at once; and what it keeps of them."""
    core = Dedupe(policy, **options)
    rows = [(url.encode(), b"%d\n" % number, number) for number, url in enumerate(urls)]
    out = core.feed_rows(rows)
    while more := core.drain(1 << 20):
        out += more
    return core, sorted(map(int, out.split()))


def test_the_examples_of_the_docstrings_hold(spark):
    import urlkey.engines.spark as module

    found = doctest.testmod(module, extraglobs={"spark": spark}, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert (found.failed, found.attempted > 5) == (0, True)


def test_the_examples_of_the_page_hold(spark):
    page = Path(__file__).parents[2] / "docs" / "spark.md"
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    session = doctest.DocTestParser().get_doctest("".join(blocks), {"spark": spark}, page.name, None, None)
    found = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(session)
    assert (found.failed, found.attempted > 5) == (0, True)


# --- keys


def test_a_column_of_keys_is_that_of_a_list(crawl, urls):
    rows = urlkey.spark.with_key(crawl).select("n", "url", "key").collect()
    assert sorted(row.n for row in rows) == list(range(COUNT))
    expected = urlkey.keys(urls, on_error="null")
    assert all(row.key == expected[row.n] and row.url == urls[row.n] for row in rows)


def test_every_fact_has_a_column(spark):
    urls = ["HTTP://www.a.co.uk:80/?b&a", "nonsense", None, "http://ä.example/\u00e9"]
    frame = spark.createDataFrame([(url,) for url in urls], "address string")
    facts = ["key", "href", "digest", "error", "loss", "flags", "host", "hostname", "registrable_domain"]
    rows = urlkey.spark.with_key(frame, "address", columns=facts).collect()
    assert [row.address for row in rows] == urls
    assert rows[0].asDict() == {
        "address": urls[0],
        "key": "http://www.a.co.uk/?a&b",
        "href": "http://www.a.co.uk/?b&a",
        "digest": urlkey.digest(urls[0]),
        "error": None,
        "loss": "usual",
        "flags": [],
        "host": "www.a.co.uk",
        "hostname": "www.a.co.uk",
        "registrable_domain": "a.co.uk",
    }
    assert (rows[1].key, rows[1].digest, rows[1].error) == (None, None, "missing-scheme-non-relative-URL")
    assert set(rows[2].asDict().values()) == {None}
    assert rows[3].key == urlkey.key(urls[3])


def test_spark_computes_the_same_digest(crawl):
    keyed = urlkey.spark.with_key(crawl, columns=["key", "digest"]).where("key IS NOT NULL")
    other = keyed.where(F.unhex(F.substring(F.sha2("key", 256), 1, 32)) != F.col("digest"))
    assert other.count() == 0


def test_bases_and_names_are_given(spark):
    frame = spark.createDataFrame([("../b",)], ["url"])
    (row,) = urlkey.spark.with_key(frame, columns={"page": "key"}, base="http://a.example/x/y").collect()
    assert row.asDict() == {"url": "../b", "page": "http://a.example/b"}


def test_what_cannot_be_is_told_at_once(spark):
    frame = spark.createDataFrame([("http://a.example/", "x")], ["url", "key"])
    with pytest.raises(ValueError, match="no column 'link'"):
        urlkey.spark.with_key(frame, "link")
    with pytest.raises(ValueError, match="a column 'key' already"):
        urlkey.spark.with_key(frame)
    with pytest.raises(ValueError, match="first, shortest or https"):
        urlkey.spark.dedupe(frame, keep="last")
    with pytest.raises(urlkey.UrlKeyError):
        urlkey.spark.with_key(frame, policy="no such policy", columns=["digest"])


def test_a_policy_travels_by_value(spark, tmp_path):
    rules = tmp_path / "rules.toml"
    rules.write_text('schema = 1\n[[site]]\nhost = "*.a.example"\ndrop = ["color"]\n', encoding="utf-8")
    policy = urlkey.Policy.load("crawl", rules=[str(rules)])
    rules.unlink()
    frame = spark.createDataFrame([("http://a.example/?color=red&v=1",)], ["url"])
    assert urlkey.spark.with_key(frame, policy=policy).first().key == "http://a.example/?v=1"


# --- one row of each key


@pytest.mark.parametrize("keep", ["first", "shortest", "https"])
def test_the_rows_that_are_kept_are_those_of_one_machine(crawl, urls, keep):
    _, expected = one_machine(urls, "fold", keep=keep)
    rows = urlkey.spark.dedupe(crawl, keep=keep, order="n", policy="fold").collect()
    assert sorted(row.n for row in rows) == expected
    assert all(tuple(row) == (row.n, urls[row.n], f"row {row.n}") for row in rows)


def test_without_an_order_rows_come_as_spark_reads_them(spark, urls):
    frame = spark.createDataFrame([(n, url) for n, url in enumerate(urls[:5_000])], ["n", "url"])
    _, expected = one_machine(urls[:5_000], "crawl")
    assert sorted(row.n for row in urlkey.spark.dedupe(frame).collect()) == expected


def test_groups_are_those_of_one_machine(crawl, urls):
    core, _ = one_machine(urls, "crawl", groups=True)
    expected = {}
    for key, spellings in core.groups(0, COUNT):
        counts: dict[str, int] = {}
        for _, text in spellings:
            counts[text.decode()] = counts.get(text.decode(), 0) + 1
        expected[key.decode()] = (len(spellings), list(counts.items()))
    found = {}
    for row in urlkey.spark.group(crawl, order="n").collect():
        assert row.digest == urlkey.digest(row.key)
        found[row.key] = (row.rows, [tuple(spelling) for spelling in row.spellings])
    assert found == expected


def test_a_host_with_most_of_the_urls_is_spread(crawl):
    """After the shuffle no partition has twice its share, though one host has nine of ten URLs."""
    kept = urlkey.spark.dedupe(crawl, order="n").groupBy(F.spark_partition_id().alias("part")).count().collect()
    sizes = [row["count"] for row in kept]
    assert len(sizes) == 8
    assert max(sizes) < 2 * sum(sizes) / len(sizes)


# --- components


def joined(spark, pairs: list[tuple[str, str]]) -> dict[str, str]:
    frame = spark.createDataFrame(pairs, "from_key string, to_key string")
    rows = urlkey.spark.components(frame).collect()
    assert len({row.key for row in rows}) == len(rows)
    return {row.key: row.component for row in rows}


def test_components_are_those_of_one_machine(spark):
    """Random pairs, a chain, a hub, a ring, pairs of one key, repeats both ways round: all in one."""
    pick = random.Random(3)
    pairs = [(f"r{pick.randrange(400)}", f"r{pick.randrange(400)}") for _ in range(180)]
    chain = [f"c{pick.random()}" for _ in range(60)]
    pairs += itertools.pairwise(chain)
    pairs += [(f"spoke {n}", "hub") for n in range(500)]
    pairs += [(f"ring {n}", f"ring {(n + 1) % 20}") for n in range(20)]
    pairs += [("alone", "alone"), ("\u00e9", "z"), ("\U0001f600", "\uffee")]
    pairs += [(b, a) for a, b in pairs[::3]]
    pick.shuffle(pairs)
    assert joined(spark, pairs) == components(pairs)


def test_what_is_connected_already_takes_no_round_and_nothing_is_nothing(spark):
    assert joined(spark, [("b", "a"), ("c", "a"), (None, "a"), ("d", None)]) == {"a": "a", "b": "a", "c": "a"}
    assert joined(spark, []) == {}


# --- executors


CLUSTER = """
import json, os, sys
from pyspark.sql import SparkSession
import urlkey, urlkey.spark
builder = SparkSession.builder.master("local-cluster[2,1,1024]")
for name, value in json.loads(sys.argv[1]).items():
    builder = builder.config(name, value)
spark = builder.getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
rows = [(n, f"HTTP://h{n % 7}.example:80/{n // 3}?b&a") for n in range(3000)]
frame = spark.createDataFrame(rows, ["n", "url"]).repartition(4)
policy = urlkey.Policy("crawl").with_(drop_query=True)
kept = urlkey.spark.dedupe(frame, order="n", policy=policy)
keys = urlkey.spark.with_key(kept, policy=policy).orderBy("n").collect()
def parent(rows):
    list(rows)
    import time
    time.sleep(1)  # so that no executor takes all the tasks
    yield os.getppid()
parents = spark.sparkContext.parallelize(range(4), 4).mapPartitions(parent).collect()
print(json.dumps({"keys": [row.key for row in keys], "parents": len(set(parents)), "driver": os.getpid() in parents}))
spark.stop()
"""


def test_executors_of_a_cluster_do_the_work(tmp_path):
    environment = os.environ | {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_HOSTNAME": "localhost"}
    (tmp_path / "job.py").write_text(CLUSTER, encoding="utf-8")
    settings = SETTINGS | {"spark.executor.memory": "512m"}
    run = subprocess.run(
        [sys.executable, "job.py", json.dumps(settings)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        timeout=600,
    )
    assert run.returncode == 0, run.stderr.decode()
    told = json.loads(run.stdout.splitlines()[-1])
    urls = [f"http://h{n % 7}.example/{n // 3}" for n in range(3000)]
    assert told["keys"] == list(dict.fromkeys(urls))
    assert (told["parents"], told["driver"]) == (2, False)


# --- the example


def index_of(folder: Path, crawl: str, subset: str, rows: list[dict[str, object]]) -> None:
    """Writes a partition of a table with the columns of Common Crawl's index."""
    text, whole, short = pa.string(), pa.int32(), pa.int16()
    schema = pa.schema(
        [
            *((name, text) for name in ("url_surtkey", "url", "url_host_name", "url_host_tld")),
            *((f"url_host_{part}_last_part", text) for part in ("2nd", "3rd", "4th", "5th")),
            *((f"url_host_{name}", text) for name in ("registry_suffix", "registered_domain")),
            *((f"url_host_{name}", text) for name in ("private_suffix", "private_domain", "name_reversed")),
            ("url_protocol", text),
            ("url_port", whole),
            *((name, text) for name in ("url_path", "url_query")),
            ("fetch_time", pa.timestamp("ms")),
            ("fetch_status", short),
            *((name, text) for name in ("fetch_redirect", "content_digest", "content_mime_type")),
            *((f"content_{name}", text) for name in ("mime_detected", "charset", "languages", "truncated")),
            ("warc_filename", text),
            *((name, whole) for name in ("warc_record_offset", "warc_record_length")),
            ("warc_segment", text),
        ]
    )
    path = folder / f"crawl={crawl}" / f"subset={subset}"
    path.mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), path / "part-00000.parquet")


def test_the_example_finds_the_first_capture_of_each_page(tmp_path):
    def capture(url: str, minute: int, status: int = 200, domain: str = "a.example") -> dict[str, object]:
        return {
            "url": url,
            "fetch_time": datetime(2026, 10, 1, 12, minute, tzinfo=UTC),
            "fetch_status": status,
            "url_host_registered_domain": domain,
            "warc_filename": "crawl-data/x.warc.gz",
            "warc_record_offset": minute * 100,
            "warc_record_length": 99,
        }

    table, out = tmp_path / "index", tmp_path / "pages"
    pages = [
        capture("http://a.example/?b=2&a=1", 5),
        capture("HTTP://a.example:80/?a=1&b=2&utm_source=x", 3),
        capture("http://a.example/?b=2&a=1", 4),
        capture("http://a.example/gone", 1, status=404),
        capture("http://b.example/", 2, domain="b.example"),
        capture("http://a.example/other", 9),
    ]
    index_of(table, "CC-MAIN-2026-40", "warc", pages)
    index_of(table, "CC-MAIN-2026-40", "robotstxt", [capture("http://a.example/robots.txt", 0)])
    index_of(table, "CC-MAIN-2026-30", "warc", [capture("http://a.example/old", 0)])
    environment = os.environ | {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_HOSTNAME": "localhost"}
    environment["PYSPARK_SUBMIT_ARGS"] = "--master local[2] --conf spark.ui.enabled=false pyspark-shell"
    arguments = [table, out, "--crawl", "CC-MAIN-2026-40", "--domain", "a.example"]
    program = [sys.executable, EXAMPLES / "spark_common_crawl.py", *arguments]
    run = subprocess.run(program, env=environment, capture_output=True, timeout=600)
    assert run.returncode == 0, run.stderr.decode()
    rows = sorted(pq.read_table(out).to_pylist(), key=lambda row: row["key"])
    assert [(row["key"], row["url"], row["captures"], row["spellings"]) for row in rows] == [
        ("http://a.example/?a=1&b=2", "HTTP://a.example:80/?a=1&b=2&utm_source=x", 3, 2),
        ("http://a.example/other", "http://a.example/other", 1, 1),
    ]
    assert [row["warc_record_offset"] for row in rows] == [300, 900]
