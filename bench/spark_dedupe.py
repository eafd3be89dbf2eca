"""spark_dedupe.py INPUT OUTPUT urlkey|w3lib|raw: the first line of each key, or of equal ones, in order, on two threads
of Spark."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

os.environ["PYSPARK_PYTHON"] = sys.executable


def canonical(url):
    from w3lib.url import canonicalize_url

    try:
        return canonicalize_url(url)
    except ValueError:
        return None


def distinct(lines, form):
    """The first line of each key, with its place."""
    if form == "urlkey":
        import urlkey.spark

        return urlkey.spark.dedupe(lines, "line", order="n")
    form = F.col("line") if form == "raw" else F.udf(canonical, "string")("line")
    made = lines.withColumn("form", form).where("form IS NOT NULL")
    return made.groupBy("form").agg(F.min_by(F.struct("n", "line"), "n").alias("row")).select("row.*")


def main(source, target, form):
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
    spark = builder.config("spark.sql.shuffle.partitions", "8").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    # One file: its lines are read in order, partition by partition.
    lines = spark.read.text(source).select(F.col("value").alias("line"), F.monotonically_increasing_id().alias("n"))
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        distinct(lines, form).orderBy("n").select("line").write.text(str(out))
        with Path(target).open("wb") as file:
            for part in sorted(out.glob("part-*")):
                with part.open("rb") as piece:
                    shutil.copyfileobj(piece, file)
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
