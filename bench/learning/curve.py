"""Draws docs/images/learning.svg from two records of `evaluate.py`: duplicates removed against the bound of wrong
merges, ours over all budgets and every baseline.

    python bench/learning/curve.py bench/record/DATE-learning-full.json bench/record/DATE-learning-compared.json

Knows records alone, not how they were measured."""

import argparse
import json
import math
import sys
from html import escape
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))

from picture import IMAGES, STYLE, text

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 800, 430, 60, 20, 74, 54
# Decades of the bound that are shown.
LOW, HIGH = -5, 0
LINES = """
  .axis { stroke: #d0d7de }
  .held { stroke: #0969da; stroke-dasharray: 4 4 }
  .curve { fill: none; stroke: #0969da; stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    .axis { stroke: #3d444d }
    .held, .curve { stroke: #4493f8 }
  }
"""


def x_of(bound):
    place = (math.log10(max(bound, 10**LOW)) - LOW) / (HIGH - LOW)
    return round(LEFT + place * (WIDTH - LEFT - RIGHT), 1)


def y_of(removed):
    return round(HEIGHT - BOTTOM - removed * (HEIGHT - TOP - BOTTOM), 1)


def line(x1, y1, x2, y2, kind):
    return f'<line class="{kind}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'


def dot(row, kind):
    return f'<circle class="{kind}" cx="{x_of(row["upper"])}" cy="{y_of(row["removed"])}" r="4"/>'


def percent(rate):
    return f"{100 * rate:g} %"


def axes():
    out = []
    for tenth in range(0, 11, 2):
        y = y_of(tenth / 10)
        out += [line(LEFT, y, WIDTH - RIGHT, y, "axis"), text(LEFT - 8, y + 4, f"{10 * tenth} %", "small", end=True)]
    for power in range(LOW, HIGH + 1):
        out.append(
            text(x_of(10.0**power) - (26 if power == HIGH else 12), HEIGHT - BOTTOM + 18, percent(10.0**power), "small")
        )
    out.append(line(x_of(1e-4), TOP, x_of(1e-4), HEIGHT - BOTTOM, "held"))
    return [*out, text(LEFT, HEIGHT - 14, "wrong merges among all merges, at most (95 %)", "small")]


def labels(rows):
    """A name beside each dot, moved down where it would stand on another, left out where it would stand far off."""
    out, taken = [], []
    for row in sorted(rows, key=lambda row: -row["removed"]):
        x, y = x_of(row["upper"]), y_of(row["removed"])
        while any(abs(y - other) < 12 and abs(x - there) < 190 for there, other in taken):
            y += 12
        if y - y_of(row["removed"]) < 26:
            taken.append((x, y))
            out.append(text(x - 8, y + 4, row["name"], "small", end=True))
    return out


def picture(full, compared, source):
    """The SVG. Baselines are those that merge anything; what merges nothing has no rate."""
    title = "Duplicates removed, by what is risked: simulated crawls, rules of the first 60 % on the URLs after it"
    curve = [row for row in full["curve"] if row["rules"]]
    others = [row for row in compared["baselines"] if row["merges"]]
    points = " ".join(f"{x_of(row['upper'])},{y_of(row['removed'])}" for row in curve)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"',
        f' role="img" aria-label="{escape(title)}">',
        f"<desc>{escape(source)}</desc>",
        f"<style>{STYLE}{LINES}</style>",
        f'<rect class="paper" x="0.5" y="0.5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="6"/>',
        text(16, 26, "Duplicates removed, by what is risked", "title"),
        text(16, 44, source, "small"),
        *axes(),
        *(dot(row, "other") for row in others),
        *labels(others),
        f'<polyline class="curve" points="{points}"/>',
    ]
    for row in curve:
        out.append(dot(row, "urlkey"))
    ours = {row["budget"]: row for row in curve}
    for budget in (1e-5, 1e-4, 1e-3):
        if budget in ours:
            row = ours[budget]
            out.append(text(x_of(row["upper"]) + 9, y_of(row["removed"]) + 16, f"budget {percent(budget)}"))
    return "\n".join([*out, "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("full", type=Path, metavar="FULL")
    parser.add_argument("compared", type=Path, metavar="COMPARED")
    args = parser.parse_args()
    full, compared = (json.loads(path.read_text(encoding="utf-8")) for path in (args.full, args.compared))
    source = f"blue: {args.full.name}, {full['hosts']:,} hosts; grey: {args.compared.name}, {compared['hosts']:,} hosts"
    IMAGES.mkdir(exist_ok=True)
    (IMAGES / "learning.svg").write_text(picture(full, compared, source), encoding="utf-8")
    print("wrote docs/images/learning.svg", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
