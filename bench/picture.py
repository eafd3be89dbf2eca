"""Draws parts of a record as bars: docs/images/PART.svg, each with the record's name in it.

    python bench/picture.py bench/record/2026-11-30-bench.json

A bar is as long as its figure, from zero. Colours are those of the reader's system, light or dark. Knows records alone,
not how they were measured.
"""

import argparse
import json
import sys
from html import escape
from pathlib import Path

import corpora

IMAGES = corpora.ROOT / "docs" / "images"

# Part: what it shows, the corpus if it has several, and the panels: what the figure is called, its key, how it is said.
PARTS = {
    "calls": ("One URL, one call from Python", "messy", [("ns a URL, median", "median", "{:,.0f}")]),
    "columns": (
        "A column of URLs, one thread",
        "messy",
        [("ns a URL, median", "median", "{:,.0f}"), ("bytes of memory a URL", "bytes", "{:,.0f}")],
    ),
    "dedupe": (
        "{lines:,} lines, each key once",
        None,
        [("seconds, median", "median", "{:,.1f}"), ("MiB at most", "peak", "{:,.0f}")],
    ),
    "scale": (
        "{lines:,} lines, each key once, on two cores",
        None,
        [("seconds", "median", "{:,.1f}"), ("MiB at most", "peak", "{:,.0f}")],
    ),
}

WIDTH, LEFT, RIGHT, TOP, ROW, BAR = 800, 262, 16, 78, 24, 14
# Beside a bar there must be room for its figure.
LABEL = 62

STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .paper { fill: #ffffff; stroke: #d0d7de }
  .title { font-size: 16px; font-weight: 600 }
  .small { font-size: 11px; fill: #59636e }
  .other { fill: #8c959f }
  .urlkey { fill: #0969da }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .paper { fill: #0d1117; stroke: #3d444d }
    .small { fill: #9198a1 }
    .other { fill: #656c76 }
    .urlkey { fill: #4493f8 }
  }
"""


def figures(record, part):
    """[(engine, its row)] of a part, the fastest first."""
    corpus = PARTS[part][1]
    table = record[part][corpus] if corpus else record[part]
    rows = [(name, row) for name, row in table.items() if isinstance(row, dict) and "median" in row]
    return sorted((row for row in rows if not row[0].startswith("floor")), key=lambda row: row[1]["median"])


def text(x, y, words, kind=None, end=False):
    """A text element."""
    look = (f' class="{kind}"' if kind else "") + (' text-anchor="end"' if end else "")
    return f'<text x="{x}" y="{y}"{look}>{escape(words)}</text>'


def panel(rows, left, width, heading, key, form):
    """One figure of all engines, as bars from `left` on."""
    out = [text(left, TOP - 12, heading, "small")]
    most = max((row.get(key, 0) for _, row in rows), default=0) or 1
    for i, (name, row) in enumerate(rows):
        if key not in row:
            continue
        y, long = TOP + i * ROW, round(max(1, row[key] / most * (width - LABEL)), 1)
        kind = "urlkey" if name.startswith("urlkey") else "other"
        out.append(f'<rect class="{kind}" x="{left}" y="{y}" width="{long}" height="{BAR}" rx="2"/>')
        out.append(text(round(left + long + 6, 1), y + 12, form.format(row[key])))
    return out


def picture(record, part, name):
    """The SVG of a part of the record of this name."""
    title, corpus, panels = PARTS[part]
    rows = figures(record, part)
    panels = [panel for panel in panels if any(panel[1] in row for _, row in rows)]
    height = TOP + len(rows) * ROW + 14
    title = title.format(**record[part]) + (f", corpus {corpus}" if corpus else "")
    source = (
        f"bench/record/{name}.json, {record['date']}; {record['machine']['cores']} cores, {record['machine']['cpu']}"
    )
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"',
        f' role="img" aria-label="{escape(title)}">',
        f"<desc>{escape(name)}</desc>",
        f"<style>{STYLE}</style>",
        f'<rect class="paper" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="6"/>',
        text(16, 26, title, "title"),
        text(16, 44, source, "small"),
    ]
    out += [text(LEFT - 10, TOP + i * ROW + 12, name, end=True) for i, (name, _) in enumerate(rows)]
    width = (WIDTH - LEFT - RIGHT) // len(panels)
    for i, (heading, key, form) in enumerate(panels):
        out += panel(rows, LEFT + i * width, width, heading, key, form)
    return "\n".join([*out, "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", nargs="+", type=Path, metavar="RECORD")
    IMAGES.mkdir(exist_ok=True)
    for path in parser.parse_args().records:
        record = json.loads(path.read_text(encoding="utf-8"))
        for part in PARTS.keys() & record.keys():
            target = IMAGES / f"{part}.svg"
            target.write_text(picture(record, part, path.stem), encoding="utf-8")
            print(f"wrote {target.relative_to(corpora.ROOT)}", file=sys.stderr)


if __name__ == "__main__":
    main()
