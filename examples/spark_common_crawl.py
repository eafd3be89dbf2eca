"""One capture of each page of Common Crawl's columnar index: the first one, by fetch time.

    spark-submit --archives env.tar.gz#env examples/spark_common_crawl.py \\
        s3a://commoncrawl/cc-index/table/cc-main/warc/ pages.parquet --crawl CC-MAIN-2026-40 --domain example.com

Reads the columns that it needs of the index (https://commoncrawl.org/columnar-index), keeps the captures that were
answered with 200, and writes one row for each key: the key, how many captures and spellings it had, and where in which
WARC file the kept one is. What docs/spark.md says about executors holds here.
"""

import argparse

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from urlkey import Policy
from urlkey.spark import dedupe, group, with_key

COLUMNS = ["url", "fetch_time", "content_digest", "warc_filename", "warc_record_offset", "warc_record_length"]


def captures(spark: SparkSession, table: str, crawl: str | None, domain: str | None) -> DataFrame:
    """The captures that are pages. Partitions of other crawls and subsets are not even opened."""
    index = spark.read.parquet(table).where("subset = 'warc' AND fetch_status = 200")
    if crawl is not None:
        index = index.where(F.col("crawl") == crawl)
    if domain is not None:
        index = index.where(F.col("url_host_registered_domain") == domain)
    return index.select(COLUMNS)


def pages(index: DataFrame, policy: Policy) -> DataFrame:
    """The first capture of each key, and how often the page was captured."""
    # A fetch time is of many captures; a place in a WARC file is of one.
    order = F.struct("fetch_time", "warc_filename", "warc_record_offset")
    first = with_key(dedupe(index, order=order, policy=policy), policy=policy)
    groups = group(index, order=order, policy=policy)
    counts = groups.select("key", F.col("rows").alias("captures"), F.size("spellings").alias("spellings"))
    return first.join(counts, "key")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", help="the index, as Parquet files in folders crawl=.../subset=...")
    parser.add_argument("output", help="a folder for the pages, as Parquet files")
    parser.add_argument("--crawl", help="one crawl, such as CC-MAIN-2026-40; all without it")
    parser.add_argument("--domain", help="one registered domain; all without it")
    parser.add_argument("--policy", default="crawl", help="a profile, or a TOML file that the driver reads")
    options = parser.parse_args()
    spark = SparkSession.builder.appName("pages of Common Crawl").getOrCreate()
    index = captures(spark, options.table, options.crawl, options.domain)
    pages(index, Policy.load(options.policy)).write.mode("overwrite").parquet(options.output)
    spark.stop()


if __name__ == "__main__":
    main()
