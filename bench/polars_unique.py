"""polars_unique.py INPUT OUTPUT [w3lib]: the distinct lines of a file by Polars, or the first of each w3lib form."""

import sys

import polars as pl

LINES = {"has_header": False, "new_columns": ["line"], "separator": "\x01", "quote_char": None}


def canonical(url):
    from w3lib.url import canonicalize_url

    try:
        return canonicalize_url(url)
    except ValueError:
        return None


def main(source, target, form=None):
    lines = pl.scan_csv(source, schema={"line": pl.String}, **LINES)
    if form == "w3lib":
        made = lines.with_columns(pl.col("line").map_elements(canonical, return_dtype=pl.String).alias("form"))
        distinct = made.drop_nulls("form").unique("form", keep="first", maintain_order=True).select("line")
    else:
        distinct = lines.unique()
    distinct.sink_csv(target, include_header=False, separator="\x01", quote_style="never")


if __name__ == "__main__":
    main(*sys.argv[1:])
