"""`urlkey seo`: the duplicates report of a crawl export, for eyes and as data. What
is a duplicate is decided in `urlkey.systems.seo`; here files are read and written."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import PurePath
from typing import TYPE_CHECKING

from urlkey.cli.app import Failure
from urlkey.cli.inputs import add_format, add_host, say_sniffed
from urlkey.cli.messages import colours, shown, visible, warn
from urlkey.cli.options import add_policy, add_secrets, policy_of
from urlkey.cli.output import Output, identity
from urlkey.cli.progress import Progress, progress

if TYPE_CHECKING:
    from urlkey.systems.seo import Export, Report

EPILOG = """\
EXPORT is CSV as Screaming Frog, Sitebulb or Lumar write it, JSON lines with the same
facts, or any file that has URLs: WARC, HAR, an access log, a sitemap. Columns are
found by name; --column url=Adresse names one that is not.
Nothing is fetched, and nothing rewritten.
example: urlkey seo internal_html.csv -o report.html"""

_FORMATS = ("text", "csv", "json", "html")
_BY_SUFFIX = {".csv": "csv", ".json": "json", ".html": "html", ".htm": "html"}
_WIDEST = 120

__all__ = ["add_arguments", "run"]


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("files", nargs="*", metavar="EXPORT", help="without any, or for -, standard input")
    command.add_argument("-o", "--output", default="-", metavar="FILE", help="instead of standard output")
    command.add_argument("--format", choices=_FORMATS, help="of the report; default by the name of FILE, else text")
    command.add_argument(
        "--tier",
        choices=("standard", "usual", "site"),
        default="site",
        help="how far spellings are joined: same by standard, usually same, site-dependent; default site",
    )
    command.add_argument("--strict", action="store_true", help="exit status 1 if a row has no URL")
    command.add_argument("-q", "--quiet", action="store_true", help="no progress and no warnings about rows")
    group = command.add_argument_group("input")
    add_format(group, "--input")
    add_host(group)
    group.add_argument(
        "-c",
        "--column",
        action="append",
        default=[],
        metavar="FACT=NAME",
        help="the column of a fact (url, status, canonical, redirect, hash, ...); repeatable",
    )
    group.add_argument("--delimiter", metavar="CHAR", help="between cells; default what the header has most of")
    add_policy(command, "seo")
    add_secrets(command)


def run(args: argparse.Namespace) -> int:
    from urlkey.systems.seo import report

    files = args.files or ["-"]
    _check(args, files)
    policy = policy_of(args)
    exports = [_read(path, args) for path in files]
    made = report(
        (page for export in exports for page in export.pages),
        tier=args.tier,
        policy=policy,
        rejects=[reject for export in exports for reject in export.rejects],
        known=frozenset().union(*(export.known for export in exports)),
    )
    _write(made, args)
    _tell(made, args)
    broken = any(export.broken for export in exports)
    return 2 if broken else int(args.strict and made.totals.places["no-key"] > 0)


def _check(args: argparse.Namespace, files: list[str]) -> None:
    if args.delimiter is not None and (len(args.delimiter) != 1 or args.delimiter in '"\r\n'):
        raise Failure("--delimiter takes one character, and no quote or line end")
    inputs = {identity("/dev/stdin" if path == "-" else path) for path in files}
    if args.output != "-" and identity(args.output) in inputs:
        raise Failure("the report must not be written over the export")


def _columns(given: list[str]) -> dict[str, str]:
    """`url=Adresse`; a name alone is the URL's."""
    pairs = (word.partition("=") if "=" in word else ("url", "=", word) for word in given)
    return {fact.strip(): name for fact, _, name in pairs}


def _read(path: str, args: argparse.Namespace) -> Export:
    from urlkey.systems.seo import read

    show: Progress | None = None

    def begin(size: int | None) -> None:
        nonlocal show
        show = progress(size, quiet=args.quiet)

    try:
        export = read(
            path,
            form=args.input,
            columns=_columns(args.column),
            delimiter=args.delimiter,
            host=args.host,
            scheme=args.scheme,
            size=begin,
            progress=lambda position, rows: show(position, rows) if show is not None else None,
        )
    finally:
        if show is not None:
            show.close()
    if export.sniffed and not args.quiet:
        say_sniffed(path, export.format)
    if export.broken:
        warn(f"{visible(path)}: {visible(export.broken)}; the rows before it were read")
    return export


def _write(made: Report, args: argparse.Namespace) -> None:
    form = args.format or _BY_SUFFIX.get(PurePath(args.output.lower()).suffix, "text")
    with Output(args.output) as output:
        output.write(_made(made, form, args).encode("utf-8", "backslashreplace"))


def _made(made: Report, form: str, args: argparse.Namespace) -> str:
    if form == "html":
        from urlkey.systems.seo.web import as_html

        title = ", ".join(PurePath(path).name for path in args.files if path != "-")
        return as_html(made, title=title, secrets=args.show_secrets)
    if form in ("csv", "json"):
        from urlkey.systems.seo import tables

        return (tables.as_csv if form == "csv" else tables.as_json)(made, secrets=args.show_secrets)
    from urlkey.systems.seo.terminal import as_text

    width = min(shutil.get_terminal_size((100, 24)).columns, _WIDEST)
    colour = args.output == "-" and colours(sys.stdout)
    return as_text(made, width=width, colour=colour, secrets=args.show_secrets)


def _tell(made: Report, args: argparse.Namespace) -> None:
    """What a person should know about rows without a URL."""
    without = made.totals.places["no-key"]
    if args.quiet or not without:
        return
    warn(f"{without:,} of {made.totals.rows:,} rows have no URL; --format csv lists them as no-key")
    if made.rejects:
        first = made.rejects[0]
        warn(f"the first: line {first.line}: {first.code}: {shown(first.text, secrets=args.show_secrets)}")
        return
    row = next(row for row in made.rows if row.place == "no-key")
    why = f"{row.keys.error.code}: {row.keys.error}" if row.keys.error else "neither http nor https"
    warn(f"the first: {why}: {shown(row.url, secrets=args.show_secrets)}")
