"""Rows that are not held: what goes through files teaches what it would have taught in memory."""

import gc

import pytest

from urlkey.learn import learn


class Text(str):
    """A text of a class of its own, as data frames and parsers hand out."""


class Number(int):
    """A number of a class of its own."""


def rows(text, number):
    """A shop whose colour changes nothing; one fingerprint is beyond 64 bits, one URL has a lone surrogate."""
    for page in range(60):
        content = number(page if page else 2**90)
        for tail in ("", "?color=red", "?color=blue", "?color=\ud800"):
            yield text(f"http://a.example/p/{page}{tail}"), content, 1.5, number(200), None, None, text("en"), False


@pytest.mark.parametrize("held", [1, 100])
def test_rows_of_derived_classes_come_back_from_files_as_they_went(held):
    plain = learn(rows(str, int), budget=0.1)
    assert [rule.rewrite.names for rule in plain.rules] == [("color",)]
    assert learn(rows(str, int), budget=0.1, held=held) == plain
    assert learn(rows(Text, Number), budget=0.1, held=held) == plain


@pytest.mark.parametrize("held", [100, 500_000])
def test_the_collector_is_left_as_it_was_found(held):
    before = gc.get_threshold()
    inside = []
    learn(rows(str, int), budget=0.1, held=held, see=lambda _: inside.append(gc.get_threshold()))
    assert inside[0][0] > before[0]
    assert gc.get_threshold() == before
    gc.set_threshold(0)
    try:
        learn(rows(str, int), budget=0.1, see=lambda _: inside.append(gc.get_threshold()))
        assert inside[-1][0] == gc.get_threshold()[0] == 0
    finally:
        gc.set_threshold(*before)
