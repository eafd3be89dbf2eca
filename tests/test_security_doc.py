"""docs/security.md: strings tried, and what Python's clients make of each. Written anew by
`URLKEY_WRITE_DOCS=1 python -m pytest tests/test_security_doc.py`, which runs the clients."""

import os
import platform
import re
from datetime import date
from pathlib import Path

import suites
from destinations import CLIENTS, Reached, dialled, reached, versions
from urlkey.systems import gateway

PAGE = Path(__file__).parents[1] / "docs" / "security.md"
BEGIN = "<!-- generated: strings tried, by URLKEY_WRITE_DOCS=1 python -m pytest tests/test_security_doc.py -->\n"
END = "<!-- end of generated -->\n"

STRINGS = list(
    dict.fromkeys(row["url"] for row in suites.own("ssrf_differentials.jsonl") + suites.own("gateway.jsonl"))
)


def quoted(url: str) -> str:
    """A string for a cell of a table in Markdown: what cannot be seen is escaped as in Python."""
    text = "".join(c if c.isprintable() and c != "\u202e" else ascii(c)[1:-1] for c in url)
    text = f"\\x20{text[1:]}" if text.startswith(" ") else text
    fence = "``" if "`" in text else "`"
    return f"{fence}{text.replace('|', chr(92) + '|')}{fence}"


def verdict_cells(url: str) -> tuple[str, str]:
    """What strict and lenient checks say: the host, or the codes."""

    def cell(verdict: gateway.Verdict) -> str:
        codes = " ".join(reason.code for reason in verdict.reasons)
        return f"**{verdict.host}**" if verdict else codes

    return cell(gateway.check(url)), cell(gateway.check(url, strict=False))


def client_cell(there: Reached) -> str:
    """Where a client would have connected to: an address, a name, or what it raised."""
    if there.host is None:
        return f"*{there.error}*"
    host = where(there)
    return quoted(host + ("" if there.port in (80, 443) else f" port {there.port}"))


def where(there: Reached) -> str:
    try:
        return dialled(there.host or "")
    except UnicodeError:
        return there.host or ""


def table() -> str:
    """The generated part of the page."""
    rows, split = [], 0
    for url in STRINGS:
        found = [reached(client, url) for client in CLIENTS]
        split += len({where(there) for there in found if there.host}) > 1
        rows.append(f"| {' | '.join([quoted(url), *verdict_cells(url), *map(client_cell, found)])} |")
    strict = sum(bool(gateway.check(url)) for url in STRINGS)
    lenient = sum(bool(gateway.check(url, strict=False)) for url in STRINGS)
    tried = len(STRINGS)
    with_versions = ", ".join(f"{name} {number}" for name, number in versions().items())
    return "\n".join(
        [
            f"{date.today()}, CPython {platform.python_version()}, {with_versions}.",
            "",
            f"{tried} strings tried. Strict checks refuse {tried - strict} and accept {strict}; lenient checks refuse",
            f"{tried - lenient} and accept {lenient}, repaired. The clients ask for different hosts at {split},",
            "and at none of those that strict checks accept.",
            "",
            f"| string | strict | lenient | {' | '.join(CLIENTS)} |",
            f"|{'---|' * (3 + len(CLIENTS))}",
            *rows,
            "",
        ]
    )


def generated() -> str:
    page = PAGE.read_text(encoding="utf-8")
    return page.partition(BEGIN)[2].partition(END)[0]


def test_the_table_is_as_the_checks_are():
    """Refused and accepted are held to the code; the clients' columns are of the versions named."""
    if os.environ.get("URLKEY_WRITE_DOCS"):
        page = PAGE.read_text(encoding="utf-8")
        before, after = page.partition(BEGIN)[0], page.partition(END)[2]
        PAGE.write_text(f"{before}{BEGIN}{table()}{END}{after}", encoding="utf-8")
    lines = [line for line in generated().splitlines() if line.startswith("| `")]
    assert [tuple(line.split(" | ")[:3]) for line in lines] == [
        (f"| {quoted(url)}", *verdict_cells(url)) for url in STRINGS
    ]


def test_the_counts_are_those_of_the_table():
    tried, refused, accepted = re.search(
        r"(\d+) strings tried\. Strict checks refuse (\d+) and accept (\d+)", generated()
    ).groups()
    verdicts = [bool(gateway.check(url)) for url in STRINGS]
    assert (int(tried), int(refused), int(accepted)) == (len(verdicts), verdicts.count(False), verdicts.count(True))


def test_clients_of_today_reach_the_accepted_hosts():
    """Whatever their versions: what was accepted leads where the table says."""
    for url in STRINGS:
        if verdict := gateway.check(url):
            for client in CLIENTS:
                there = reached(client, url)
                assert there.host is None or where(there) == verdict.host, (client, url)
