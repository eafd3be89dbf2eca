"""The HTML report in a real browser: it renders without a word on the console and
without a request, in both colour schemes and at the width of a phone; its filters
and its sorting work, by mouse and by keyboard."""

import json
from pathlib import Path

import pytest

from browser import Browser
from urlkey.systems import seo
from urlkey.systems.seo.web import as_html

CRAWL = Path(__file__).parents[2] / "examples" / "seo" / "crawl.csv"

pytestmark = pytest.mark.service


@pytest.fixture(scope="module")
def report():
    export = seo.read(str(CRAWL))
    return seo.report(export.pages, rejects=export.rejects, known=export.known)


@pytest.fixture(scope="module")
def url(report, tmp_path_factory):
    file = tmp_path_factory.mktemp("page") / "report.html"
    file.write_text(as_html(report, title=CRAWL.name), encoding="utf-8")
    return file.as_uri()


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    found = Browser(tmp_path_factory.mktemp("browser"))
    yield found
    found.close()


@pytest.fixture
def page(browser, url):
    browser.open(url)
    return browser


SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
SHOWN = "[...document.querySelectorAll('#groups > :not([hidden])')].map(g => g.querySelector('.url').textContent)"


def choose(page, field, value):
    page.run(f"""(() => {{ const f = document.getElementById({json.dumps(field)}); f.value = {json.dumps(value)};
        f.dispatchEvent(new Event('input', {{bubbles: true}})); }})()""")


@pytest.mark.parametrize("width", [360, 768, 1280])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_it_renders_without_errors_and_without_requests(browser, url, width, dark):
    browser.open(url, width=width, dark=dark)
    assert browser.run(SIDEWAYS) == 0
    back = browser.run("getComputedStyle(document.body).backgroundColor")
    assert (max(map(int, back[4:-1].split(","))) < 60) is dark
    browser.run("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert browser.run(SIDEWAYS) == 0
    assert len(browser.picture()) > 20_000
    assert browser.console == []
    assert [one for one in browser.requests if not one.startswith("data:")] == [url]


CONTRAST = """(() => {
  const parse = c => (c.match(/[0-9.]+/g) || []).map(Number);
  const light = c => { const l = parse(c).slice(0, 3).map(v => { v /= 255;
    return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; }); return .2126*l[0] + .7152*l[1] + .0722*l[2]; };
  const back = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
    const p = parse(c); if (p.length < 4 || p[3] > 0) return c; } };
  const poor = [];
  for (const e of document.querySelectorAll('body *')) {
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) || !e.checkVisibility()) continue;
    if (e.closest('svg, script, option')) continue;
    const a = light(getComputedStyle(e).color), b = light(back(e));
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) poor.push([e.className || e.tagName, Math.round(ratio * 100) / 100]);
  }
  return poor;
})()"""


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_all_text_has_contrast(browser, url, dark):
    browser.open(url, dark=dark)
    browser.run("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert browser.run(CONTRAST) == []


def test_every_field_and_button_has_a_name(page):
    unnamed = """[...document.querySelectorAll('input, select, button')].filter(e =>
        !(e.labels && e.labels.length && e.labels[0].textContent.trim()) && !e.textContent.trim()).length"""
    assert page.run(unnamed) == 0
    assert page.run("[...document.querySelectorAll('th')].every(e => e.scope)") is True
    assert page.run("document.documentElement.lang") == "en"


def test_the_filters_show_what_fits(page, report):
    everything = page.run(SHOWN)
    assert len(everything) == len(report.groups)
    choose(page, "tier", "standard")
    told = [group.representative.url for group in report.groups if group.tier == "standard"]
    assert page.run(SHOWN) == told
    assert page.run("document.getElementById('shown').textContent") == f"{len(told)} of {len(everything)} groups"
    choose(page, "tier", "")
    choose(page, "reason", "session")
    assert page.run(SHOWN) == [g.representative.url for g in report.groups if "session" in g.reasons]
    choose(page, "reason", "")
    choose(page, "content", "contradicted")
    assert page.run(SHOWN) == [g.representative.url for g in report.groups if g.evidence == "contradicted"]
    choose(page, "content", "")
    choose(page, "find", "GCLID")
    assert page.run(SHOWN) == ["https://shop.example/tea/"]
    choose(page, "find", "nothing of the kind")
    assert page.run(SHOWN) == []
    choose(page, "find", "")
    assert page.run(SHOWN) == everything


def test_groups_are_put_in_order(page, report):
    before = page.run(SHOWN)
    choose(page, "order", "url")
    assert page.run(SHOWN) == sorted(before)
    choose(page, "order", "size")
    sizes = {group.representative.url: len(group.duplicates) for group in report.groups}
    after = [sizes[one] for one in page.run(SHOWN)]
    assert after == sorted(after, reverse=True)


def test_a_bar_of_the_chart_filters_by_its_reason(page, report):
    page.run("document.querySelector('[data-reason=session]').focus()")
    page.press("Enter", 13)
    assert page.run("document.getElementById('reason').value") == "session"
    assert page.run(SHOWN) == [g.representative.url for g in report.groups if "session" in g.reasons]


def test_a_group_opens_by_keyboard(page):
    page.run("document.querySelector('#groups summary').focus()")
    assert page.run("document.querySelector('#groups details').open") is False
    page.press("Enter", 13)
    assert page.run("document.querySelector('#groups details').open") is True


@pytest.mark.parametrize("column", [0, 1, 2, 5])
def test_the_parameters_are_sorted_by_any_column(page, column):
    cells = (
        f"[...document.querySelectorAll('#parameters tbody tr')].map(r => r.children[{column}].dataset.value === "
        f"undefined ? r.children[{column}].textContent : Number(r.children[{column}].dataset.value))"
    )
    click = f"document.querySelectorAll('#parameters thead button')[{column}].click()"
    sort = f"document.querySelectorAll('#parameters thead th')[{column}].getAttribute('aria-sort')"
    seen = {}
    for _ in range(2):
        page.run(click)
        seen[page.run(sort)] = page.run(cells)
    assert seen["ascending"] == sorted(seen["ascending"])
    assert seen["descending"] == sorted(seen["descending"], reverse=True)
    assert page.run("document.querySelectorAll('#parameters [aria-sort=none]').length") == 5


def test_it_can_be_read_without_its_script(browser, url):
    browser.tell("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(url)
        assert browser.run("getComputedStyle(document.querySelector('.filters')).display") == "none"
        assert browser.run("document.querySelectorAll('#groups > details').length") > 0
    finally:
        browser.tell("Emulation.setScriptExecutionDisabled", value=False)
