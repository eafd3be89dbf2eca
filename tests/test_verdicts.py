"""The lists of disagreements hold the suites: nothing is passed over in silence."""

import json

import pytest

import verdicts

WHY = {"ours": 1, "theirs": 2, "why": "a clause"}


def judge(row):
    if "none" in row:
        raise verdicts.NotApplicable(row["none"])
    return row.get("verdict")


def rows(n, *odd):
    return [*odd, *({"id": f"agrees-{i}"} for i in range(n))]


@pytest.fixture
def lists(tmp_path, monkeypatch):
    monkeypatch.setattr(verdicts, "LISTS", tmp_path)

    def write(differing=(), not_applicable=()):
        for name, entries in {"suite": differing, "not_applicable": not_applicable}.items():
            (tmp_path / f"{name}.jsonl").write_text("".join(f"{json.dumps(entry)}\n" for entry in entries))

    write()
    return write


ODD = {"id": "odd", "input": "x", "verdict": (1, 2)}


def test_a_suite_that_agrees_holds():
    # With the lists of the project: this suite has none.
    verdicts.hold("no such suite", rows(3), judge)


def test_a_disagreement_must_be_listed(lists):
    with pytest.raises(AssertionError, match="odd: 'x' gives 1, not 2"):
        verdicts.hold("suite", rows(50, ODD), judge)
    lists([{"id": "odd", **WHY}])
    verdicts.hold("suite", rows(50, ODD), judge)


@pytest.mark.parametrize(
    ("listed", "message"),
    [
        ({"id": "agrees-1", **WHY}, "agrees-1: listed as a disagreement, but it agrees"),
        ({"id": "gone", **WHY}, "gone: listed, but no such row"),
        ({"id": "odd", **WHY, "ours": 3}, "the list says 3"),
        ({"id": "odd", **WHY, "why": ""}, "gives no clause"),
    ],
)
def test_a_stale_list_fails(lists, listed, message):
    lists([listed])
    with pytest.raises(AssertionError, match=message):
        verdicts.hold("suite", rows(50, ODD), judge)


def test_disagreements_are_capped(lists):
    lists([{"id": "odd", **WHY}])
    with pytest.raises(AssertionError, match="1 disagreements of 49 rows"):
        verdicts.hold("suite", rows(48, ODD), judge)


def test_rows_that_do_not_apply_are_counted(lists):
    other = [{"id": "other", "none": "another operation"}]
    with pytest.raises(AssertionError, match="1 rows do not apply, not 0: another operation"):
        verdicts.hold("suite", rows(3) + other, judge)
    lists(not_applicable=[{"suite": "suite", "reason": "another operation", "count": 1}])
    verdicts.hold("suite", rows(3) + other, judge)
    with pytest.raises(AssertionError, match="no row, not 1: another operation"):
        verdicts.hold("suite", rows(3), judge)


def test_a_row_that_is_listed_as_not_applicable_must_disagree(lists):
    lists(not_applicable=[{"suite": "suite", "reason": "an option", "count": 1, "ids": ["agrees-0"]}])
    with pytest.raises(AssertionError, match="agrees-0: listed as not applicable, but it agrees"):
        verdicts.hold("suite", rows(3), judge)
