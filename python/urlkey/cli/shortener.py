"""`urlkey shortener`: whether links may be shortened, and what to look them up by."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from typing import Any

from urlkey.cli.app import Failure
from urlkey.cli.lines import add_lines, run_lines

EPILOG = """\
accepted or refused, the href to redirect to, and why not, with tabs between. --json has
the key (what to look up), the scheme of a signature and the codes of the reasons too.
example: urlkey shortener --own go.example 'http://0x7f.1/' 'https://a.example/'"""

__all__ = ["add_arguments", "run"]


def add_arguments(command: argparse.ArgumentParser) -> None:
    add_lines(command, "URL", without="key, because it is refused")
    command.add_argument(
        "--own", action="append", default=[], metavar="HOST", help="a host of your short links; repeatable"
    )
    command.add_argument(
        "--allow", action="append", default=[], metavar="CODE", help="a reason that does not refuse; repeatable"
    )
    command.add_argument("--longest", type=int, metavar="BYTES", help="of an href; default 8000")


def run(args: argparse.Namespace) -> int:
    from urlkey._native import UrlKeyError
    from urlkey.systems import shortener

    longest = shortener.LONGEST if args.longest is None else args.longest
    check = partial(shortener.check_all, own_hosts=args.own, allow=args.allow, longest=longest)
    try:
        check([])
    except UrlKeyError as error:
        raise Failure(f"--own: {error.code}: {error}: {error.input!r}") from None
    except ValueError as error:
        raise Failure(str(error)) from None
    return run_lines(args, lambda urls: _rows(urls, check), columns=("verdict", "href", "why"), needs="key")


def _rows(urls: Sequence[str | bytes], check: Any) -> list[dict[str, Any]]:
    from urlkey.systems.shortener import is_signed

    return [
        {
            "verdict": "accepted" if verdict else "refused",
            "href": verdict.href,
            "key": verdict.key if verdict else None,
            "signed": verdict.href and is_signed(verdict.href),
            "codes": [reason.code for reason in verdict.reasons],
            "why": "; ".join(reason.text for reason in verdict.reasons) or None,
        }
        for verdict in check(urls)
    ]
