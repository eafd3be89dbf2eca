"""examples/feeds.py: entries by GUID first, then by key."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[1] / "examples" / "feeds.py"


def item(link=None, guid=None, permalink=None, title=None) -> str:
    attribute = "" if permalink is None else f' isPermaLink="{str(permalink).lower()}"'
    parts = [
        "" if title is None else f"<title>{title}</title>",
        "" if link is None else f"<link>{link}</link>",
        "" if guid is None else f"<guid{attribute}>{guid}</guid>",
    ]
    return f"<item>{''.join(parts)}</item>"


@pytest.fixture
def harvest(tmp_path):
    """Harvests RSS files, given as lists of items; returns the URLs or titles of what was new, and the report."""
    number = 0

    def run(*feeds: list[str], status=0):
        nonlocal number
        paths = []
        for items in feeds:
            number += 1
            path = tmp_path / f"{number}.xml"
            path.write_text(f"<rss><channel>{''.join(items)}</channel></rss>" if isinstance(items, list) else items)
            paths.append(str(path))
        command = [sys.executable, str(EXAMPLE), "--seen", str(tmp_path / "seen.db"), *paths]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == status, done.stderr
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        return [line["url"] or line["title"] for line in lines], done.stderr.splitlines()[-1].partition(": ")[2]

    return run


A, B = "http://a.example/one", "http://a.example/two"


def test_the_identifier_decides_whatever_the_link(harvest):
    assert harvest([item(A, "7", False)]) == ([A], "1 new")
    assert harvest([item(f"{A}-with-a-new-title", "7", False)]) == ([], "1 known by identifier")


def test_without_it_the_key_of_the_link_decides(harvest):
    assert harvest([item(f"{A}?utm_source=rss")])[0] == [f"{A}?utm_source=rss"]
    assert harvest([item(f"{A}#comments"), item(B)]) == ([B], "1 known by key, 1 new")
    # A new identifier for a link that is known: the feed's program has changed.
    assert harvest([item(A, "tag:a.example,2026:1", False)]) == ([], "1 known by key")
    # And from now on that is known.
    assert harvest([item(f"{A}-moved", "tag:a.example,2026:1", False)]) == ([], "1 known by identifier")


def test_a_permanent_link_is_a_link(harvest):
    assert harvest([item(guid=A)])[0] == [A]
    assert harvest([item(f"{A}?utm_medium=feed")]) == ([], "1 known by key")
    assert harvest([item(guid="nonsense", permalink=False, title="t")]) == (["t"], "1 new")


def test_a_link_of_several_entries_names_none_of_them(harvest):
    home = "http://a.example/"
    assert harvest([item(home, "1", False), item(home, "2", False)]) == ([home, home], "2 new")
    assert harvest([item(home, "2", False), item(home, "3", False)]) == ([home], "1 known by identifier, 1 new")


def test_an_identifier_of_several_links_names_none_of_them(harvest):
    assert harvest([item(A, "0", False), item(B, "0", False)]) == ([A, B], "2 new")
    assert harvest([item(A, "0", False), item(f"{B}-2", "0", False)]) == ([f"{B}-2"], "1 known by key, 1 new")


def test_an_identifier_counts_within_its_site(harvest):
    other = "http://b.example/x"
    assert harvest([item(A, "7", False)], [item(other, "7", False)]) == ([A, other], "2 new")


def test_atom_is_read_too(harvest):
    entry = f'<entry><id>urn:x:1</id><link href="{A}"/><title>one</title></entry>'
    feed = f'<feed xmlns="http://www.w3.org/2005/Atom">{entry}{entry}</feed>'
    assert harvest(feed) == ([A], "1 known by identifier, 1 new")


def test_nothing_is_lost_of_what_cannot_be_told_or_read(harvest):
    found, told = harvest([item(title="t"), item("http://a.example:x/", title="u")])
    assert (found, told) == (["t", "u"], "2 without identity")
    found, told = harvest(f"<rss><channel>{item(A)}<item><link>{B}", status=1)
    assert A in found
    assert "1 files that cannot be read, or not to their end" in told
