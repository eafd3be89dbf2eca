"""keys: many URLs in, as many rows out, in their order."""

import gc
import sys
import threading

import pytest

import urlkey
from interrupts import Interrupt, interrupted

GOOD = "http://example.com/"
BAD = "http://example.com:70000/"


@pytest.fixture(params=[1, 2, 3], ids=lambda n: f"threads={n}")
def threads(request):
    return request.param


def mixed(count: int) -> list[str | bytes]:
    kinds = [
        "http://example.com/{}",
        "HTTP://Example.com/{}?b&a",
        "http://exämple.com/{}#é",
        b"http://example.com/bytes\xff",
    ]
    return [kind if isinstance(kind, bytes) else kind.format(n) for n in range(count // 4) for kind in kinds]


@pytest.mark.parametrize("count", [0, 4, 1024, 5000])
def test_batch_equals_single(threads, count):
    urls = mixed(count)
    assert urlkey.keys(urls, threads=threads) == [urlkey.key(url) for url in urls]


def test_unchanged_rows_are_the_same_objects(threads):
    urls = [f"http://example.com/{n}" for n in range(3000)]
    rows = urlkey.keys(urls, threads=threads)
    assert all(row is url for row, url in zip(rows, urls, strict=True))


@pytest.mark.parametrize("make", [list, tuple, iter, lambda urls: (url for url in urls), dict.fromkeys])
def test_any_iterable_will_do(threads, make):
    urls = ["http://example.com", "http://example.com/a"]
    assert urlkey.keys(make(urls), threads=threads) == ["http://example.com/", "http://example.com/a"]


@pytest.mark.parametrize("text", ["http://example.com/", b"http://example.com/"])
def test_one_url_is_not_taken_for_many(threads, text):
    with pytest.raises(TypeError, match="urls must be an iterable of URLs, not"):
        urlkey.keys(text, threads=threads)


def test_raise_stops_at_the_first_bad_row_and_names_it(threads):
    with pytest.raises(urlkey.UrlKeyError) as error:
        urlkey.keys([GOOD, BAD, "worse"], threads=threads)
    assert error.value.input == BAD
    assert error.value.__notes__ == ["in row 1, counted from 0"]


def test_null_puts_none_in_the_row(threads):
    assert urlkey.keys([GOOD, BAD, GOOD], on_error="null", threads=threads) == [GOOD, None, GOOD]


def test_error_puts_the_error_in_the_row(threads):
    rows = urlkey.keys([GOOD, BAD, "\udc80", GOOD], on_error="error", threads=threads)
    assert [type(row) for row in rows] == [str, urlkey.UrlKeyError, urlkey.UrlKeyError, str]
    assert (rows[1].code, rows[1].at, rows[1].input) == ("port-out-of-range", 19, BAD)
    assert (rows[2].code, rows[2].at) == ("surrogate", 0)


def test_on_error_must_be_known(threads):
    with pytest.raises(ValueError, match="on_error must be 'raise', 'null' or 'error', not \"drop\""):
        urlkey.keys([GOOD], on_error="drop", threads=threads)


def test_an_item_of_another_type_is_a_type_error_that_names_the_row(threads):
    with pytest.raises(TypeError, match=r"urls\[1\] must be str or bytes, not int"):
        urlkey.keys([GOOD, 7], on_error="null", threads=threads)


@pytest.mark.parametrize("threads", [0, -1, -(10**30)])
def test_threads_must_be_positive(threads):
    for keys in (urlkey.keys, urlkey.Policy("safe").keys):
        with pytest.raises(ValueError, match=f"threads must be at least 1, not {threads}"):
            keys([GOOD], threads=threads)


@pytest.mark.parametrize("threads", [10**9, 2**62, 10**30])
def test_a_great_number_of_threads_is_taken_for_the_most(threads):
    assert urlkey.keys([GOOD] * 3000, threads=threads) == [GOOD] * 3000


def test_an_interrupt_is_heard_between_rows(threads):
    urls = ["HTTP://Example.com/?b&a"] * 1_000_000
    with pytest.raises(Interrupt), interrupted():
        urlkey.keys(urls, threads=threads)


def test_an_iterator_that_raises_is_heard(threads):
    def urls():
        yield GOOD
        raise RuntimeError("the source is gone")

    with pytest.raises(RuntimeError, match="the source is gone"):
        urlkey.keys(urls(), threads=threads)


def test_a_list_that_grows_meanwhile_does_no_harm():
    urls = [GOOD] * 10

    def grow():
        for url in urls[:5]:
            urls.append(GOOD)
            yield url

    assert urlkey.keys(grow()) == [GOOD] * 5


def test_no_reference_is_lost_or_kept(threads):
    urls = ["".join(["http://example.com/", str(n)]) for n in range(2000)]
    before = [sys.getrefcount(url) for url in urls]
    rows = urlkey.keys(urls, threads=threads)
    del rows
    gc.collect()
    assert [sys.getrefcount(url) for url in urls] == before


def test_other_threads_run_meanwhile():
    """The GIL is released: a thread that counts gets on while two threads make keys."""
    urls = ["HTTP://example.com/?" + "&".join(f"p{n}={n}" for n in range(50, 0, -1))] * 20_000
    counted = 0
    done = threading.Event()

    def count():
        nonlocal counted
        while not done.is_set():
            counted += 1

    counter = threading.Thread(target=count)
    counter.start()
    at_start = counted
    urlkey.keys(urls, threads=2)
    at_end = counted
    done.set()
    counter.join()
    assert at_end > at_start
