"""`urlkey rules`: rule files checked, the rules for a host or URL, what a change of them merges and splits, and
public lists made into rule files. What rules mean is the core's; here it is asked and told."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from urlkey.cli.app import Failure
from urlkey.cli.messages import Paint, colours, visible, warn
from urlkey.cli.options import add_policy, add_secrets
from urlkey.importers import FORMATS as LISTS
from urlkey.readers import ROW_FORMATS

EPILOG = """\
check FILE...            faults with file and line, and what reads oddly; exit status 1 if there is a fault
show HOST|URL            the rules for it, the first to be heard first, and what becomes of a URL's parameters
diff A B [URLS...]       how many keys merge and split from A to B: policies, or rule files on top of --policy
import [FORMAT] FILE     a public list as a rule file; formats: clearurls, adguard, brave, firefox
examples: urlkey rules import data.min.json -o clearurls.toml
          urlkey rules diff crawl clearurls.toml urls.txt.gz"""

_WORDS = {"check": (1, None), "show": (1, 1), "diff": (2, None), "import": (1, 2)}
_SHOWN = 5

__all__ = ["add_arguments", "run"]


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("what", choices=tuple(_WORDS), help="see below")
    command.add_argument("words", nargs="*", metavar="ARGUMENT", help="files, a host or URL, policies: see below")
    command.add_argument("--json", action="store_true", help="one JSON value")
    command.add_argument("--strict", action="store_true", help="of check: what reads oddly gives exit status 1 too")
    command.add_argument("--all", action="store_true", help="of show: rules for any host too, if a host is given")
    group = command.add_argument_group("import")
    group.add_argument("-o", "--output", default="-", metavar="FILE", help="instead of standard output")
    group.add_argument("--name", metavar="TEXT", help="the list's name, for the rows; default the file's")
    group.add_argument("--date", metavar="DATE", help="the list's date, as 2026-11-30")
    group.add_argument("--redirections", action="store_true", help="take rules too that lead to any host")
    group.add_argument("--report", metavar="FILE", help="write what the rules cannot say: place, reason, text")
    group = command.add_argument_group("diff")
    group.add_argument("--samples", type=int, default=_SHOWN, metavar="N", help=f"pairs of each kind; default {_SHOWN}")
    group.add_argument("--format", choices=ROW_FORMATS, help="of URLS, instead of what the file's name says")
    group.add_argument("-c", "--column", metavar="NAME|NUMBER|PATH", help="where the URLs are")
    add_policy(command)
    add_secrets(command)


def run(args: argparse.Namespace) -> int:
    least, most = _WORDS[args.what]
    if len(args.words) < least or (most is not None and len(args.words) > most):
        raise Failure(f"rules {args.what}: see `urlkey rules --help` for its arguments")
    if args.what == "show":
        from urlkey.cli.rules_show import show

        return show(args)
    if args.what == "diff":
        from urlkey.cli.rules_diff import diff

        return diff(args)
    return _check(args) if args.what == "check" else _import(args)


def _text(path: str) -> str:
    """The text of a file that a person has."""
    data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = data[: fault.start].count(b"\n") + 1
        raise Failure(f"{path}:{line}: not UTF-8 text") from None


def _check(args: argparse.Namespace) -> int:
    from urlkey._native import check_rules

    found = {path: check_rules(_text(path), path) for path in args.words}
    if args.json:
        print(json.dumps([{"file": path, **_rows(check)} for path, check in found.items()]))
    else:
        for path, check in found.items():
            print("\n".join(_told(path, check)))
    faults = any(check["faults"] for check in found.values())
    notes = any(check["notes"] for check in found.values())
    return int(faults or (args.strict and notes))


def _rows(check: dict[str, Any]) -> dict[str, Any]:
    return {
        "rules": check["rules"],
        "items": check["items"],
        "faults": [{"line": line, "message": message} for line, message in check["faults"]],
        "notes": [{"line": line, "kind": kind, "message": message} for line, kind, message in check["notes"]],
    }


def _told(path: str, check: dict[str, Any]) -> list[str]:
    paint = Paint(colours(sys.stdout))
    name = visible(path)
    lines = []
    for line, message in check["faults"]:
        place = name if line is None else f"{name}:{line}"
        lines.append(f"{place}: {paint.bad('fault')}: {visible(message)}")
    lines += [f"{name}:{line}: {kind}: {visible(message)}" for line, kind, message in check["notes"]]
    items = ", ".join(f"{count:,} {key}" for key, count in check["items"].items())
    counted = f"{check['rules']:,} rules" + (f" ({items})" if items else "")
    lines.append(f"{name}: {counted}, {len(check['faults'])} faults, {len(check['notes'])} notes")
    return lines


def _import(args: argparse.Namespace) -> int:
    from urlkey.cli.output import Output
    from urlkey.importers import NotAList, convert

    *given, path = args.words
    if given and given[0] not in LISTS:
        raise Failure(f"no format {given[0]!r}; there are: {', '.join(LISTS)}")
    name = args.name or ("standard input" if path == "-" else Path(path).name)
    try:
        made = convert(
            _text(path), given[0] if given else None, name=name, date=args.date, redirections=args.redirections
        )
    except NotAList as fault:
        raise Failure(f"{path}: {fault}") from None
    with Output(args.output) as output:
        output.write(made.text.encode())
    if args.report is not None:
        with Output(args.report) as output:
            for problem in made.problems:
                row = "\t".join(map(visible, (problem.where, problem.why, problem.what)))
                output.write(f"{row}\n".encode("utf-8", "surrogateescape"))
    warn(f"{visible(path)}: read as {made.format}: {made.names:,} items in {made.rows:,} rules")
    for why, count in made.reasons().most_common():
        first = next(problem for problem in made.problems if problem.why == why)
        warn(f"{count:,} not taken: {why}; the first: {first.where}: {visible(first.what)[:120]}")
    return 0
