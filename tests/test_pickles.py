"""Lists and sets go to other processes by value: through a process that was started anew, and through copies."""

import copy
import hashlib
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor

import pytest

from urlkey.systems.gateway import DIALECTS, Homographs, PatternSet, Rules, check, homograph
from urlkey.systems.reputation import Blocklist

TEXT = Blocklist(["hxxp://evil[.]example/a/", "bad.example", "no entry", "http://b.example/x?y"])
SHA = hashlib.sha256(b"evil.example/").hexdigest()
HEX = Blocklist([SHA, hashlib.sha256(b"bad.example/a").hexdigest()[:8]], version="v4")
URLS = [
    "https://www.evil.example:8080/a/b?c",
    "http://bad.example/a",
    "http://b.example/x?y",
    "http://good.example/",
    "https://www.google.com/url?q=http://bad.example/",
]
CHROME = PatternSet(
    "chrome", ["evil.example", ".b.example/x", "no entry at all", "*"], ["good.example", "evil.example/help"]
)
SQUID = PatternSet("squid", ["dstdomain .bad.example b.example", "url_regex -i EVIL", "dstdomain a..b"])
HOSTS = Homographs(["paypal.com", b"apple.com"])
LOOKALIKES = ["paypa1.com", "xn--80ak6aa92e.com", "apple.com", "example.com"]


def of_list(listed):
    return (
        listed.kind,
        listed.version,
        len(listed),
        listed.errors,
        listed.widths,
        listed.defanged,
        listed.lookup_many(URLS),
    )


def of_set(patterns):
    return patterns.dialect, len(patterns), patterns.errors, patterns.expressions, patterns.match_many(URLS)


def of_hosts(hosts):
    return hosts.check_many(LOOKALIKES)


CASES = {
    "text": (TEXT, of_list),
    "hashes": (HEX, of_list),
    "empty list": (Blocklist(), of_list),
    "chrome": (CHROME, of_set),
    "squid": (SQUID, of_set),
    "empty set": (PatternSet("zscaler"), of_set),
    "homographs": (HOSTS, of_hosts),
    "no homographs": (Homographs(), of_hosts),
}


def asked_elsewhere(case):
    given, ask = case
    return ask(given), multiprocessing.parent_process() is not None


def test_a_process_that_was_started_anew_says_the_same():
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        answers = list(pool.map(asked_elsewhere, CASES.values()))
    for (given, ask), (answer, elsewhere) in zip(CASES.values(), answers, strict=True):
        assert elsewhere
        assert answer == ask(given)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_every_protocol_gives_it_back(name, protocol):
    given, ask = CASES[name]
    once = pickle.loads(pickle.dumps(given, protocol))
    assert ask(once) == ask(given)
    assert ask(pickle.loads(pickle.dumps(once, protocol))) == ask(given)


@pytest.mark.parametrize("name", CASES)
def test_what_never_changes_is_its_own_copy(name):
    given, _ = CASES[name]
    assert copy.copy(given) is given
    assert copy.deepcopy([given])[0] is given


@pytest.mark.parametrize("dialect", DIALECTS)
def test_sets_of_every_dialect_are_pickled(dialect):
    given = PatternSet(dialect, ["b.example", "# nothing", "bad.example"], ["good.example"])
    assert of_set(pickle.loads(pickle.dumps(given))) == of_set(given)


def test_a_set_of_a_file_is_pickled_whatever_its_lines(tmp_path):
    file = tmp_path / "list.txt"
    file.write_bytes(b"\xef\xbb\xbfb.example\r\n\xff\nbad.example")
    given = PatternSet.load("zscaler", file)
    assert [error.line for error in given.errors] == [2]
    assert of_set(pickle.loads(pickle.dumps(given))) == of_set(given)


@pytest.mark.parametrize("given", [TEXT, CHROME])
def test_a_pickle_of_another_form_is_refused(given):
    make, (form, *rest) = given.__reduce__()
    with pytest.raises(ValueError, match=f"form {form + 1}; this urlkey reads {form}"):
        make(form + 1, *rest)


def test_bytes_that_are_no_list_are_refused():
    make, (form, table, *rest) = TEXT.__reduce__()
    for bad in (b"", table[:-1], table + b"x", b"x" + table):
        with pytest.raises(ValueError, match="no blocklist of this version of urlkey"):
            make(form, bad, *rest)


@pytest.mark.parametrize(
    "record",
    [
        TEXT.lookup(URLS[4]),
        CHROME.match(URLS[0]),
        HOSTS.check(LOOKALIKES[0]),
        homograph("example.com"),
        check("https://www.google.com/url?q=http://localhost/"),
        Rules(ports=[443], allow=["10.1.0.0/16"]),
    ],
    ids=lambda record: type(record).__name__,
)
def test_what_they_say_is_pickled_and_copied(record):
    assert pickle.loads(pickle.dumps(record)) == record
    assert copy.deepcopy(record) == record
