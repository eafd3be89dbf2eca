"""`urlkey reputation`: the forms of Safe Browsing, and lookups in a blocklist; one line out for
each line in."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from urlkey.cli.app import Failure
from urlkey.cli.lines import blocks
from urlkey.cli.messages import complain, shown, visible, warn
from urlkey.cli.options import add_secrets

if TYPE_CHECKING:
    from urlkey._native import UrlKeyError
    from urlkey.systems.reputation import Blocklist

EPILOG = """\
canonical    the canonical URL
expressions  the expressions that lists hold, with tabs between
hashes       their SHA-256, hexadecimal, with tabs between
lookup       of a URL that the list names: expression, file:line, and the URL that was
             wrapped, with tabs between; else an empty line
A line that names no host gives an empty line and a message.
examples: urlkey reputation hashes --prefix 4 'http://evil.example/a?b'
          urlkey reputation lookup --list feed.txt < links.txt"""

__all__ = ["add_arguments", "run"]

# What is made of a line: its columns, and its row of JSON; None for a line without a result.
Made = tuple[list[str], dict[str, Any]]
Rows = Callable[[Sequence["str | bytes"]], "list[Made | UrlKeyError]"]

_BREAKS = str.maketrans({"\t": "%09", "\n": "%0A", "\r": "%0D"})


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("what", choices=("canonical", "expressions", "hashes", "lookup"))
    command.add_argument("lines", nargs="*", metavar="URL", help="without any, or for -, lines of standard input")
    command.add_argument(
        "--api", choices=("v4", "v5"), default="v5", help="whose rules; v4 also Web Risk's; default v5"
    )
    command.add_argument("--prefix", type=int, default=32, metavar="BYTES", help="of hashes: 4 to 32; default 32")
    command.add_argument("--list", metavar="FILE", help="of lookup: URLs, hosts, expressions, a hosts file, or hashes")
    command.add_argument("--kind", choices=("text", "hex", "base64"), help="what the list's lines are; told by them")
    command.add_argument("--json", action="store_true", help="one JSON object for each line")
    command.add_argument("--strict", action="store_true", help="exit status 1 if a line names no host")
    add_secrets(command)


def run(args: argparse.Namespace) -> int:
    rows = _lookups(args) if args.what == "lookup" else _forms(args)
    failed, number = False, 0
    for block in blocks(args.lines):
        written = []
        for url, row in zip(block, rows(block), strict=True):
            number += 1
            if isinstance(row, Exception):
                failed = True
                place = f"line {number}: " if len(block) > 1 or not args.lines else ""
                complain(row, url, place=place, secrets=args.show_secrets)
                row = [], {"error": row.code}
            written.append(_written(url, row, args.json))
        sys.stdout.buffer.write("".join(written).encode("utf-8", "surrogateescape"))
        sys.stdout.buffer.flush()
    return int(args.strict and failed)


def _written(url: str | bytes, row: Made, as_json: bool) -> str:
    if not as_json:
        return "\t".join(column.translate(_BREAKS) for column in row[0]) + "\n"
    given = url if isinstance(url, str) else url.decode("utf-8", "replace")
    return json.dumps({"input": given, **row[1]}, ensure_ascii=False) + "\n"


def _forms(args: argparse.Namespace) -> Rows:
    from urlkey.systems import reputation

    if not 4 <= args.prefix <= 32:
        raise Failure(f"--prefix is 4 to 32, not {args.prefix}")

    def columns(url: str | bytes) -> list[str]:
        if args.what == "canonical":
            return [reputation.canonical(url, args.api)]
        if args.what == "expressions":
            return reputation.expressions(url, args.api)
        return [hash.hex() for hash in reputation.hashes(url, args.prefix, args.api)]

    def row(url: str | bytes) -> Made | UrlKeyError:
        from urlkey._native import UrlKeyError

        try:
            found = columns(url)
        except UrlKeyError as error:
            return error
        return found, {args.what: found[0] if args.what == "canonical" else found}

    return lambda urls: [row(url) for url in urls]


def _lookups(args: argparse.Namespace) -> Rows:
    from urlkey.systems.reputation import Blocklist

    if args.list is None:
        raise Failure("lookup needs --list FILE")
    listed = Blocklist.load(args.list, version=args.api, kind=args.kind)
    _say(args.list, listed, secrets=args.show_secrets)

    def rows(urls: Sequence[str | bytes]) -> list[Made | UrlKeyError]:
        made: list[Made | UrlKeyError] = []
        for found in listed.lookup_many(urls, on_error="error"):
            if found is None:
                made.append(([], {"match": None}))
            elif isinstance(found, Exception):
                made.append(found)
            else:
                names = ("expression", "line", "prefix", "exact", "layer", "url", "rule")
                match = {name: getattr(found, name) for name in names}
                columns = [found.expression, f"{args.list}:{found.line}", *([found.url] if found.url else [])]
                made.append((columns, {"match": match}))
        return made

    return rows


def _say(file: str, listed: Blocklist, *, secrets: bool) -> None:
    """What the list was taken for, and which of its lines are in no lookup."""
    what = "text" if listed.kind == "text" else f"hashes ({listed.kind}, {_widths(listed.widths)} bytes)"
    broken = f", {listed.defanged} defanged" if listed.defanged else ""
    warn(f"{visible(file)}: {what}, {len(listed)} entries{broken}")
    if listed.errors:
        first = listed.errors[0]
        place = f"{visible(file)}:{first.line}"
        text = shown(first.text, secrets=secrets)
        warn(f"lines that are no entries: {len(listed.errors)}; the first: {place}: {first.code}: {text}")


def _widths(widths: list[int]) -> str:
    return ", ".join(map(str, widths))
