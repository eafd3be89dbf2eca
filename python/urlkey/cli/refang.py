"""`urlkey refang` and, through `urlkey.cli.defang`, the way back: one line out for each line in."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable

from urlkey.cli.lines import blocks

EPILOG = """\
A line that is not broken comes out as it is. --json says which were.
example: urlkey refang 'hxxps[:]//evil[.]example/a'"""

__all__ = ["add_arguments", "run", "write_lines"]


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("lines", nargs="*", metavar="TEXT", help="without any, or for -, lines of standard input")
    command.add_argument("--nested", action="store_true", help="make broken URLs live that stand behind the first")
    command.add_argument("--json", action="store_true", help="one JSON object for each line")


def run(args: argparse.Namespace) -> int:
    from urlkey._native import is_defanged, refang

    def live(text: str) -> tuple[str, dict[str, object]]:
        url = refang(text, nested=args.nested)
        return url, {"url": url, "defanged": is_defanged(text, nested=args.nested)}

    return write_lines(args, live)


def write_lines(args: argparse.Namespace, made: Callable[[str], tuple[str, dict[str, object]]]) -> int:
    """Writes what `made` gives of each line: its text, or its row of JSON. A line that is no UTF-8
    comes out as it is."""
    for block in blocks(args.lines):
        written = []
        for line in block:
            raw = line.encode() if isinstance(line, str) else line
            try:
                text, row = made(raw.decode())
            except UnicodeDecodeError:
                given = raw.decode("utf-8", "replace")
                row, out = {"url": None, "error": "not-utf8"}, raw
            else:
                given, out = raw.decode(), text.encode()
            written.append(json.dumps({"input": given, **row}, ensure_ascii=False).encode() if args.json else out)
        sys.stdout.buffer.write(b"".join(line + b"\n" for line in written))
        sys.stdout.buffer.flush()
    return 0
