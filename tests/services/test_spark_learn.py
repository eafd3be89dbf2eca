"""urlkey.spark.learn on a real session: the model of one machine, to the last count."""

import doctest
import os
import random
import shutil
import sys
from pathlib import Path

import pytest

from urlkey.learn import Observation, learn

pyspark = pytest.importorskip("pyspark")
from pyspark.sql import SparkSession  # noqa: E402

import urlkey.spark  # noqa: E402

sys.path.append(str(Path(__file__).parents[2] / "bench" / "learning"))

import world  # noqa: E402

pytestmark = [
    pytest.mark.service,
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]

SCHEMA = (
    "url string, fingerprint string, time double, status long, redirect string, canonical string, language string, "
    "truncated boolean, no_vary_search string, clean_param string, listed boolean"
)


@pytest.fixture(scope="module")
def spark():
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.fail("Spark needs Java 17 or later: apt-get install default-jre-headless")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
    session = builder.config("spark.sql.shuffle.partitions", "4").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def rows():
    crawls = world.world(2, seed=5, archetypes=[*world.ARCHETYPES[::4], *world.WAYS[::2]], links=300)
    found = [Observation(*row.seen()) for crawl in crawls for row in crawl.rows]
    found += [Observation("nonsense", "x"), Observation("ftp://a.example/", "x"), Observation("http://[::1]/?a=1", "x")]
    found += [
        Observation("http://a.shop.example/robots.txt", clean_param="ref"),
        *(Observation(f"http://a.shop.example/p/{n}?ref={m}", str(n)) for n in range(40) for m in range(3)),
        *(Observation(f"http://b.shop.example/p/{n}", str(n), listed=True) for n in range(40)),
    ]
    random.Random(1).shuffle(found)
    return found


def frame(spark, rows, partitions=5):
    told = [(*row[:2], None if row.time is None else float(row.time), *row[3:]) for row in rows]
    return spark.createDataFrame(told, SCHEMA).repartition(partitions)


def test_the_model_is_that_of_one_machine(spark, rows):
    alone = learn(rows, budget=0.01, date="2026-12-01")
    assert len(alone.rules) > 5
    assert {"drop", "path", "on"} <= {rule.rewrite.kind for rule in alone.rules}
    for partitions in (None, 3):
        spread = urlkey.spark.learn(frame(spark, rows), budget=0.01, date="2026-12-01", partitions=partitions)
        assert spread.id == alone.id
        assert spread.as_json() == alone.as_json()


def test_a_host_that_is_too_large_is_the_same_sample(spark, rows):
    alone = learn(rows, budget=0.1, largest=100)
    assert alone.sampled > 0
    assert urlkey.spark.learn(frame(spark, rows), budget=0.1, largest=100, held=50).as_json() == alone.as_json()


def test_other_columns_are_passed_over_and_few_are_enough(spark):
    told = [(n, f"http://a.example/p/{n}{tail}", n) for n in range(60) for tail in ("", "?color=red", "?color=blue")]
    found = urlkey.spark.learn(spark.createDataFrame(told, ["a.b", "url", "fingerprint"]), budget=0.1)
    assert found.as_json() == learn([row[1:] for row in told], budget=0.1).as_json()


def test_times_may_be_time_stamps(spark):
    told = [
        (f"http://a.example/p/{n}{tail}", str(n), 1_700_000_000.0 + n) for n in range(60) for tail in ("", "?color=red")
    ]
    df = spark.createDataFrame(told, ["url", "fingerprint", "time"])
    stamped = df.withColumn("time", df.time.cast("timestamp"))
    assert urlkey.spark.learn(stamped, budget=0.1).as_json() == learn(told, budget=0.1).as_json()


def test_what_cannot_be_learned_from_is_said(spark):
    df = spark.createDataFrame([("x",)], ["address"])
    with pytest.raises(ValueError, match="no column 'url'"):
        urlkey.spark.learn(df)
    with pytest.raises(ValueError, match="a budget of 2"):
        urlkey.spark.learn(df.withColumnRenamed("address", "url"), budget=2)
    assert urlkey.spark.learn(spark.createDataFrame([("nonsense",)], ["url"])).refused_rows == 1


def test_the_examples_of_the_docstring_hold(spark):
    import urlkey.learn.spark as module

    found = doctest.testmod(module, extraglobs={"spark": spark})
    assert (found.failed, found.attempted > 2) == (0, True)
