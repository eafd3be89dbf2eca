"""`urlkey social`: what links to social platforms point at."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from urlkey.cli.lines import add_lines, run_lines

EPILOG = """\
Platform, kind, id and canonical URL, with tabs between; an empty line where a link
points at nothing that is known. --json has key (what to group by), content and is_part too.
example: urlkey social 'https://youtu.be/dQw4w9WgXcQ?si=abc'"""

__all__ = ["add_arguments", "run"]


def add_arguments(command: argparse.ArgumentParser) -> None:
    add_lines(command, "URL", without="identity")


def run(args: argparse.Namespace) -> int:
    return run_lines(args, _rows, columns=("platform", "kind", "id", "canonical"), needs="platform")


def _rows(urls: Sequence[str | bytes]) -> list[dict[str, Any]]:
    from urlkey.systems.social import social_ids

    return [
        {
            "platform": found and found.platform,
            "kind": found and found.kind,
            "id": found and found.id,
            "canonical": found and found.canonical,
            "key": found and found.key,
            "content": dict(found.content) if found else {},
            "is_part": found.is_part if found else False,
        }
        for found in social_ids(urls)
    ]
