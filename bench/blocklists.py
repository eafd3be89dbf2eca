"""Blocklists of made-up entries, a million each, for the part `forms`: hosts and URLs, as text and as hashes."""

import hashlib
import sys
from functools import cache
from pathlib import Path

# callgrind is fifty times as slow, and counts the same whatever the size.
ENTRIES = 100_000 if Path(sys.argv[0]).name == "once.py" else 1_000_000


def names():
    """Entries that no corpus names: hosts, and URLs of hosts."""
    for number in range(ENTRIES):
        yield f"h{number}.bad{number % 997}.example/{'' if number % 2 else f'p/{number}'}"


@cache
def blocklist(kind):
    """The list, built once."""
    from urlkey.systems.reputation import Blocklist

    lines = names() if kind == "text" else (hashlib.sha256(name.encode()).hexdigest() for name in names())
    made = Blocklist(lines)
    assert (made.kind, len(made), made.errors) == (kind, ENTRIES, ())
    assert made.memory < 40 * ENTRIES
    return made


def lookups(kind):
    """The function that looks a list of URLs up, None in the row of a text without a host."""
    made = blocklist(kind)

    def run(urls):
        rows = made.lookup_many(urls, on_error="error")
        return [None if isinstance(row, ValueError) else row is not None for row in rows]

    return run
