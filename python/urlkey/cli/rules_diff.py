"""`urlkey rules diff`: what a change of rules or policy merges and splits, on somebody's own URLs."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from urlkey.cli.app import Failure
from urlkey.cli.messages import Paint, colours, shown, visible, warn
from urlkey.cli.options import policy_of

if TYPE_CHECKING:
    from urlkey._native import Policy

_ROWS = 2048

__all__ = ["diff"]


def diff(args: argparse.Namespace) -> int:
    """Runs the command."""
    from urlkey._native import Diff

    if args.samples < 0:
        raise Failure("--samples takes a number from 0")
    first, second, *files = args.words
    a, b = (_policy(args, word) for word in (first, second))
    core = Diff(a, b, args.samples)
    rejects: list[str] = []
    for path in files or ["-"]:
        rejects += _feed(core, args, path)
    totals = core.totals
    if args.json:
        print(json.dumps(_value(core, a, b, args.show_secrets, len(rejects))))
    else:
        print("\n".join(_told(core, a, b, args.show_secrets)))
    unkeyed = totals["rejected"] + len(rejects)
    if unkeyed:
        warn(f"{unkeyed:,} of {totals['urls'] + len(rejects):,} rows have no key")
    return int(args.strict and unkeyed > 0)


def _policy(args: argparse.Namespace, word: str) -> Policy:
    """A built-in policy, a policy file, or a file of rules on top of --policy."""
    from urlkey._native import PROFILES

    path = Path(word)
    if word not in PROFILES and path.is_file() and not _is_policy(path):
        return policy_of(argparse.Namespace(**{**vars(args), "rules": [*args.rules, word]}))
    return policy_of(argparse.Namespace(**{**vars(args), "policy": word}))


def _is_policy(path: Path) -> bool:
    import tomllib

    try:
        root = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return True  # the loader says what is wrong, with its line
    return any(key in root for key in ("name", "extends", "rungs", "limits"))


def _feed(core: Any, args: argparse.Namespace, path: str) -> list[str]:
    """Hands the URLs of a file to the core; gives the problems of rows that hold none."""
    from urlkey.readers.blocks import Blocks

    problems = []
    with Blocks(path) as blocks:
        batch: list[bytes] = []
        for url, problem in _urls(blocks, args, path):
            if url is None:
                problems.append(problem or "missing-column")
                continue
            batch.append(url)
            if len(batch) == _ROWS:
                core.add(batch)
                batch = []
        core.add(batch)
        if blocks.broken:
            warn(f"{visible(path)}: {blocks.broken}; the lines before it were read")
    return problems


def _urls(blocks: Any, args: argparse.Namespace, path: str) -> Iterator[tuple[bytes | None, str | None]]:
    from urlkey.readers import format_of
    from urlkey.readers.delimited import Delimited
    from urlkey.readers.jsonl import JsonLines
    from urlkey.readers.lines import lines, without_bom

    form = args.format or format_of(path)
    if form == "txt":
        for line in lines(without_bom(blocks)):
            yield line.removesuffix(b"\n").removesuffix(b"\r"), None
        return
    reader: JsonLines | Delimited
    if form == "jsonl":
        reader = JsonLines(blocks, column=args.column)
    else:
        reader = Delimited(blocks, name=visible(path), column=args.column, usual="\t" if form == "tsv" else ",")
    for _, _, url, problem in reader:
        yield (url if problem is None else None), problem


def _value(core: Any, a: Policy, b: Policy, secrets: bool, unreadable: int) -> dict[str, Any]:
    def whole(text: str) -> str:
        return shown(text, secrets=secrets, longest=sys.maxsize)

    samples = [
        {
            **sample,
            "key": whole(sample["key"]),
            "keys": list(map(whole, sample["keys"])),
            "urls": list(map(whole, sample["urls"])),
        }
        for sample in core.samples
    ]
    reasons = [{"kind": kind, "why": why, "count": count} for kind, why, count in core.reasons]
    return {
        "a": a.short_id,
        "b": b.short_id,
        **core.totals,
        "unreadable": unreadable,
        "reasons": reasons,
        "samples": samples,
    }


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _told(core: Any, a: Policy, b: Policy, secrets: bool) -> list[str]:
    paint = Paint(colours(sys.stdout))
    totals = core.totals
    merge = "merges" if totals["merged"] == 1 else "merge"
    lines = [
        f"a {a.short_id}: {_count(totals['keys_a'], 'key')}",
        f"b {b.short_id}: {_count(totals['keys_b'], 'key')}",
        f"{_count(totals['urls'], 'URL')}, {totals['changed']:,} with another key",
        f"{_count(totals['merged'], 'key')} {merge}, {totals['split']:,} split",
    ]
    if core.reasons:
        lines += ["", paint.dim("why (of the first 10,000)")]
        lines += [f"  {count:>9,} {kind:<7} {visible(why)}" for kind, why, count in core.reasons[:20]]
    for sample in core.samples:
        mark = paint.bad("merged") if sample["kind"] == "merged" else paint.good("split")
        lines += ["", f"{mark}  {shown(sample['key'], secrets=secrets)}"]
        lines += [f"  {paint.dim('by')} {visible(why)}" for why in sample["why"]]
        for url, key in zip(sample["urls"], sample["keys"], strict=True):
            lines.append(f"  {shown(url, secrets=secrets)}")
            if key != url:
                lines.append(f"    {paint.dim('key')} {shown(key, secrets=secrets)}")
    return lines
