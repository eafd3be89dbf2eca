"""duckdb_distinct.py INPUT OUTPUT THREADS [w3lib]: the distinct lines of a file by DuckDB, or of w3lib's forms."""

import sys

import duckdb

# Lines as they are: no quotes, no escapes, a delimiter that no line has, no guessing.
READ = "read_csv(?, columns={'line': 'VARCHAR'}, auto_detect=false, quote='', escape='', delim='\x01')"
WRITE = "(FORMAT csv, HEADER false, QUOTE '', DELIMITER '\x01')"


def canonical(url):
    from w3lib.url import canonicalize_url

    try:
        return canonicalize_url(url)
    except ValueError:
        return None


def main(source, target, threads, form=None):
    # DISTINCT keeps no order anyway; not asking for it makes the writing faster.
    db = duckdb.connect(config={"threads": threads, "preserve_insertion_order": "false"})
    query = f"SELECT DISTINCT line FROM {READ}"
    if form == "w3lib":
        db.create_function("canonical", canonical, ["VARCHAR"], "VARCHAR", null_handling="special")
        made = f"SELECT line, canonical(line) AS form FROM {READ}"
        query = f"SELECT any_value(line) FROM ({made}) WHERE form IS NOT NULL GROUP BY form"
    db.execute(f"COPY ({query}) TO '{target}' {WRITE}", [source])


if __name__ == "__main__":
    main(*sys.argv[1:])
