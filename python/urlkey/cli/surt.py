"""`urlkey surt`: the SURT key of each URL, one line out for each line in. All bytes
have a key."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from urlkey.cli.lines import add_lines, run_lines

EPILOG = """\
The keys are byte for byte those that archives have stored, with all they lose.
example: urlkey surt 'http://www.Example.com/a/?b=2&a=1'"""

__all__ = ["add_arguments", "add_key", "key_options", "run"]


def add_key(command: argparse.ArgumentParser) -> None:
    """--flavor and the options of keys."""
    group = command.add_argument_group("key")
    group.add_argument(
        "--flavor",
        choices=("python", "java", "heritrix"),
        default="python",
        help="of the package surt (pywb), of webarchive-commons, of Heritrix; default python",
    )
    group.add_argument("--with-scheme", action="store_true", help="http://(com,example)/")
    group.add_argument("--trailing-comma", action="store_true", help="com,example,)/")
    group.add_argument("--keep-ip-order", action="store_true", help="127.0.0.1)/ instead of 1,0,0,127)/")
    group.add_argument("--keep-www", action="store_true", help="www. stays")


def key_options(args: argparse.Namespace) -> dict[str, Any]:
    """The options of `surt` that these stand for."""
    return {
        "with_scheme": args.with_scheme,
        "trailing_comma": args.trailing_comma,
        "reverse_ipaddr": not args.keep_ip_order,
        "host_massage": not args.keep_www,
    }


def add_arguments(command: argparse.ArgumentParser) -> None:
    add_lines(command, "URL", without="key")
    command.add_argument("--undo", action="store_true", help="lines are SURTs: the URL that each still holds")
    add_key(command)


def run(args: argparse.Namespace) -> int:
    from urlkey._native import surts, unsurt

    def rows(lines: Sequence[str | bytes]) -> list[dict[str, Any]]:
        given = [line.encode() if isinstance(line, str) else line for line in lines]
        made = [unsurt(line) for line in given] if args.undo else surts(given, args.flavor, **key_options(args))
        name = "url" if args.undo else "surt"
        return [{name: key.decode("utf-8", "surrogateescape")} for key in made]

    name = "url" if args.undo else "surt"
    return run_lines(args, rows, columns=(name,), needs=name)
