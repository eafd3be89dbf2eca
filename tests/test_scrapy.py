"""The parts of the Scrapy add-on, each by itself: fingerprints, filter, journal, links, settings. Crawls are in
test_scrapy_crawl.py."""

import itertools
import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy import FormRequest, Request
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor
from scrapy.settings import Settings
from scrapy.spiders import Spider
from scrapy.utils import request as scrapy_request
from scrapy.utils.test import get_crawler

import urlkey
from urlkey.evidence import Recorder, from_response, settle_store
from urlkey.scrapy import Addon, KeyDupeFilter, KeyFingerprinter, KeyLinkExtractor, KeyScheduler, fingerprint
from urlkey.scrapy.confirm import compare, confirmed
from urlkey.scrapy.crawl import Crawl
from urlkey.scrapy.dupefilter import INSTEAD_OF
from urlkey.scrapy.journal import Journal
from urlkey.store import Seen, Store, StoreError

A, A2, B = "http://a.example/?b=1&a=2", "http://A.example:80/?a=2&utm_source=x&b=1#top", "http://b.example/"
CRAWL = urlkey.Policy("crawl")


def crawler(**settings) -> Crawler:
    return get_crawler(settings_dict={"ADDONS": {"urlkey.scrapy.Addon": 500}, **settings})


# --- fingerprints


def test_the_fingerprint_of_a_get_is_the_digest_of_its_key():
    for request in (Request(A), Request(A2), Request(A, headers={"Accept-Language": "de"}), Request(A, body="")):
        assert fingerprint(request, CRAWL) == urlkey.digest(A)
        assert KeyFingerprinter().fingerprint(request) == urlkey.digest(A)


REQUESTS = [
    Request(A),
    Request(A, method="HEAD"),
    Request(A, method="POST"),
    Request(A, method="POST", body=b"x"),
    Request(A, method="POST", body="x"),
    Request(A, body=b"x"),
    Request(A, method="PUT", body=b"\xff\0"),
    Request(A, headers={"X-Api": "1"}),
    Request(A, headers={"x-api": ["1", "2"]}),
    Request(A, headers={"X-Api": "1", "Accept": "text/html"}),
    Request(A, headers={"Cookie": "a=b"}),
    Request(A, cookies={"a": "b"}),
    FormRequest(A, formdata={"q": "x"}),
    FormRequest(A, formdata={"q": "y"}),
    Request(A, meta={"verbatim_url": True}),
    Request(A2, meta={"verbatim_url": True}),
    Request(urlkey.key(A), meta={"verbatim_url": True}),
    Request(B),
    Request(B, method="POST"),
]


@pytest.mark.parametrize("headers", [(), ("X-Api",), (b"x-api", b"Accept"), ("Cookie", "X-None")])
def test_requests_differ_where_scrapy_tells_them_apart(headers):
    """The URLs are such that their keys are equal where w3lib's forms are."""
    theirs = [scrapy_request.fingerprint(request, include_headers=headers) for request in REQUESTS]
    ours = [fingerprint(request, CRAWL, headers) for request in REQUESTS]
    for one, other in itertools.combinations(range(len(REQUESTS)), 2):
        assert (ours[one] == ours[other]) == (theirs[one] == theirs[other]), (REQUESTS[one], REQUESTS[other])


@given(
    st.sampled_from(REQUESTS), st.sampled_from([A, A2, "http://a.example/?a=2&b=1#bottom", "HTTP://a.example?b=1&a=2"])
)
def test_any_spelling_of_the_url_gives_the_same_fingerprint(request, url):
    if not request.meta.get("verbatim_url") and request.url == A:
        assert fingerprint(request.replace(url=url), CRAWL) == fingerprint(request, CRAWL)


def test_a_url_without_a_key_has_a_fingerprint_of_its_own():
    one, other = Request("http://a^b.example/"), Request("http://a^b.example/x")
    assert urlkey.keys([one.url], on_error="null") == [None]
    assert fingerprint(one, CRAWL) != fingerprint(other, CRAWL)
    assert len(fingerprint(one.replace(method="POST"), CRAWL)) == 16


