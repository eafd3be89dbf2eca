"""The parser against two builds of Ada over generated and mutated URLs. What they differ in is listed in
`ada_differences.jsonl`, with the clause that decides; a difference that is not listed fails, and so does a listed one
that is gone."""

from random import Random

import pytest

import suites
from fuzz import ada, generate

LISTED = suites.rows(suites.OWN.parent / "ada_differences.jsonl")
TEXTS = 20_000


@pytest.mark.parametrize("row", LISTED, ids=[f"{row['theirs_is']}-{row['class']}" for row in LISTED])
def test_every_listed_difference_still_occurs(row):
    found = {difference.theirs_is: difference for difference in ada.differences(row["input"])}
    difference = found[row["theirs_is"]]
    assert difference.name == row["class"]
    assert (difference.theirs.href if difference.theirs else None) == row["theirs"]
    assert row["why"]
    assert row["source"].startswith("https://url.spec.whatwg.org/#")


def test_every_class_is_listed():
    named = {(reader, name) for reader, classes in ada.CLASSES.items() for name in classes}
    assert named == {(row["theirs_is"], row["class"]) for row in LISTED}


def test_generated_texts_differ_as_listed():
    random = Random(31)
    texts = [(generate.text(random), generate.base(random)) for _ in range(TEXTS)]
    found = [difference for text, base in texts for difference in ada.differences(text, base)]
    assert [difference for difference in found if difference.name is None] == []
    # Most texts are URLs, and not all are: the comparison is about both.
    assert TEXTS // 3 < sum(ada.ours(*text) is not None for text in texts) < TEXTS * 9 // 10


def test_generated_texts_with_lone_surrogates_are_no_urls():
    assert all(ada.ours(text) is None for text in ("http://a.example/\ud800", "\udfff"))
