"""Hosts that look like others: what a caller meets, and the labels of browsers' tests beside the project. More hosts
are in the core's tests."""

import doctest
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

import suites
import urlkey
import verdicts
from urlkey import UrlKeyError
from urlkey.systems.gateway import homographs
from urlkey.systems.gateway.homographs import REASONS, Homograph, Homographs, homograph, skeleton
from verdicts import Row, differ

NAMES = ["apple.com", "paypal.com", "microsoft.com"]


def test_docstrings():
    assert doctest.testmod(homographs).failed == 0


def test_whole_script_confusables_are_caught():
    for host in ("аррӏе.com", "xn--80ak6aa92e.com", b"xn--80ak6aa92e.com", "www.аррӏе.com."):
        found = homograph(host, NAMES)
        assert found.lookalike_of == "apple.com"
        assert found.reasons == ("lookalike", "whole-script-confusable")
        assert found.whole_script_confusable is True
    assert found.host == "www.аррӏе.com"
    assert found.skeleton == skeleton("www.apple.com")
    assert (found.restriction_level, found.scripts) == ("single-script", ("Latin", "Cyrillic"))


@pytest.mark.parametrize("host", ["paypa1.com", "rnicrosoft.com", "pаypal.com", "micr0soft.com", "páypal.com"])
def test_lookalikes_in_ascii_and_in_mixed_scripts_are_caught(host):
    assert homograph(host, NAMES).lookalike_of in NAMES
    assert "lookalike" in homograph(host, NAMES).reasons
    assert homograph(host).lookalike_of is None


@pytest.mark.parametrize(
    "host", ["日本語.jp", "中文.com", "müller.de", "пример.com", "apple.com", "a.apple.com", "10.0.0.1"]
)
def test_plain_names_have_no_reasons(host):
    found = homograph(host, NAMES)
    assert (found.reasons, found.lookalike_of, found.whole_script_confusable) == ((), None, False)


def test_labels_of_browsers_tests():
    def judge(row: Row):
        forms = [f"{row['label']}.com"]
        if row["punycode"] == row["punycode_recomputed"] == row["idna_uts46_2008"]:
            forms.append(f"{row['punycode']}.com")
        return differ([homograph(form).reasons == () for form in forms], [row["safe_to_show_as_unicode"]] * len(forms))

    rows = suites.shared_list("domains/ssrf_differentials.json", "homographs")
    verdicts.hold("domains/ssrf_differentials.homographs", rows, judge)


def test_records_are_values():
    found = homograph("аррӏе.com", NAMES)
    assert pickle.loads(pickle.dumps(found)) == found
    assert hash(found) == hash(homograph("аррӏе.com", NAMES))
    assert repr(found) == "<Homograph 'аррӏе.com' reasons=('lookalike', 'whole-script-confusable')>"
    assert isinstance(found, Homograph)
    assert set(found.reasons) <= set(REASONS)


def test_many_hosts_have_a_row_each():
    listed = Homographs(NAMES)
    hosts = ["apple.com", b"paypa1.com", "a b", "\ud800", b"\xff.com"]
    rows = listed.check_many(iter(hosts), on_error="error")
    assert [row.code if isinstance(row, UrlKeyError) else row.lookalike_of for row in rows] == [
        *(None, "paypal.com", "domain-invalid-code-point", "surrogate", "not-utf8")
    ]
    with pytest.raises(UrlKeyError) as raised:
        listed.check_many(hosts)
    assert raised.value.__notes__ == ["in row 2, counted from 0"]
    with pytest.raises(ValueError, match="on_error must be 'raise' or 'error', not 'null'"):
        listed.check_many(hosts, on_error="null")


def test_what_is_asked_for_wrongly_is_an_error():
    with pytest.raises(UrlKeyError) as raised:
        Homographs(["apple.com", "a b"])
    assert (raised.value.input, raised.value.__notes__) == ("a b", ["in row 1, counted from 0"])
    for wrong in ("apple.com", 3, [3]):
        with pytest.raises(TypeError):
            homograph("a.example", wrong)
    with pytest.raises(TypeError):
        homograph(3)


LABELS = st.text("aе1lорvwrnm0-üə日本ノ\u0301", min_size=1, max_size=9)


@given(LABELS, LABELS)
def test_a_lookalike_is_another_name_with_the_same_skeleton_or_less(one, other):
    try:
        listed = Homographs([f"{one}.com"])
        found = listed.check(f"{other}.com")
    except UrlKeyError:
        return
    ascii = [urlkey.parse(f"http://{label}.com/").hostname for label in (one, other)]
    if ascii[0] == ascii[1]:
        assert found.lookalike_of is None
    elif skeleton(listed.check(f"{one}.com").host) == found.skeleton:
        assert found.lookalike_of == f"{one}.com"
    assert ("lookalike" in found.reasons) is (found.lookalike_of is not None)
