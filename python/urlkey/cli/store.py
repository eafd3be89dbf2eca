"""`urlkey store`: URLs into a store and out of it. What a store is, `urlkey.store` knows."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from urlkey.cli.app import Failure
from urlkey.cli.inputs import Inputs, add_file, add_inputs, as_line
from urlkey.cli.lines import blocks, text_lines
from urlkey.cli.messages import complain, shown, visible, warn
from urlkey.cli.options import add_policy, add_secrets, policy_of
from urlkey.readers import PROBLEMS

if TYPE_CHECKING:
    from urlkey._native import Policy
    from urlkey.store import Entry, Rekeyed, Sample, Store

EPILOG = """\
add STORE [URL...]     notes URLs, of --file files, else standard input; writes those whose key is new
get STORE [URL...]     key, count, first, last and representative of each, an empty line for what is not there
stats STORE            counts
rekey STORE            what --policy makes of the keys: merges, splits; with --apply makes it so
export STORE           all entries, as JSON lines, or as Parquet where -o FILE ends so
check STORE            reads all of it; exit status 1 if it is damaged
STORE is the path of a file or a postgresql:// URL; add makes it if it is not there.
example: urlkey store add seen.db < links.txt > new.txt"""

# Messages about single lines, before a total has to do.
_SHOWN = 5

__all__ = ["add_arguments", "run"]


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("what", choices=("add", "get", "stats", "rekey", "export", "check"), help="see below")
    command.add_argument("store", metavar="STORE", help="see below")
    command.add_argument("lines", nargs="*", metavar="URL", help="of add and get")
    command.add_argument("--json", action="store_true", help="of get, stats and rekey: JSON")
    command.add_argument("--strict", action="store_true", help="exit status 1 if a URL has no key, or is not there")
    command.add_argument("-q", "--quiet", action="store_true", help="of add: no messages")
    command.add_argument("-o", "--output", metavar="FILE", help="of export: instead of standard output")
    group = command.add_argument_group("input, of add; --format is of export too: jsonl or parquet")
    add_file(group)
    add_inputs(group)
    command.add_argument("--apply", action="store_true", help="of rekey: change the store")
    command.add_argument("--samples", type=int, default=10, metavar="N", help="of rekey: of each kind; default 10")
    add_policy(command)
    command.set_defaults(policy=None)
    add_secrets(command)


def run(args: argparse.Namespace) -> int:
    if args.lines and args.what not in ("add", "get"):
        raise Failure(f"store {args.what} takes no URLs")
    if args.file and args.what != "add":
        raise Failure(f"store {args.what} reads no files")
    acts = {"add": _add, "get": _get, "stats": _stats, "rekey": _rekey, "export": _export, "check": _check}
    from urlkey.store import StoreError

    try:
        return acts[args.what](args)
    except StoreError as error:
        raise Failure(str(error)) from None
    except (ImportError, ValueError) as error:
        if getattr(error, "code", None) is not None:
            raise
        raise Failure(str(error)) from None


def _policy(args: argparse.Namespace) -> Policy | None:
    """The policy that is asked for; None leaves it to the store."""
    if args.policy is None and not (args.rules or args.on or args.off):
        return None
    args.policy = args.policy or "crawl"
    return policy_of(args)


@contextmanager
def _opened(args: argparse.Namespace, policy: Policy | None = None) -> Iterator[Store]:
    from pathlib import Path

    from urlkey.store import Store

    if args.what != "add" and "://" not in args.store and not Path(args.store).exists():
        raise Failure(f"{args.store}: no such file")
    with Store.open(args.store, policy=policy) as store:
        yield store


def _add(args: argparse.Namespace) -> int:
    from urlkey._native import UrlKeyError

    lines = new = bad = 0
    with _opened(args, _policy(args)) as store:
        sources = _Sources(args)
        for block in sources:
            told = store.add_many(block, on_error="error")
            fresh = []
            for line, row in zip(block, told, strict=True):
                if isinstance(row, UrlKeyError):
                    bad += 1
                    if bad <= _SHOWN and not args.quiet:
                        complain(row, line, secrets=args.show_secrets)
                elif row:
                    fresh.append(as_line(line.encode() if isinstance(line, str) else line))
            lines, new = lines + len(block), new + len(fresh)
            sys.stdout.buffer.write(b"".join(fresh))
            sys.stdout.buffer.flush()
    lines, bad = lines + sources.rejected, bad + sources.rejected
    if not args.quiet:
        warn(f"{lines:,} lines, {new:,} with a new key, {bad:,} without a key")
    return 2 if sources.broken else int(args.strict and bad > 0)


class _Sources:
    """The URLs that `add` is given: arguments, files, standard input. `rejected` counts records that hold none."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        self.rejected = 0
        self.broken = False

    def __iter__(self) -> Iterator[list[str | bytes]]:
        args = self._args
        words = args.lines or ([] if args.file else ["-"])
        yield from blocks([word for word in words if word != "-"], default=())
        for path in ["-"] * ("-" in words) + args.file:
            yield from self._file(path)

    def _file(self, path: str) -> Iterator[list[str | bytes]]:
        inputs = Inputs(self._args, [path])
        if inputs.forms == ["txt"]:
            with inputs.open(path) as opened:
                yield from text_lines(opened)
                if opened.broken:
                    self.broken = True
                    warn(f"{visible(path)}: {visible(opened.broken)}; the lines before it were read")
            return
        for batch in inputs.batches(path):
            urls = [row.data for row in batch if row.url is not None]
            first = next((row for row in batch if row.url is None), None)
            if first is not None and not self.rejected and not self._args.quiet:
                place = visible(f"{first.source}:{first.number}")
                warn(f"{place}: {first.problem}: {PROBLEMS[first.problem or 'missing-url']}")
            self.rejected += len(batch) - len(urls)
            yield list(urls)
        self.broken |= inputs.broken


