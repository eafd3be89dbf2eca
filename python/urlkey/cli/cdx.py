"""`urlkey cdx`: index files of web archives with keys made anew, sorted, asked. What
a line is and what its key is, `urlkey.systems.archive` knows."""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from urlkey.cli.app import Failure
from urlkey.cli.messages import shown, visible, warn
from urlkey.cli.options import add_secrets, typed
from urlkey.cli.output import Output
from urlkey.cli.sizes import size_of
from urlkey.cli.surt import add_key, key_options

if TYPE_CHECKING:
    from urlkey.systems.archive import Kept

EPILOG = """\
rekey FILE...       the same lines with keys made anew, sorted by bytes
sort FILE...        the same lines, sorted by bytes as LC_ALL=C sort does, header first
lookup FILE URL...  the lines of a sorted file that each URL asks for
CDX of 7 or 9 to 14 fields or with a header, and CDXJ; gzip and Zstandard in, gzip out
where the name ends in .gz. A line whose key cannot be made anew keeps its key.
example: urlkey cdx rekey old.cdx.gz -o new.cdx.gz"""

# Messages about single lines, before a total has to do.
_SHOWN = 20

__all__ = ["add_arguments", "run"]


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("what", choices=("rekey", "sort", "lookup"), help="see below")
    command.add_argument("files", nargs="*", metavar="FILE", help="without any, or for -, standard input")
    command.add_argument("-o", "--output", default="-", metavar="FILE", help="instead of standard output")
    command.add_argument(
        "--match",
        choices=("exact", "prefix", "host", "domain"),
        default="exact",
        help="of lookup: how much of the archive a URL asks for; default exact",
    )
    command.add_argument(
        "--strict", action="store_true", help="exit status 1 if a line keeps its key, or none is found"
    )
    command.add_argument("-q", "--quiet", action="store_true", help="no warnings about lines")
    group = command.add_argument_group("resources")
    group.add_argument("--memory", default="256M", metavar="SIZE", help="of lines held at a time; default 256M")
    group.add_argument("--temporary", metavar="DIR", help="for what does not fit; default the system's")
    add_key(command)
    add_secrets(command)


def run(args: argparse.Namespace) -> int:
    return {"rekey": _rekey, "sort": _sort, "lookup": _lookup}[args.what](args)


def _rekey(args: argparse.Namespace) -> int:
    from urlkey.systems.archive import Rekeyed, rekey

    counts = Rekeyed()
    lines = rekey(
        args.files or ["-"],
        args.flavor,
        counts=counts,
        on_kept=_complaints(args),
        memory=size_of(args.memory),
        directory=args.temporary,
        **key_options(args),
    )
    _write(args.output, lines)
    if not args.quiet:
        warn(f"{counts.lines} lines, {counts.changed} with a new key, {counts.kept} that keep theirs")
    return int(args.strict and counts.kept > 0)


def _complaints(args: argparse.Namespace) -> Callable[[Kept], object]:
    said = 0

    def complain(kept: Kept) -> None:
        nonlocal said
        said += 1
        if not args.quiet and said <= _SHOWN:
            warn(f"line {kept.number} keeps its key: {kept.reason}: {shown(kept.line, secrets=args.show_secrets)}")

    return complain


def _sort(args: argparse.Namespace) -> int:
    from urlkey.systems.archive import sort_index

    _write(args.output, sort_index(args.files or ["-"], memory=size_of(args.memory), directory=args.temporary))
    return 0


def _lookup(args: argparse.Namespace) -> int:
    from urlkey.systems.archive import lookup

    if len(args.files) < 2:
        raise Failure("lookup takes an index file and a URL or more")
    path, *urls = args.files
    missing = 0

    def lines() -> Iterable[bytes]:
        nonlocal missing
        for url in urls:
            found = False
            for line in lookup(path, typed(url), args.match, args.flavor, **key_options(args)):
                found = True
                yield line
            missing += not found

    try:
        _write(args.output, lines())
    except ValueError as error:
        raise Failure(visible(str(error))) from None
    return int(args.strict and missing > 0)


def _write(path: str, lines: Iterable[bytes]) -> None:
    with ExitStack() as stack:
        output = stack.enter_context(Output(path))
        write = output.write
        if path.lower().endswith(".gz"):
            # No time and no name in it: equal lines make equal files.
            packed = gzip.GzipFile(filename="", mode="wb", fileobj=_Sink(output.write), mtime=0)
            stack.callback(packed.close)
            write = packed.write
        for line in lines:
            write(line + b"\n")


class _Sink:
    """What gzip writes to."""

    def __init__(self, write: Callable[[bytes], int]) -> None:
        self._write = write

    def write(self, data: bytes) -> int:
        return self._write(bytes(data))

    def flush(self) -> None:
        pass
