"""What the tests of archives' own tools say of keys, ranges, bodies and dates, as rows; each row names its source."""

import pytest

import suites
from urlkey.systems import archive


@pytest.mark.parametrize("row", suites.own("archive.jsonl"), ids=lambda row: f"{row['call']} {row['arguments'][0]}")
def test_what_archives_tools_assert(row):
    arguments = row["arguments"]
    if row["call"] == "post_append":
        # A body is bytes, written as the first 256 letters of Unicode.
        arguments = [*arguments[:-1], arguments[-1].encode("latin-1")]
    found = getattr(archive, row["call"])(*arguments, **row["options"])
    assert (list(found) if isinstance(found, tuple) else found) == row["expected"], row["why"]