def _get(args: argparse.Namespace) -> int:
    from urlkey._native import UrlKeyError

    missing = False
    with _opened(args, _policy(args)) as store:
        for block in blocks(args.lines):
            for line in block:
                try:
                    entry = store.get(line)
                except UrlKeyError as error:
                    if error.code == "policy-mismatch":
                        raise
                    complain(error, line, secrets=args.show_secrets)
                    entry = None
                missing |= entry is None
                print(_json(entry) if args.json else _text(entry))
    return int(args.strict and missing)


def _text(entry: Entry | None) -> str:
    if entry is None:
        return ""
    times = (datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%dT%H:%M:%SZ") for time in (entry.first, entry.last))
    return "\t".join((entry.key, str(entry.count), *times, entry.representative))


def _json(entry: Entry | None) -> str:
    from urlkey.store.export import row

    return json.dumps(None if entry is None else row(entry), ensure_ascii=False)


def _stats(args: argparse.Namespace) -> int:
    with _opened(args) as store:
        counts = {**asdict(store.stats()), "bytes": store.size()}
    if args.json:
        print(json.dumps(counts))
    else:
        for name, value in counts.items():
            print(f"{name.replace('_', ' '):<10} {f'{value:,}' if isinstance(value, int) else visible(str(value))}")
    return 0


def _rekey(args: argparse.Namespace) -> int:
    policy = _policy(args)
    if policy is None:
        raise Failure("store rekey needs --policy, --rules, --on or --off")
    with _opened(args) as store:
        told = store.rekey(policy, apply=args.apply, samples=max(args.samples, 0))
    if args.json:
        print(json.dumps(asdict(told)))
    else:
        print("\n".join(_told(told, policy, args.show_secrets)))
    return 0


def _told(told: Rekeyed, policy: Policy, secrets: bool) -> Iterator[str]:
    done = "the store has now" if told.applied else "the store would have"
    yield f"{visible(policy.short_id)}: {done} {told.keys_after:,} keys, {told.keys_before:,} before"
    yield f"{told.changed:,} new, {told.merges:,} merges, {told.splits:,} splits"
    if told.lost or told.won:
        yield f"{told.lost:,} spellings without a key, {told.won:,} that had none with one"
    for name, samples in (("merge", told.merge_samples), ("split", told.split_samples)):
        for sample in samples:
            yield from _sample(name, sample, secrets)


def _sample(name: str, sample: Sample, secrets: bool) -> Iterator[str]:
    yield name
    yield from (f"  - {shown(key, secrets=secrets)}" for key in sample.before)
    yield from (f"  + {shown(key, secrets=secrets)}" for key in sample.after)


def _export(args: argparse.Namespace) -> int:
    if args.format not in (None, "jsonl", "parquet"):
        raise Failure("store export writes jsonl or parquet")
    with _opened(args) as store:
        if args.output not in (None, "-"):
            count = store.export(args.output, args.format)
            warn(f"{count:,} entries written to {visible(args.output)}")
        elif args.format == "parquet":
            raise Failure("Parquet goes to a file: -o FILE")
        else:
            for entry in store:
                sys.stdout.buffer.write(_json(entry).encode() + b"\n")
    return 0


def _check(args: argparse.Namespace) -> int:
    from urlkey.store import StoreError

    try:
        with _opened(args) as store:
            store.verify()
    except StoreError as error:
        if error.code != "corrupt":
            raise
        warn(visible(str(error)))
        return 1
    print(f"{visible(args.store) if '://' not in args.store else 'the store'} is whole")
    return 0
