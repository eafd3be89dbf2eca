"""urlkey.duckdb: functions in SQL."""

import duckdb
import pyarrow
import pytest
from urls import ROWS, keys

import urlkey
import urlkey.duckdb


@pytest.fixture
def con():
    with duckdb.connect() as con:
        urlkey.duckdb.register(con)
        con.execute("CREATE TABLE crawl (n INTEGER, url VARCHAR)")
        con.executemany("INSERT INTO crawl VALUES (?, ?)", list(enumerate(ROWS)))
        yield con


def test_keys_are_those_of_a_list(con):
    rows = con.execute("SELECT urlkey_key(url) FROM crawl ORDER BY n").fetchall()
    assert [row for (row,) in rows] == keys(ROWS)


def test_every_function(con):
    url = "https://www.shop.co.uk:8443/?b&a"
    (row,) = con.execute(
        "SELECT urlkey_key($1), urlkey_digest($1), urlkey_error($1), urlkey_host($1), urlkey_registrable_domain($1)",
        [url],
    ).fetchall()
    assert row == (urlkey.key(url), urlkey.digest(url), None, "www.shop.co.uk:8443", "shop.co.uk")
    nulls = con.execute("SELECT urlkey_key(NULL), urlkey_digest(NULL), urlkey_error(NULL), urlkey_host('x')").fetchone()
    assert nulls == (None, None, None, None)


def test_the_digest_is_what_sql_computes(con):
    same = con.execute(
        "SELECT bool_and(lower(hex(urlkey_digest(url))) = left(sha256(urlkey_key(url)), 32)) FROM crawl"
        " WHERE urlkey_key(url) IS NOT NULL"
    )
    assert same.fetchone() == (True,)


@pytest.mark.parametrize("threads", [1, 3])
def test_many_rows_on_threads(con, threads):
    con.execute(f"SET threads = {threads}")
    con.execute(
        "CREATE TABLE many AS SELECT i, 'HTTP://a.example/' || (i // 2) || '?b&a' AS url FROM range(150000) t(i)"
    )
    counted = con.execute("SELECT count(*), count(DISTINCT urlkey_key(url)) FROM many")
    assert counted.fetchone() == (150_000, 75_000)
    kept = con.execute("SELECT urlkey_key(url) FROM many WHERE i = 77777").fetchone()
    assert kept == ("http://a.example/38888?a&b",)


def test_a_policy_of_ones_own(con):
    policy = urlkey.Policy("crawl").with_(drop_www=True)
    assert urlkey.duckdb.register(con, policy=policy, prefix="mine_")[0] == "mine_key"
    url = "http://www.a.example/"
    assert con.execute("SELECT mine_key($1), urlkey_key($1)", [url]).fetchone() == ("http://a.example/", url)


def test_registering_again_replaces(con):
    urlkey.duckdb.register(con, policy="fold")
    assert con.execute("SELECT urlkey_key('http://www.a.example')").fetchone() == ("https://a.example/",)


def test_a_policy_that_is_not_is_told_at_once(con):
    with pytest.raises(urlkey.UrlKeyError):
        urlkey.duckdb.register(con, policy="folded")
    assert con.execute("SELECT urlkey_key('http://a.example')").fetchone() == ("http://a.example/",)


def test_other_types_are_cast_or_refused_by_duckdb(con):
    assert con.execute("SELECT urlkey_error(3::VARCHAR)").fetchone() == ("missing-scheme-non-relative-URL",)
    with pytest.raises(duckdb.Error):
        con.execute("SELECT urlkey_key([1, 2])").fetchall()


def test_results_feed_arrow_without_a_copy(con):
    """DuckDB's own results are Arrow streams: keys of a query without any function in it."""
    result = con.sql("SELECT url FROM crawl ORDER BY n")
    table = urlkey.arrow.table(result.arrow(), columns=["key"])
    assert pyarrow.table(table).column("key").to_pylist() == keys(ROWS)
