"""`urlkey patterns`: which pattern of a block or allow list names URLs; one line out for each
line in."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from urlkey._native import DIALECTS
from urlkey.cli.lines import blocks
from urlkey.cli.messages import complain, shown, visible, warn
from urlkey.cli.options import add_secrets

if TYPE_CHECKING:
    from urlkey._native import PatternMatch
    from urlkey.systems.gateway.patterns import PatternSet

EPILOG = """\
of a URL that a pattern names: block or allow, file:line, the pattern, what it names, and the
URL inside that it is about, with tabs between; else an empty line. A line that is no URL
gives an empty line and a message. Lines of a list that are no patterns are told first.
example: urlkey patterns blocked.txt --dialect chrome --allow allowed.txt < links.txt"""

__all__ = ["add_arguments", "run"]

_BREAKS = str.maketrans({"\t": "%09", "\n": "%0A", "\r": "%0D"})
_FIELDS = ("pattern", "list", "line", "reason", "embedded")


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("list", metavar="FILE", help="the block list, a pattern a line")
    command.add_argument("lines", nargs="*", metavar="URL", help="without any, or for -, lines of standard input")
    command.add_argument("--dialect", choices=DIALECTS, required=True, help="whose format the lines are in")
    command.add_argument("--allow", metavar="FILE", help="the allow list")
    command.add_argument("--json", action="store_true", help="one JSON object for each line")
    command.add_argument(
        "--strict", action="store_true", help="exit status 1 if a line is no URL, or one of a list no pattern"
    )
    add_secrets(command)


def run(args: argparse.Namespace) -> int:
    from urlkey.systems.gateway.patterns import PatternSet

    listed = PatternSet.load(args.dialect, args.list, args.allow)
    files = {"block": args.list, "allow": args.allow}
    _say(listed, files)
    failed, number = bool(listed.errors), 0
    for block in blocks(args.lines):
        written = []
        for url, row in zip(block, listed.match_many(block, on_error="error"), strict=True):
            number += 1
            if isinstance(row, Exception):
                failed = True
                place = f"line {number}: " if len(block) > 1 or not args.lines else ""
                complain(row, url, place=place, secrets=args.show_secrets)
                written.append(_json(url, {"error": row.code}) if args.json else "\n")
            elif args.json:
                match = row and {name: getattr(row, name) for name in _FIELDS}
                written.append(_json(url, {"match": match}))
            else:
                written.append(_text(row, files))
        sys.stdout.buffer.write("".join(written).encode("utf-8", "surrogateescape"))
        sys.stdout.buffer.flush()
    return int(args.strict and failed)


def _text(row: PatternMatch | None, files: dict[str, str]) -> str:
    if row is None:
        return "\n"
    columns = [row.list, f"{files[row.list]}:{row.line}", row.pattern, row.reason]
    columns += [row.embedded] if row.embedded else []
    return "\t".join(column.translate(_BREAKS) for column in columns) + "\n"


def _json(url: str | bytes, row: dict[str, Any]) -> str:
    given = url if isinstance(url, str) else url.decode("utf-8", "replace")
    return json.dumps({"input": given, **row}, ensure_ascii=False) + "\n"


def _say(listed: PatternSet, files: dict[str, str]) -> None:
    """Which lines of the lists name nothing."""
    for error in listed.errors[:10]:
        place = f"{visible(files[error.list])}:{error.line}:{error.at + 1}"
        warn(f"{place}: {error.code}: {error.message}: {shown(error.text, secrets=False)}")
    if len(listed.errors) > 10:
        warn(f"lines that are no patterns: {len(listed.errors)}, the first ten above")