def test_headers_count_where_a_subclass_says_so():
    class WithLanguage(KeyFingerprinter):
        include_headers = ("Accept-Language",)

    made = WithLanguage.from_crawler(crawler())
    german, french = (Request(A, headers={"Accept-Language": language}) for language in ("de", "fr"))
    assert made.fingerprint(german) != made.fingerprint(french)
    assert made.fingerprint(Request(A)) == urlkey.digest(A)


def test_the_policy_is_that_of_the_settings(tmp_path):
    rules = tmp_path / "rules.toml"
    rules.write_text('schema = 1\n[[site]]\nhost = "*.a.example"\ndrop = ["color"]\nsource = "user"\n')
    seen = [
        crawler(**settings).request_fingerprinter.fingerprint(Request("http://www.a.example/?color=red"))
        for settings in ({}, {"URLKEY_POLICY": "fold"}, {"URLKEY_RULES": [str(rules)]})
    ]
    assert seen == [
        urlkey.digest("http://www.a.example/?color=red"),
        urlkey.digest("http://www.a.example/?color=red", policy="fold"),
        urlkey.Policy.load("crawl", rules=[rules]).digest("http://www.a.example/?color=red"),
    ]
    assert len(set(seen)) == 3
    with pytest.raises(urlkey.UrlKeyError):
        crawler(URLKEY_POLICY="klingon")


# --- the add-on


def test_the_addon_leaves_what_a_project_has_set():
    settings = Settings({"DUPEFILTER_CLASS": "scrapy.dupefilters.BaseDupeFilter"}, priority="project")
    Addon().update_settings(settings)
    assert settings["DUPEFILTER_CLASS"] == "scrapy.dupefilters.BaseDupeFilter"
    assert settings["REQUEST_FINGERPRINTER_CLASS"] is KeyFingerprinter
    assert settings["SCHEDULER"] is KeyScheduler
    assert len(settings.getdict("DOWNLOADER_MIDDLEWARES")) == 5


def test_the_parts_stand_alone():
    """As a project without the add-on names them."""
    made = get_crawler(
        settings_dict={
            "REQUEST_FINGERPRINTER_CLASS": "urlkey.scrapy.KeyFingerprinter",
            "DUPEFILTER_CLASS": "urlkey.scrapy.KeyDupeFilter",
        }
    )
    duplicates = KeyDupeFilter.from_crawler(made)
    assert [duplicates.request_seen(Request(url)) for url in (A, A2, B)] == [False, True, False]


# --- the filter


@pytest.fixture
def filter_on(tmp_path):
    """Makes filters on one folder; those before are closed."""
    made = []

    def make(**settings) -> KeyDupeFilter:
        while made:
            old, crawl = made.pop()
            old.close("finished")
            crawl.close()
        made_crawler = crawler(**settings)
        duplicates = KeyDupeFilter.from_crawler(made_crawler)
        made.append((duplicates, Crawl.of(made_crawler)))
        return duplicates

    yield make
    for duplicates, crawl in made:
        duplicates.close("finished")
        crawl.close()


def test_duplicates_are_told_by_key_method_and_body(filter_on):
    seen = filter_on().request_seen
    assert [seen(Request(url)) for url in (A, A2, B, B)] == [False, True, False, True]
    post = Request(A, method="POST", body=b"x")
    assert [seen(post), seen(post.replace(url=A2)), seen(post.replace(body=b"y"))] == [False, True, False]


def test_the_filter_takes_fingerprints_of_any_length(filter_on):
    seen = filter_on(REQUEST_FINGERPRINTER_CLASS="scrapy.utils.request.RequestFingerprinter").request_seen
    assert [seen(Request(A)), seen(Request(A)), seen(Request(A2))] == [False, True, False]


