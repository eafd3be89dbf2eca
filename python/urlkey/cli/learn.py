"""`urlkey learn`: site rules out of what was crawled. What is learned, `urlkey.learn` knows; here files are read and
written."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from urlkey.cli.app import Failure
from urlkey.cli.messages import visible, warn
from urlkey.cli.options import add_policy, add_secrets, policy_of
from urlkey.cli.output import Output, identity

if TYPE_CHECKING:
    from urlkey.learn import Model

EPILOG = """\
FILE...                  observations: WARC files, whose pages are read; CDX or CDXJ; a store; JSON lines, Parquet or
                         Arrow with the columns url, fingerprint and, if known, time, status, redirect, canonical,
                         language, truncated, no_vary_search, clean_param, listed. Out come rules, as a file
report MODEL             the model as text, or as one page of HTML where -o FILE ends so
audit MODEL FILE...      pairs of URLs to fetch afresh, drawn by chance from what the rules merge, as JSON lines
audit MODEL --results R  the bound that these certify; with -o FILE the rules with it; exit status 1 if it is too high
sentinels MODEL FILE...  pairs to go on fetching although they are merged, half a percent, so that drift is seen
update MODEL FILE...     the model after later observations: what fails is suspended, what holds again comes back; exit
                         status 1 if it is refused
probe URL --fetch M:F    asks the server, by the function F of the module M, which parameters change nothing
MODEL is what --model FILE wrote. A file called report, audit, sentinels, update or probe is ./report and so on.
example: urlkey learn crawl.warc.gz -o rules.toml && urlkey key --rules rules.toml < urls.txt"""

_BUDGET = 1e-4
_LOOSER = 10
_WORDS = ("report", "audit", "sentinels", "update", "probe")

__all__ = ["add_arguments", "run"]


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("files", nargs="*", metavar="FILE", help="see below; without any, standard input")
    command.add_argument("-o", "--output", default="-", metavar="FILE", help="of the result; not standard output")
    command.add_argument("--model", metavar="FILE", help="write the whole model too: rules, refusals, counts, samples")
    command.add_argument(
        "--budget",
        type=float,
        default=_BUDGET,
        metavar="RATE",
        help=f"share of wrong merges not to be exceeded, as estimated; default {_BUDGET}",
    )
    command.add_argument(
        "--everywhere", metavar="FILE", help="write names that may go on any host, as several domains agree"
    )
    command.add_argument(
        "--platforms", metavar="FILE", help="write what may go on a script, as viewtopic.php, as several domains agree"
    )
    command.add_argument(
        "--format", choices=("jsonl", "parquet", "arrow", "store", "warc", "cdx"), help="instead of what FILE says"
    )
    command.add_argument("--date", metavar="DATE", help="of the rules, as 2026-11-30; default today's")
    command.add_argument("--strict", action="store_true", help="exit status 1 if a row is no observation or has no key")
    command.add_argument("-q", "--quiet", action="store_true", help="no messages")
    group = command.add_argument_group("report, audit, sentinels, update, probe")
    group.add_argument("--results", metavar="FILE", help="of audit: the pairs with fingerprint_a and fingerprint_b")
    group.add_argument("--size", type=int, metavar="N", help="of audit: pairs; default what certifies the budget")
    group.add_argument("--seed", type=int, default=0, metavar="N", help="of audit, sentinels: another sample")
    group.add_argument("--share", type=float, metavar="SHARE", help="of sentinels: of the merges; default 0.005")
    group.add_argument(
        "--flips", type=float, metavar="SHARE", help="of update: rules that may have been content before"
    )
    group.add_argument(
        "--fetch", metavar="MODULE:FUNCTION", help="of probe: takes a URL, gives (status, body, redirect)"
    )
    group.add_argument("--fetches", type=int, default=12, metavar="N", help="of probe: at most; default 12")
    add_policy(command)
    add_secrets(command)


def run(args: argparse.Namespace) -> int:
    try:
        if args.files and args.files[0] in _WORDS:
            from urlkey.cli import learn_more

            word, *args.files = args.files
            act: int = getattr(learn_more, word)(args)
            return act
        return _learn(args)
    except ImportError as fault:
        raise Failure(f"{fault}; pip install 'urlkey[arrow,page]'") from None
    except ValueError as fault:
        if getattr(fault, "code", None) is not None:
            raise
        raise Failure(str(fault)) from None


def _learn(args: argparse.Namespace) -> int:
    from urlkey.learn import everywhere, everywhere_file, learn, platforms, platforms_file, read, rule_file

    files = args.files or ["-"]
    check(args, files)
    rows = read(*files, form=args.format)
    model = learn(rows, policy=policy_of(args), budget=args.budget, date=date_of(args))
    write(args.output, rule_file(model, secrets=args.show_secrets))
    if args.model:
        write(args.model, model.as_json())
    if args.everywhere:
        write(args.everywhere, everywhere_file(model, everywhere(model)))
    if args.platforms:
        write(args.platforms, platforms_file(model, platforms(model)))
    if not args.quiet:
        tell(model, rows.bad, rows.first)
    return int(args.strict and bool(rows.bad or model.refused_rows))


def write(path: str, text: str) -> None:
    """Text as data, whole or not at all."""
    with Output(path) as output:
        output.write(text.encode("utf-8", "backslashreplace"))


def check(args: argparse.Namespace, files: list[str]) -> None:
    """Results do not go over what is read."""
    inputs = {identity("/dev/stdin" if path == "-" else path) for path in files}
    for written in (args.output, args.model, args.everywhere, args.platforms):
        if written not in (None, "-") and identity(written) in inputs:
            raise Failure("the result must not be written over what is read")


def date_of(args: argparse.Namespace) -> str:
    """The date of the rules."""
    if args.date is None:
        return datetime.now(UTC).date().isoformat()
    try:
        return datetime.strptime(args.date, "%Y-%m-%d").date().isoformat()
    except ValueError:
        raise Failure(f"--date {args.date!r}: allowed: a date like 2026-11-30") from None


def tell(model: Model, bad: int, first: str | None) -> None:
    """What a person should know of the run."""
    from urlkey.learn import percent

    if bad:
        warn(f"{bad:,} rows are no observations; the first: {visible(first or '')}")
    if model.refused_rows:
        warn(f"{model.refused_rows:,} rows have no key, or are neither http nor https")
    merges = sum(rule.merges for rule in model.rules)
    warn(
        f"{model.rows:,} observations of {_many(model.hosts, 'host')}: {_many(len(model.rules), 'rule')}, "
        f"merging {merges:,} of {model.pages:,} keys; "
        f"wrong merges expected: {percent(model.estimate)} (estimated, not certified)"
    )
    kept = sum(one.refused == "risk" for one in model.findings)
    if kept:
        looser = min(model.budget * _LOOSER, 0.5)
        warn(f"{kept:,} more do not fit into the budget of {percent(model.budget)}; --budget {looser:g} takes more")


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"
