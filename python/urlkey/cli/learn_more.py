"""`urlkey learn report`, `audit`, `update` and `probe`: what is done with a model, or instead of one."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

from urlkey.cli.app import Failure
from urlkey.cli.learn import check, date_of, tell, write
from urlkey.cli.messages import shown, warn
from urlkey.cli.options import policy_of
from urlkey.learn import Audit, Model, as_html, as_text, audited, pairs, percent, read, rule_file, updated
from urlkey.learn.sentinel import SHARE
from urlkey.readers import ReadError

_BECAME = ("added", "kept", "suspended", "recovered", "outgrown", "expired", "flipped")

__all__ = ["audit", "probe", "report", "sentinels", "update"]


def report(args: argparse.Namespace) -> int:
    """The model for eyes."""
    model = _model(args, others=False)
    done = _audit(model, args.results) if args.results else None
    if args.output.lower().endswith((".html", ".htm")):
        text = as_html(model, title=Path(args.files[0]).name, audit=done, secrets=args.show_secrets)
    else:
        text = as_text(model, audit=done, secrets=args.show_secrets)
    write(args.output, text)
    return 0


def audit(args: argparse.Namespace) -> int:
    """Pairs to fetch, or the bound that they certify."""
    model = _model(args, others=not args.results)
    if args.results:
        return _certify(model, args)
    found = pairs(
        model, read(*args.files[1:], form=args.format), policy=policy_of(args), size=args.size, seed=args.seed
    )
    write(args.output, "".join(json.dumps(asdict(pair), ensure_ascii=False) + "\n" for pair in found))
    if not args.quiet:
        warn(f"{len(found):,} pairs; fetch both of each within minutes, add fingerprint_a and fingerprint_b")
    return 0


def sentinels(args: argparse.Namespace) -> int:
    """Pairs of which one is merged away, to be fetched all the same."""
    from urlkey.learn import sentinels as drawn

    model = _model(args, others=True)
    share = args.share if args.share is not None else SHARE
    rows = read(*args.files[1:], form=args.format)
    found = drawn(model, rows, policy=policy_of(args), share=share, seed=args.seed)
    write(args.output, "".join(json.dumps(asdict(pair), ensure_ascii=False) + "\n" for pair in found))
    if not args.quiet:
        warn(f"{len(found):,} pairs; fetch both of each, and give `learn update` what they answer")
    return 0


def _certify(model: Model, args: argparse.Namespace) -> int:
    done = _audit(model, args.results)
    for a, b in done.failures:
        warn(f"wrong: {shown(a, secrets=args.show_secrets)} {shown(b, secrets=args.show_secrets)}")
    verdict = "within" if done.holds(model.budget) else "above"
    print(
        f"{done.judged:,} of {done.asked:,} pairs judged, {done.wrong:,} wrong: "
        f"certified at most {percent(done.upper)} (95 %), {verdict} the budget of {percent(model.budget)}; "
        f"at most {percent(done.worst)} if all that could not be judged were wrong "
        f"({done.noisy:,} noisy, {done.walled:,} walls, {done.unknown:,} unknown)"
    )
    if args.output != "-":
        write(args.output, rule_file(model, audit=done, secrets=args.show_secrets))
    return int(not done.holds(model.budget))


def update(args: argparse.Namespace) -> int:
    """The model after later observations, as rules, and whole where --model says so."""
    from urlkey.learn.update import FLIPS, UpdateRefused

    old = _model(args, others=True)
    check(args, args.files)
    rows = read(*args.files[1:], form=args.format)
    flips = FLIPS if args.flips is None else args.flips
    try:
        done = updated(old, rows, policy=policy_of(args), date=date_of(args), flips=flips)
    except UpdateRefused as fault:
        warn(f"refused: {fault}; nothing is written")
        return 1
    write(args.output, rule_file(done.model, secrets=args.show_secrets))
    if args.model:
        write(args.model, done.model.as_json())
    if not args.quiet:
        tell(done.model, rows.bad, rows.first)
        counts = {name: len(getattr(done, name)) for name in _BECAME}
        warn(", ".join(f"{count:,} {name}" for name, count in counts.items()))
    return int(args.strict and bool(rows.bad or done.model.refused_rows))


def probe(args: argparse.Namespace) -> int:
    """Verdicts on the parameters of one URL, as JSON, with the observations that it took."""
    from urlkey.learn.probe import Fetched
    from urlkey.learn.probe import probe as ask

    if len(args.files) != 1 or args.fetch is None:
        raise Failure("learn probe takes one URL, and --fetch MODULE:FUNCTION")
    fetch = _function(args.fetch)
    found = ask(args.files[0], lambda url: Fetched(*fetch(url)), policy=policy_of(args), budget=args.fetches)
    text = {**asdict(found), "observations": [one._asdict() for one in found.observations]}
    write(args.output, json.dumps(text, ensure_ascii=False, indent=1) + "\n")
    return 0


def _function(name: str) -> Callable[[str], tuple[Any, ...]]:
    module, _, function = name.partition(":")
    sys.path.insert(0, "")
    try:
        found: Callable[[str], tuple[Any, ...]] = getattr(import_module(module), function)
    except (ImportError, AttributeError, ValueError) as fault:
        raise Failure(f"--fetch {name}: {fault}") from None
    return found


def _model(args: argparse.Namespace, *, others: bool) -> Model:
    """The model that is named first; `others`: whether files must follow."""
    if not args.files or others is not (len(args.files) > 1):
        raise Failure("a MODEL, as --model FILE wrote it" + (", and files of observations" if others else ", alone"))
    return Model.from_json(Path(args.files[0]).read_text(encoding="utf-8"))


def _audit(model: Model, path: str) -> Audit:
    return audited(model, _rows(path))


def _rows(path: str) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            raise ReadError(f"{path}:{number}: not a JSON object")
        yield row