@pytest.mark.parametrize("where", ["JOBDIR", "URLKEY_SEEN"])
def test_the_filter_is_there_the_next_time(filter_on, tmp_path, where):
    settings = {where: str(tmp_path / "job") if where == "JOBDIR" else str(tmp_path / "seen.db")}
    assert not filter_on(**settings).request_seen(Request(A))
    later = filter_on(**settings)
    assert [later.request_seen(Request(url)) for url in (A2, B)] == [True, False]
    if where == "URLKEY_SEEN":
        later.flush()
        with Seen(tmp_path / "seen.db") as seen:
            assert (A in seen, B in seen, len(seen)) == (True, True, 2)
    with pytest.raises(urlkey.UrlKeyError) as caught:
        filter_on(**settings, URLKEY_POLICY="fold")
    assert caught.value.code == "policy-mismatch"


def test_of_aliases_one_is_requested_whichever_comes_first(filter_on, tmp_path):
    x, y, page = "http://a.example/x", "http://a.example/y", "http://a.example/page"
    path = tmp_path / "store.db"
    with Store.open(path) as store:
        store.alias(x, page)
        store.alias(y, page)
    for first, *others in itertools.permutations((x, y, page)):
        seen = filter_on(URLKEY_STORE=str(path)).request_seen
        assert [seen(Request(url)) for url in (first, *others, B, first)] == [False, True, True, False, True]
        assert not seen(Request(x, method="POST"))


def test_the_redirect_of_an_alias_is_not_filtered_by_the_alias(filter_on, tmp_path):
    old, older, page = "http://a.example/old", "http://a.example/older", "http://a.example/page"
    path = tmp_path / "store.db"
    with Store.open(path) as store:
        store.alias(older, old)
        store.alias(old, page)
    seen = filter_on(URLKEY_STORE=str(path)).request_seen
    assert not seen(Request(older))
    assert seen(Request(page))
    assert not seen(Request(old, meta={"redirect_urls": [older]}))
    assert not seen(Request(page, meta={"redirect_urls": [older, old]}))
    assert seen(Request(page, meta={"redirect_urls": [older, old]}))


def test_another_spelling_in_the_place_of_one_that_failed_is_not_filtered(filter_on, tmp_path):
    x, y, page = "http://a.example/x", "http://a.example/y", "http://a.example/page"
    path = tmp_path / "store.db"
    with Store.open(path) as store:
        store.alias(x, page)
        store.alias(y, page)
    seen = filter_on(URLKEY_STORE=str(path)).request_seen
    assert not seen(Request(x))
    assert not seen(Request(page, meta={INSTEAD_OF: [x]}))
    assert not seen(Request(y, meta={INSTEAD_OF: [x, page]}))


def test_what_an_earlier_crawl_has_fetched_is_not_requested_if_asked_for(filter_on, tmp_path):
    path, gone, known = tmp_path / "store.db", "http://a.example/gone", "http://a.example/known"
    with Store.open(path) as store:
        store.add_many([A, gone, known, B])
        store.fetched(A, 200)
        store.fetched(gone, 404)
        store.alias(B, A)
    seen = filter_on(URLKEY_STORE=str(path), URLKEY_SEEN="store").request_seen
    assert [seen(Request(url)) for url in (A2, gone, known, B)] == [True, False, False, True]
    with pytest.raises(ValueError, match="needs URLKEY_STORE"):
        filter_on(URLKEY_SEEN="store")


def test_a_store_that_fails_stops_no_crawl_and_loses_nothing_that_waits(tmp_path, monkeypatch, caplog):
    made = crawler(URLKEY_STORE=str(tmp_path / "store.db"))
    duplicates, crawl = KeyDupeFilter.from_crawler(made), Crawl.of(made)

    def full(*_, **__):
        raise StoreError("full", "store.db")

    with monkeypatch.context() as broken:
        for name in ("add_many", "resolve", "fetch", "edges"):
            broken.setattr(Store, name, full)
        for number in range(5_000):
            crawl.spelled(f"http://a.example/{number}")
        assert not duplicates.request_seen(Request(A))
        assert duplicates.request_seen(Request(A2))
    # Not once for each: a busy store makes its caller wait.
    assert 2 <= len([record for record in caplog.records if "cannot be used" in record.message]) <= 10
    assert crawl.try_flush()
    assert len(crawl.store) == 5_000
    duplicates.close("finished")
    crawl.close()


