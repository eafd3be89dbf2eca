"""Harvests RSS and Atom files: writes each entry that has not come before, as a JSON line.

    python examples/feeds.py --seen feeds.db *.xml > new.jsonl

An entry is known by its GUID (RSS) or id (Atom), within the site of its link: anybody can copy an identifier. If that
is new or missing, it is known by the key of its link under the policy `feed`, by which campaign parameters, redirectors
and AMP forms of a link are one. An identifier at several links of a file names no entry; nor does a link at several
identifiers, as in podcasts that give the home page for each episode. What has neither is never taken for known."""

import argparse
import hashlib
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import urlkey
from urlkey.readers import ReadError, Row, read
from urlkey.store import Seen

POLICY = urlkey.Policy("feed")


class Entry(NamedTuple):
    """An entry as it is told: identifier and link, either of which may be missing, and what it is compared by."""

    source: str
    id: str | None
    link: str | None
    title: str | None
    key: str | None
    #: Digests, 16 bytes each: of the identifier with the site, of the key.
    by_id: bytes | None
    by_key: bytes | None


def entry(row: Row) -> Entry:
    """What a row of a feed tells."""
    identifier = row.fields.get("id") or None
    key = by_key = link = None
    site = ""
    if row.url is not None:
        try:
            parsed = POLICY.parse(row.url)
            key, by_key, link = POLICY.key(row.url), POLICY.digest(row.url), parsed.href
            site = parsed.registrable_domain or parsed.host or ""
        except urlkey.UrlKeyError:
            pass
    by_id = None
    if identifier is not None:
        by_id = hashlib.sha256(f"entry\0{site}\0{identifier}".encode("utf-8", "surrogatepass")).digest()[:16]
    return Entry(row.source or "", identifier, link, row.fields.get("title"), key, by_id, by_key)


def harvest(path: str, seen: Seen, counts: Counter[str]) -> Iterator[Entry]:
    """The entries of a file that are new to `seen`, which has them afterwards."""
    for one in told_apart([entry(row) for row in rows(path, counts)]):
        counts[(state := known_by(one, seen))] += 1
        for digest in (one.by_id, one.by_key):
            if digest is not None:
                seen.add_digest(digest)
        if state in ("new", "without identity"):
            yield one


def told_apart(entries: list[Entry]) -> Iterator[Entry]:
    """The entries of a file, less identifiers that stand at several links, and links that stand at several
    identifiers: neither names one entry."""
    ids, keys = defaultdict[Any, set[Any]](set), defaultdict[Any, set[Any]](set)
    for one in entries:
        if one.by_id is not None and one.by_key is not None:
            ids[one.by_key].add(one.by_id)
            keys[one.by_id].add(one.by_key)
    for one in entries:
        shared_id, shared_link = len(keys[one.by_id]) > 1, len(ids[one.by_key]) > 1
        if shared_id:
            yield one._replace(by_id=None)
        else:
            yield one._replace(by_key=None) if shared_link and one.by_id is not None else one


def known_by(one: Entry, seen: Seen) -> str:
    """By what an entry is known, or that it is new."""
    if one.by_id is None and one.by_key is None:
        return "without identity"
    if one.by_id is not None and seen.holds(one.by_id):
        return "known by identifier"
    return "known by key" if one.by_key is not None and seen.holds(one.by_key) else "new"


def rows(path: str, counts: Counter[str]) -> Iterator[Row]:
    """The rows of a file, as far as it can be read."""
    try:
        yield from read(path, "feed", fields=True)
    except (ReadError, OSError) as error:
        counts["files that cannot be read, or not to their end"] += 1
        print(f"feeds: {path}: {error}", file=sys.stderr)


def line(one: Entry) -> dict[str, Any]:
    """The entry as it is written."""
    return {"feed": one.source, "id": one.id, "url": one.link, "key": one.key, "title": one.title}


def main(arguments: Iterable[str] | None = None) -> int:
    """Harvests; returns the exit status: 1 if a file could not be read."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE", help="RSS or Atom")
    parser.add_argument("--seen", metavar="FILE", help="what has come before, a file; else only this run counts")
    options = parser.parse_args(None if arguments is None else list(arguments))
    counts = Counter[str]()
    with Seen(options.seen, policy=POLICY) as seen:
        for path in options.files:
            for one in harvest(path, seen, counts):
                print(json.dumps(line(one), ensure_ascii=False))
            sys.stdout.flush()
            # What is written out is not new any more.
            seen.flush()
    print("feeds: " + ", ".join(f"{count} {name}" for name, count in sorted(counts.items())), file=sys.stderr)
    return int("files that cannot be read, or not to their end" in counts)


if __name__ == "__main__":
    raise SystemExit(main())
