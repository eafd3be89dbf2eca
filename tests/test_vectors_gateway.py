"""urlkey.systems.gateway over strings that parsers read differently."""

import pytest

import suites
import urlkey
from urlkey.systems import gateway

DIFFERENTIALS = suites.own("ssrf_differentials.jsonl")
ROWS = suites.own("gateway.jsonl")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["url"])
def test_each_string_is_accepted_or_refused_for_its_reasons(row):
    verdict = gateway.check(row["url"])
    assert (verdict.href, [reason.code for reason in verdict.reasons]) == (row.get("href"), row.get("codes", []))


def test_the_copy_of_the_differentials_is_whole():
    shared = suites.shared_list("domains/ssrf_differentials.json", "vectors")
    assert [row["url"] for row in DIFFERENTIALS] == [row["url"] for row in shared]
    assert [row["different"] for row in DIFFERENTIALS] == [row["different_destination"] for row in shared]


@pytest.mark.parametrize("row", DIFFERENTIALS, ids=lambda row: repr(row["url"]))
def test_what_is_accepted_leads_where_all_parsers_that_take_it_lead(row):
    verdict = gateway.check(row["url"])
    if row["different"]:
        assert not verdict
    if verdict:
        assert [verdict.host] == row["dialled"]


@pytest.mark.parametrize("row", DIFFERENTIALS, ids=lambda row: repr(row["url"]))
def test_a_lenient_check_takes_the_standards_side(row):
    verdict = gateway.check(row["url"], strict=False)
    if verdict:
        assert verdict.href == urlkey.parse(row["url"]).href
        assert verdict.host.removesuffix(".") in row["dialled"]


def test_the_odd_ones_of_each_class_are_refused():
    """What a strict check lets through of the differentials, in full: nothing odd is in it."""
    assert [row["url"] for row in DIFFERENTIALS if gateway.check(row["url"])] == [
        "http://good.example/",
        "http://evil.example/@good.example/",
        "http://аррӏе.com/",  # noqa: RUF001
        "http://xn--80ak6aa92e.com/",
        "http://a_b.example/",
        "http://EVIL.Example/",
    ]


def test_no_spelling_of_a_private_address_is_accepted():
    rows = suites.shared_list("domains/private_forms.json", "vectors")
    accepted = [row for row in rows for strict in (True, False) if gateway.check(f"http://{row['host']}/", strict)]
    public = {row["host"] for row in rows if row["class"] == "public"}
    # 1.2.3.4x is a name; 010.0.0.1 is 8.0.0.1 by the Standard.
    assert {"8.8.8.8", "010.0.0.1", "1.2.3.4x"} <= {row["host"] for row in accepted} <= public | {"1.2.3.4x"}