# --- what is confirmed


def fetched_as(store: Store, contents: dict[str, bytes], time: int, canonical: str | None = None) -> None:
    """What a crawl keeps of pages that it fetched."""
    with Recorder(store) as recorder:
        for url, content in contents.items():
            store.fetched(url, 200, time=time, content=content)
            headers = {"Link": f'<{canonical}>; rel="canonical"'} if canonical else {}
            recorder.add(from_response(url, 200, headers), url=url)
    settle_store(store, [store.policy.key(url) for url in contents])
    compare(store, [store.policy.key(url) for url in contents], source="test")


X, Y, Z = (f"http://a.example/{name}/item" for name in "xyz")


def test_a_canonical_link_is_confirmed_by_equal_content(tmp_path):
    with Store.open(tmp_path / "store.db") as store:
        fetched_as(store, {Y: b"1"}, 1_000, Z)
        # Joined, on the word of a page alone.
        assert store.resolve(Y) == Z
        assert confirmed(store, Y) == confirmed(store, Z) == ()
        fetched_as(store, {X: b"1"}, 1_001, Z)
        # Neither has been compared with what they name; they have with each other.
        assert confirmed(store, X) == confirmed(store, Y) == (X, Y)
        assert confirmed(store, Z) == ()
        fetched_as(store, {Z: b"1"}, 1_002)
        assert confirmed(store, Z) == confirmed(store, X) == (X, Y, Z)
        store.verify()


def test_a_canonical_link_between_pages_that_differ_confirms_nothing(tmp_path):
    with Store.open(tmp_path / "store.db") as store:
        fetched_as(store, {X: b"1", Y: b"2"}, 1_000, Z)
        fetched_as(store, {Z: b"3"}, 1_001)
        assert [confirmed(store, url) for url in (X, Y, Z)] == [(), (), ()]


def test_redirects_and_words_of_people_need_no_proof(tmp_path):
    with Store.open(tmp_path / "store.db") as store:
        with Recorder(store) as recorder:
            recorder.add(from_response(X, 301, {"Location": Z}), url=X)
            recorder.add(from_response(B, 302, {"Location": Z}), url=B)
        edge = store.alias(Y, Z)
        assert confirmed(store, Y) == (X, Y, Z)
        assert confirmed(store, B) == ()
        store.undo(edge)
        assert (confirmed(store, Y), confirmed(store, X)) == ((), (X, Z))


def test_one_content_of_very_many_keys_is_a_wall(tmp_path):
    many = [f"http://a.example/{number}/item" for number in range(60)]
    with Store.open(tmp_path / "store.db") as store:
        fetched_as(store, dict.fromkeys(many, b"log in"), 1_000, Z)
        assert confirmed(store, many[0]) == ()


# --- the journal


def test_the_journal_keeps_what_is_not_done(tmp_path):
    path = tmp_path / "requests.db"
    journal = Journal(path)
    numbers = [journal.number() for _ in range(3)]
    for number in numbers:
        journal.put(number, bytes([number]) * 16, b"request %d" % number)
    journal.done(numbers[1])
    journal.start(b"begun")
    journal.close()
    journal = Journal(path)
    assert list(journal.pending()) == [(1, b"request 1"), (3, b"request 3")]
    assert list(journal.marks()) == [b"\1" * 16, b"\2" * 16, b"\3" * 16]
    assert journal.starts() == {b"begun"}
    assert journal.number() == 4
    journal.forget_done()
    journal.forget_starts()
    assert list(journal.marks()) == [b"\1" * 16, b"\3" * 16]
    assert journal.starts() == set()
    journal.close()


