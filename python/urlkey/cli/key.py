"""`urlkey key`: the key of each URL, one line out for each line in."""

import argparse
import sys
from collections.abc import Sequence

from urlkey.cli.app import Failure
from urlkey.cli.inputs import Inputs, add_file, add_inputs
from urlkey.cli.messages import complain, visible, warn
from urlkey.cli.options import add_page, add_policy, add_secrets, page_of, policy_of, typed
from urlkey.readers import PROBLEMS, Row
from urlkey.readers.limits import LIMITS
from urlkey.readers.lines import bursts, without_bom
from urlkey.readers.unicode import as_utf8

EPILOG = """\
A line, or a record of a file, without a key gives an empty line and a message.
examples: urlkey key 'HTTP://Example.com/?b=1&a=2&utm_source=x'
          urlkey key --file sitemap.xml.gz"""


__all__ = ["add_arguments", "run"]


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("urls", nargs="*", metavar="URL", help="without any, or for -, lines of standard input")
    command.add_argument("-0", "--null", action="store_true", help="lines end with NUL, in and out")
    command.add_argument("--strict", action="store_true", help="exit status 1 if a line has no key")
    group = command.add_argument_group("input")
    add_file(group)
    add_inputs(group)
    add_policy(command)
    add_page(command)
    add_secrets(command)


def run(args: argparse.Namespace) -> int:
    keys = _Keys(args)
    for url in args.urls or ([] if args.file else ["-"]):
        if url == "-":
            keys.file("-")
        else:
            keys.write([typed(url)])
    for path in args.file:
        keys.file(path)
    return 2 if keys.broken else int(args.strict and keys.failed)


class _Keys:
    def __init__(self, args: argparse.Namespace) -> None:
        self._policy = policy_of(args)
        self._page = page_of(args)
        self._end = b"\0" if args.null else b"\n"
        self._secrets = args.show_secrets
        self._args = args
        self._line = 0
        self.failed = False
        self.broken = False

    def write(self, urls: Sequence[str | bytes], *, numbered: bool = False) -> None:
        """One line for each URL, at once: somebody may wait for it."""
        keys = []
        for i, result in enumerate(self._policy.keys(urls, on_error="error", **self._page)):
            if isinstance(result, str):
                keys.append(result)
                continue
            self.failed = True
            keys.append("")
            place = f"line {self._line + i + 1}: " if numbered else ""
            complain(result, urls[i], place=place, secrets=self._secrets)
        self._out(keys)

    def _out(self, keys: list[str]) -> None:
        end = self._end.decode()
        sys.stdout.buffer.write("".join(f"{key}{end}" for key in keys).encode())
        sys.stdout.buffer.flush()

    def file(self, path: str) -> None:
        """The keys of a file: of text line by line, as it comes; of other formats record by record."""
        inputs = Inputs(self._args, [path])
        if inputs.forms != ["txt"]:
            if self._args.null and inputs.forms[0] in ("csv", "tsv", "jsonl"):
                raise Failure(f"--null says nothing about {inputs.forms[0]}; see --format")
            for batch in inputs.batches(path):
                self._records(batch)
        else:
            self._text(inputs, path)
        self.broken |= inputs.broken

    def _records(self, rows: list[Row]) -> None:
        urls = [row.data for row in rows if row.url is not None]
        results = iter(self._policy.keys(urls, on_error="error", **self._page))
        keys = []
        for row in rows:
            result = None if row.url is None else next(results)
            keys.append(result if isinstance(result, str) else "")
            self.failed |= not isinstance(result, str)
            place = f"{row.source}:{row.number}: "
            if result is None:
                warn(f"{visible(place)}{row.problem}: {PROBLEMS[row.problem or 'missing-url']}")
            elif not isinstance(result, str):
                complain(result, row.data, place=visible(place), secrets=self._secrets)
        self._out(keys)

    def _text(self, inputs: Inputs, path: str) -> None:
        self._line = 0
        with inputs.open(path) as blocks:
            for lines in bursts(without_bom(as_utf8(blocks)), self._end, LIMITS.line):
                self._lines([line.removesuffix(self._end) for line in lines])
            if blocks.broken:
                self.broken = True
                warn(f"{visible(path)}: {visible(blocks.broken)}; the lines before it were read")

    def _lines(self, lines: list[bytes]) -> None:
        self.write(lines, numbered=True)
        self._line += len(lines)
