"""The pictures of the documentation are drawn from the records that they name, and show what those say."""

import json
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "bench"))

import picture  # noqa: E402, after its folder is known

# Those of bench/picture.py; other scripts draw others.
IMAGES = [image for image in sorted((ROOT / "docs" / "images").glob("*.svg")) if image.stem in picture.PARTS]
SVG = "{http://www.w3.org/2000/svg}"


def record_of(image: Path) -> tuple[str, dict]:
    name = ElementTree.parse(image).findtext(f"{SVG}desc")
    return name, json.loads((ROOT / "bench" / "record" / f"{name}.json").read_text(encoding="utf-8"))


def test_there_are_pictures():
    assert {"dedupe", "calls", "columns"} <= {image.stem for image in IMAGES}


@pytest.mark.parametrize("image", IMAGES, ids=lambda image: image.stem)
def test_a_picture_is_that_of_the_record_it_names(image):
    name, record = record_of(image)
    assert picture.picture(record, image.stem, name) == image.read_text(encoding="utf-8"), "see bench/picture.py"


@pytest.mark.parametrize("image", IMAGES, ids=lambda image: image.stem)
def test_every_engine_has_its_figure_and_a_bar_of_that_length(image):
    _, record = record_of(image)
    corpus, panels = picture.PARTS[image.stem][1:]
    table = record[image.stem][corpus] if corpus else record[image.stem]
    drawn = ElementTree.parse(image)
    words = [element.text for element in drawn.iter(f"{SVG}text")]
    bars = [float(bar.get("width")) for bar in drawn.iter(f"{SVG}rect") if bar.get("class") in ("urlkey", "other")]
    engines = {n: row for n, row in table.items() if isinstance(row, dict) and "median" in row and "floor" not in n}
    shown = [(form.format(row[key]), row[key]) for _, key, form in panels for row in engines.values() if key in row]
    assert len(bars) == len(shown) >= 4
    assert set(engines) <= set(words)
    assert {said for said, _ in shown} <= set(words)
    # The longest bar of a panel is that of its largest figure; the others are to scale.
    for _, key, _ in panels:
        values = sorted(row[key] for row in engines.values() if key in row)
        part, bars = sorted(bars[: len(values)]), bars[len(values) :]
        for value, bar in zip(values, part, strict=True):
            assert bar == pytest.approx(max(1, part[-1] * value / values[-1]), abs=0.1)


@pytest.mark.parametrize("image", IMAGES, ids=lambda image: image.stem)
def test_every_picture_is_shown_in_the_documentation(image):
    pages = [ROOT / "README.md", ROOT / "bench" / "README.md", *(ROOT / "docs").glob("*.md")]
    assert any(re.search(rf"!\[.+\]\((docs/|\.\./docs/)?images/{image.name}\)", page.read_text()) for page in pages)


def test_a_picture_reads_in_light_and_dark():
    assert "prefers-color-scheme: dark" in picture.STYLE
    classes = {name for image in IMAGES for name in re.findall(r'class="(\w+)"', image.read_text(encoding="utf-8"))}
    light, dark = picture.STYLE.split("@media")
    coloured = {"paper", "small", "other", "urlkey"}
    assert classes == coloured | {"title"}
    assert all(f".{name} " in light and f".{name} " in dark for name in coloured)
