"""The report of a model in a real browser: it renders without a word on the console and without a request, in both
colour schemes and at the width of a phone; pairs can be opened, hosts be found."""

import json

import pytest

from browser import Browser
from urlkey.learn import Observation, as_html, learn

pytestmark = pytest.mark.service

HOSTS = ("shop.example", "forum.example", "news.example")
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
SHOWN = "[...document.querySelectorAll('#hosts > :not([hidden])')].map(d => d.querySelector('.url').textContent)"


@pytest.fixture(scope="module")
def model():
    rows = [
        Observation(f"http://{host}/p/{n}{tail}", str(n), no_vary_search='params=("color")')
        for host in HOSTS
        for n in range(60)
        for tail in ("", "?color=red", "?color=blue", f"?id={n}&<script>alert(1)</script>=2")
    ]
    rows += [Observation(f"http://list.example/{n}?page={m}", f"{n} {m}") for n in range(30) for m in range(4)]
    return learn(rows, budget=0.05)


@pytest.fixture(scope="module")
def url(model, tmp_path_factory):
    file = tmp_path_factory.mktemp("page") / "learned.html"
    file.write_text(as_html(model, title="crawl.warc.gz"), encoding="utf-8")
    return file.as_uri()


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    found = Browser(tmp_path_factory.mktemp("browser"))
    yield found
    found.close()


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_it_renders_without_errors_and_without_requests(browser, url, width, dark):
    browser.open(url, width=width, dark=dark)
    browser.run("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert browser.run(SIDEWAYS) == 0
    back = browser.run("getComputedStyle(document.body).backgroundColor")
    assert (max(map(int, back[4:-1].split(","))) < 60) is dark
    assert len(browser.picture()) > 20_000
    assert browser.console == []
    assert [one for one in browser.requests if not one.startswith("data:")] == [url]


def test_every_host_says_what_goes_from_how_many_pages_at_what_risk(browser, url, model):
    browser.open(url)
    assert sorted(browser.run(SHOWN)) == sorted({rule.host for rule in model.rules})
    heads = browser.run("[...document.querySelector('#hosts thead tr').cells].map(c => c.textContent)")
    assert heads == ["Path", "What goes", "Pages", "Trials", "Differed", "At most", "Expected", "Merged"]
    assert "keys (" in browser.run("document.querySelector('#hosts summary b').textContent")
    assert browser.run("document.querySelectorAll('.charts figure').length") == 4
    assert browser.run("[...document.querySelectorAll('.charts rect')].every(r => r.getBBox().width > 0)") is True
    assert "the site declares it" in browser.run("document.body.textContent")


def test_pairs_are_links_that_open_and_send_no_referrer(browser, url):
    browser.open(url)
    links = browser.run("[...document.querySelectorAll('#hosts .pair a')].map(a => [a.href, a.rel])")
    assert len(links) >= 2 * len(HOSTS)
    assert all(href.startswith("http://") and "noreferrer" in rel for href, rel in links)


def test_hosts_are_found_by_part_of_their_name(browser, url):
    browser.open(url)
    browser.run(f"""(() => {{ const f = document.getElementById('find'); f.value = {json.dumps("FORUM")};
        f.dispatchEvent(new Event('input', {{bubbles: true}})); }})()""")
    assert browser.run(SHOWN) == ["forum.example"]