def test_what_was_not_committed_is_not_there(tmp_path):
    one, two = Journal(tmp_path / "requests.db"), Journal(tmp_path / "requests.db")
    one.put(one.number(), b"", b"x")
    assert list(two.pending()) == []
    one.commit()
    assert list(two.pending()) == [(1, b"x")]
    one.close()
    two.close()


def test_a_journal_of_something_else_is_refused(tmp_path):
    with Seen(tmp_path / "seen.db") as seen:
        seen.add(A)
    with pytest.raises(StoreError) as caught:
        Journal(tmp_path / "seen.db")
    assert caught.value.code == "not-a-store"


# --- links


PAGE = """<meta charset=windows-1252><base href="/shop/">
<a href="?q=caf\xe9&utm_source=x#top">one</a> <a href="?utm_source=y&q=caf%E9">one, again</a>
<area href=../b.html alt=two> <a href="//ads.example/" rel=nofollow>three</a> <a href=c.zip>file</a>
<iframe src=d></iframe> <a href="mailto:x@a.example">mail</a> <a href="http://a.example:x/">bad</a>"""


def page(html=PAGE, url="http://a.example/") -> HtmlResponse:
    return HtmlResponse(url, body=html.encode("windows-1252"), headers={"Content-Type": "text/html"})


def test_links_are_resolved_as_browsers_do():
    found = KeyLinkExtractor().extract_links(page())
    assert [(link.url, link.text, link.nofollow) for link in found] == [
        ("http://a.example/shop/?q=caf%E9&utm_source=x#top", "one", False),
        ("http://a.example/b.html", "two", False),
        ("http://ads.example/", "three", True),
        ("http://a.example/shop/d", "", False),
    ]
    assert found[0].fragment == "top"


def test_links_are_filtered_as_by_scrapy():
    def urls(**options):
        return [link.url.rpartition("/")[2] for link in KeyLinkExtractor(**options).extract_links(page())]

    assert urls(allow=r"\.html$") == ["b.html"]
    assert urls(deny=r"/shop/") == ["b.html", ""]
    assert urls(deny_domains=["a.example"]) == [""]
    assert urls(allow_domains=["a.example"], deny_extensions=()) == [
        "?q=caf%E9&utm_source=x#top",
        "b.html",
        "c.zip",
        "d",
    ]
    assert urls(nofollow=False)[1:] == ["b.html", "d"]
    assert len(urls(unique=False)) == 5
    assert len(urls(policy="whatwg")) == 5
    with pytest.raises(TypeError, match="takes no restrict_css"):
        KeyLinkExtractor(restrict_css="main")
    assert KeyLinkExtractor(deny="/x").matches("http://a.example/y")
    assert not KeyLinkExtractor(deny="/x").matches("http://a.example/x")


def test_the_plain_extractor_reads_the_same_links_of_an_easy_page():
    html = "<base href=/b/><a href=x>x</a><a href='y?a=1&amp;b=2#z'>y</a><a href=x>x</a>"
    ours, theirs = KeyLinkExtractor().extract_links(page(html)), LinkExtractor().extract_links(page(html))
    assert ours[0] == theirs[0]
    assert [link.url.partition("#")[0] for link in ours] == [link.url.partition("#")[0] for link in theirs]


def test_requests_in_the_journal_are_those_of_scrapys_queues():
    """What is pickled is what Scrapy's own queues on the disk pickle."""

    class Named(Spider):
        name = "named"

        def other(self, response):
            raise NotImplementedError

    spider = Named()
    request = Request(A, callback=spider.other, meta={"a": [1]}, priority=3, cb_kwargs={"x": 1})
    again = scrapy_request.request_from_dict(pickle.loads(pickle.dumps(request.to_dict(spider=spider))), spider=spider)
    assert (again.callback, again.meta, again.priority, again.cb_kwargs) == (spider.other, {"a": [1]}, 3, {"x": 1})
    assert json.dumps(again.url) == json.dumps(request.url)
