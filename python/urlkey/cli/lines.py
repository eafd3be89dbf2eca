"""Commands that give one line out for each line in: arguments, or lines of standard
input in blocks. Must not know what is made of a line."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from urlkey.cli.options import typed

if TYPE_CHECKING:
    from urlkey.readers.blocks import Blocks

__all__ = ["add_lines", "blocks", "run_lines", "text_lines"]

Row = dict[str, Any]


def add_lines(command: argparse.ArgumentParser, metavar: str, *, without: str) -> None:
    """The lines, --json and --strict."""
    command.add_argument("lines", nargs="*", metavar=metavar, help="without any, or for -, lines of standard input")
    command.add_argument("--json", action="store_true", help="one JSON object for each line")
    command.add_argument("--strict", action="store_true", help=f"exit status 1 if a line has no {without}")


def run_lines(
    args: argparse.Namespace, rows: Callable[[Sequence[str | bytes]], list[Row]], *, columns: Sequence[str], needs: str
) -> int:
    """Writes what `rows` makes of each block of lines; a row has the same names for every line.

    As text, `columns` with tabs between, an empty line where all of them are None; as JSON, all of
    it. A line has failed where `needs` is None.
    """
    failed = False
    for block in blocks(args.lines):
        found = rows(block)
        failed |= any(row[needs] is None for row in found)
        written = [
            _json(line, row) if args.json else _text([row[name] for name in columns])
            for line, row in zip(block, found, strict=True)
        ]
        sys.stdout.buffer.write("".join(written).encode("utf-8", "surrogateescape"))
        sys.stdout.buffer.flush()
    return int(args.strict and failed)


def blocks(lines: Sequence[str], default: Sequence[str] = ("-",)) -> Iterator[list[str | bytes]]:
    """The lines of arguments, `-` those of standard input, as they come; of `default` without any."""
    for line in lines or default:
        if line != "-":
            yield [typed(line)]
            continue
        from urlkey.readers.blocks import Blocks

        with Blocks("-") as opened:
            yield from text_lines(opened)


def text_lines(opened: Blocks) -> Iterator[list[str | bytes]]:
    """The lines of a file of text, as they come."""
    from urlkey.readers.limits import LIMITS
    from urlkey.readers.lines import bursts, without_bom
    from urlkey.readers.unicode import as_utf8

    for lines in bursts(without_bom(as_utf8(opened)), limit=LIMITS.line):
        yield [line.removesuffix(b"\n").removesuffix(b"\r") for line in lines]


# What would make two values of one, or two lines.
_BREAKS = str.maketrans({"\t": "%09", "\n": "%0A", "\r": "%0D"})


def _text(values: Sequence[object]) -> str:
    if all(value is None for value in values):
        return "\n"
    return "\t".join("" if value is None else str(value).translate(_BREAKS) for value in values) + "\n"


def _json(line: str | bytes, row: Row) -> str:
    given = line if isinstance(line, str) else line.decode("utf-8", "replace")
    return json.dumps({"input": given, **row}, ensure_ascii=False) + "\n"
