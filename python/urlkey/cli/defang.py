"""`urlkey defang`: URLs broken so that nobody follows them by accident."""

from __future__ import annotations

import argparse

from urlkey.cli.refang import write_lines

EPILOG = """\
`urlkey refang` gives back what went in.
example: urlkey defang 'https://evil.example/a'"""

__all__ = ["add_arguments", "run"]


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("lines", nargs="*", metavar="URL", help="without any, or for -, lines of standard input")
    command.add_argument("--json", action="store_true", help="one JSON object for each line")


def run(args: argparse.Namespace) -> int:
    from urlkey._native import defang

    def broken(url: str) -> tuple[str, dict[str, object]]:
        text = defang(url)
        return text, {"defanged": text}

    return write_lines(args, broken)
