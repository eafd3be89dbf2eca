"""The example crawl as docs/crawling.md shows it: the whole shop, by plain Scrapy and by the add-on."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MARKS = "<!-- generated: python examples/scrapy/run.py -->\n", "<!-- end of generated -->"
NUMBER = re.compile(r"\b\d[\d,]*\b")


@pytest.mark.service
def test_the_figures_in_the_docs_are_those_of_the_example():
    page = (ROOT / "docs" / "crawling.md").read_text(encoding="utf-8")
    shown = page.partition(MARKS[0])[2].partition(MARKS[1])[0].strip().splitlines()
    command = [sys.executable, str(ROOT / "examples" / "scrapy" / "run.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=1_800)
    told = done.stdout.strip().splitlines()
    assert [NUMBER.sub("#", line) for line in told] == [NUMBER.sub("#", line) for line in shown]
    for line, other in zip(told, shown, strict=True):
        if "second crawl" not in line and "by the second" not in line and "a key that had come" not in line:
            assert line == other
    # What the second crawl spares of products with a wrong tag depends on what evidence is worth.
    crawls = [[cell.strip() for cell in line.split("|")[1:-1]] for line in told[2:5]]
    assert [(cells[2], cells[3], cells[4]) for cells in crawls[1:]] == [("200", "0", "8"), ("200", "0", "1")]
    fetches = [[int(line.split("|")[2].replace(",", "")) for line in lines[2:5]] for lines in (told, shown)]
    assert fetches[0][2] == pytest.approx(fetches[1][2], rel=0.15)
