"""`urlkey company`: the company behind websites, hosts and mail addresses."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from urlkey.cli.lines import add_lines, run_lines

EPILOG = """\
The key, or an empty column and the reason why there is none, with a tab between.
--json has both registrable domains, the tenant, and profile: what a profile's URL is.
example: urlkey company https://www.acme.co.uk/about 'Jane <jane@acme.zendesk.com>' x@gmail.com"""

__all__ = ["add_arguments", "run"]


def add_arguments(command: argparse.ArgumentParser) -> None:
    add_lines(command, "URL|HOST|EMAIL", without="key")


def run(args: argparse.Namespace) -> int:
    return run_lines(args, _rows, columns=("key", "reason"), needs="key")


def _rows(texts: Sequence[str | bytes]) -> list[dict[str, Any]]:
    from urlkey.systems.company import company_keys

    return [
        {
            "key": found.key,
            "reason": found.reason,
            "registrable_icann": found.registrable_icann,
            "registrable_full": found.registrable_full,
            "tenant": found.tenant,
            "profile": _profile(text),
        }
        for text, found in zip(texts, company_keys(texts), strict=True)
    ]


def _profile(text: str | bytes) -> dict[str, str | None] | None:
    from urlkey.systems.company import profile_id

    found = profile_id(text)
    return found and {
        "platform": found.platform,
        "kind": found.kind,
        "id": found.id,
        "canonical": found.canonical,
    }
