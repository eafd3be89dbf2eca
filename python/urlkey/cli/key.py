"""`urlkey key`: the key of each URL, one line out for each line in."""

import argparse
import sys
from collections.abc import Sequence

from urlkey.cli.messages import complain
from urlkey.cli.options import add_page, add_policy, add_secrets, page_of, policy_of, typed

EPILOG = """\
A line without a key gives an empty line and a message.
example: urlkey key 'HTTP://Example.com/?b=1&a=2&utm_source=x'"""

__all__ = ["add_arguments", "run"]


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("urls", nargs="*", metavar="URL", help="without any, or for -, lines of standard input")
    command.add_argument("-0", "--null", action="store_true", help="lines end with NUL, in and out")
    command.add_argument("--strict", action="store_true", help="exit status 1 if a line has no key")
    add_policy(command)
    add_page(command)
    add_secrets(command)


def run(args: argparse.Namespace) -> int:
    keys = _Keys(args)
    for url in args.urls or ["-"]:
        if url == "-":
            keys.standard_input()
        else:
            keys.write([typed(url)])
    return int(args.strict and keys.failed)


class _Keys:
    def __init__(self, args: argparse.Namespace) -> None:
        self._policy = policy_of(args)
        self._page = page_of(args)
        self._end = b"\0" if args.null else b"\n"
        self._secrets = args.show_secrets
        self._line = 0
        self.failed = False

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
        end = self._end.decode()
        sys.stdout.buffer.write("".join(f"{key}{end}" for key in keys).encode())
        sys.stdout.buffer.flush()

    def standard_input(self) -> None:
        from urlkey.readers.blocks import Blocks
        from urlkey.readers.lines import without_bom

        begun: list[bytes] = []
        with Blocks("-") as blocks:
            for block in without_bom(blocks):
                first, *rest = block.split(self._end)
                begun.append(first)
                if rest:
                    last = rest.pop()
                    self._lines([b"".join(begun), *rest])
                    begun = [last]
        last = b"".join(begun)
        if last:
            self._lines([last])

    def _lines(self, lines: list[bytes]) -> None:
        self.write(lines, numbered=True)
        self._line += len(lines)
