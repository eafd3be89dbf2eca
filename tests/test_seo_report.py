"""The duplicates report of a crawl: every kind of finding, places, evidence, parameters."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import urlkey
from urlkey.systems import seo
from urlkey.systems.seo import rows as rows_module
from urlkey.systems.seo.tiers import Tiers

A, B, C = "https://a.example/a", "https://a.example/b", "https://a.example/c"


def page(url, canonical=None, **facts):
    """An HTML page that answered 200."""
    canonicals = [canonical] if isinstance(canonical, str) else canonical or []
    return seo.page_of({"url": url, "status": 200, "canonical": canonicals, **facts})


def moved(url, to, status=301, **facts):
    return seo.page_of({"url": url, "status": status, "redirect": to, **facts})


def failed(url, status=404):
    return seo.page_of({"url": url, "status": status})


def kinds(*pages, **options):
    """(kind, URL, target) of each finding."""
    return {(one.kind, one.url, one.target) for one in seo.report(pages, **options).findings}


def place_of(report, url):
    (found,) = {row.place for row in report.rows if row.url == url}
    return found


# Kind, the finding, the rows that make it, and rows much alike that make none.
CASES = [
    ("canonical-loop", (A, B), [page(A, B), page(B, A)], [page(A, B), page(B, B)]),
    ("canonical-multiple", (A, None), [page(A, [A, B]), page(B, B)], [page(A, [A, A]), page(B, B)]),
    ("canonical-invalid", (A, None), [page(A, "http://a b/")], [page(A, A)]),
    ("canonical-invalid", (A, None), [page(A, "javascript:x")], [page(A, A)]),
    ("canonical-to-error", (A, B), [page(A, B), failed(B)], [page(A, B), page(B, B)]),
    ("canonical-to-redirect", (A, B), [page(A, B), moved(B, C), page(C, C)], [page(A, B), page(B, B)]),
    (
        "canonical-to-noindex",
        (A, B),
        [page(A, B), page(B, B, indexability="Non-Indexable, noindex")],
        [page(A, B), page(B, B, indexability="Indexable")],
    ),
    (
        "canonical-pagination",
        (f"{A}?page=2", A),
        [page(A, A), page(f"{A}?page=2", A)],
        [page(A, A), page(f"{A}?page=2", f"{A}?page=2")],
    ),
    (
        "canonical-pagination",
        (f"{A}?p=2", A),
        [page(A, A), page(f"{A}?p=2", A, prev=A)],
        [page(A, A), page(f"{A}?p=2", A)],
    ),
    (
        "canonical-alternate",
        (B, A),
        [page(A, A, hreflang={"en": A, "de": B}), page(B, A, hreflang={"en": A, "de": B})],
        [page(A, A, hreflang={"en": A, "de": B}), page(B, B, hreflang={"en": A, "de": B})],
    ),
    (
        "canonical-root",
        (A, "https://a.example/"),
        [page(A, "https://a.example/"), page("https://a.example/")],
        [page("https://a.example/?utm_source=x", "https://a.example/"), page("https://a.example/")],
    ),
    (
        "canonical-disagree",
        (A, None),
        [page(A, A), page(f"{A}/", f"{A}/")],
        [page(A, A), page(f"{A}/", A)],
    ),
    ("canonical-chain", (A, C), [page(A, B), page(B, C), page(C, C)], [page(A, C), page(B, C), page(C, C)]),
    (
        "canonical-missing",
        (f"{A}?utm_source=x", A),
        [page(A, A), page(f"{A}?utm_source=x")],
        [page(A, A), page(B)],
    ),
    (
        "canonical-insecure",
        (A, "http://a.example/a"),
        [page(A, "http://a.example/a"), page("http://a.example/a")],
        [page("http://a.example/a", A), page(A, A)],
    ),
    ("canonical-cross-host", (A, "https://b.example/"), [page(A, "https://b.example/")], [page(A, A)]),
    ("canonical-relative", (A, "/a"), [page(A, "/a")], [page(A, A)]),
    ("canonical-fragment", (A, f"{A}#x"), [page(A, f"{A}#x")], [page(A, A)]),
    ("canonical-uncrawled", (A, B), [page(A, B)], [page(A, B), page(B, B)]),
    ("canonical-other-group", (A, B), [page(A, B), page(B, B)], [page(f"{B}?gclid=1", B), page(B, B)]),
    ("redirect-loop", (A, B), [moved(A, B), moved(B, A)], [moved(A, B), page(B)]),
    ("redirect-loop", (A, A), [moved(A, A)], [moved(A, B)]),
    ("redirect-broken", (A, B), [moved(A, B), failed(B, 410)], [moved(A, B), page(B)]),
    ("redirect-no-target", (A, None), [failed(A, 301)], [moved(A, B)]),
    ("redirect-chain", (A, C), [moved(A, B), moved(B, C), page(C)], [moved(A, C), moved(B, C), page(C)]),
    (
        "redirect-temporary",
        ("http://a.example/a", A),
        [moved("http://a.example/a", A, 302), page(A)],
        [moved(B, A, 302), moved("http://a.example/a", A, 307, redirect_type="HSTS Policy"), page(A)],
    ),
    (
        "redirect-to-duplicate",
        ("http://a.example/a", f"{A}/"),
        [moved("http://a.example/a", f"{A}/"), page(f"{A}/"), page(A, A)],
        [moved("http://a.example/a", A), page(f"{A}/"), page(A, A)],
    ),
    (
        "content-differs",
        (f"{A}/", A),
        [page(A, A, hash="1"), page(f"{A}/", hash="2")],
        [page(A, A, hash="1"), page(f"{A}/", hash="1"), page(B, hash="2")],
    ),
    (
        "same-content",
        (B, A),
        [page(A, hash="1"), page(B, hash="1")],
        [page(A, hash="1"), page(f"{A}?gclid=1", hash="1"), page(B, hash="2")],
    ),
]


@pytest.mark.parametrize(("kind", "finding", "with_it", "without"), CASES)
def test_a_kind_of_finding_is_found_where_it_is(kind, finding, with_it, without):
    assert (kind, *finding) in kinds(*with_it)
    assert kind not in {found for found, *_ in kinds(*without)}


def test_every_kind_has_a_case_and_says_what_to_do():
    assert {kind for kind, *_ in CASES} == set(seo.KINDS)
    for kind in seo.KINDS.values():
        assert kind.title
        assert kind.todo.endswith(".")


def test_canonicals_are_not_missed_where_the_export_has_none():
    assert kinds(page(A), page(f"{A}/")) == set()
    assert kinds(page(A), page(f"{A}/"), known=frozenset({"url", "canonical"})) == {
        ("canonical-missing", A, None),
        ("canonical-missing", f"{A}/", A),
    }
    assert kinds(page(A, A), page(f"{A}/", indexability="noindex")) == set()


def test_a_canonical_within_its_group_is_no_conflict():
    assert kinds(page(A, A), page(f"{A}?utm_source=x", A), page(f"{A}#top", A)) == set()


def test_a_long_chain_of_canonicals_ends():
    pages = [page(f"{A}/{n}", f"{A}/{n + 1}") for n in range(200)]
    found = seo.report(pages)
    assert found.totals.findings["canonical-chain"] == 198


# Places.


def test_each_row_has_its_place():
    found = seo.report(
        [
            page(A),
            page(f"{A}?gclid=1"),
            page(f"{A}?gclid=1"),
            page(B),
            moved("http://a.example/b", B),
            failed(C),
            failed("https://a.example/d", 0),
            page("https://a.example/e.css", type="text/css"),
            page("mailto:me@a.example"),
            page("https://a.example:x/"),
            page("https://a.example/f", type="Text/HTML; charset=utf-8"),
            page("https://a.example/g", redirect=B, redirect_type="Meta Refresh"),
        ],
        rejects=[seo.Reject(3, "bad-row", '"')],
    )
    assert found.totals.places == {
        "unique": 2,
        "representative": 1,
        "duplicate": 1,
        "repeat": 1,
        "redirect": 2,
        "error": 1,
        "not-crawled": 1,
        "resource": 1,
        "no-key": 3,
    }
    assert found.totals.rows == 13
    assert found.totals.pages == 4
    assert place_of(found, "https://a.example/g") == "redirect"


def test_a_row_without_a_status_is_a_page():
    found = seo.report([{"url": A}, {"url": f"{A}?gclid=1"}])
    assert [row.place for row in found.rows] == ["representative", "duplicate"]


@pytest.mark.parametrize(
    ("rows", "outcome"),
    [
        ([moved("http://a.example/a", A), page(A)], "resolved"),
        ([moved("http://a.example/a", B), moved(B, A), page(A)], "resolved"),
        ([moved("http://a.example/a", f"{A}/"), page(f"{A}/"), page(A, A)], "to-duplicate"),
        ([moved(A, B), page(B)], "moved"),
        ([moved(A, B)], "leaves"),
        ([moved(A, B), failed(B)], "broken"),
        ([moved(A, A)], "loop"),
        ([moved(A, f"{A}#x")], "loop"),
        ([moved(f"{A}%c3%a9", f"{A}%C3%A9")], "leaves"),
        ([moved(f"{A}%c3%a9", f"{A}%C3%A9"), page(f"{A}%C3%A9")], "resolved"),
        ([moved(f"{A}%c3%a9", f"{A}%C3%A9"), moved(f"{A}%C3%A9", B), page(B)], "moved"),
        ([moved("https://a.example/%7Ex", "/~x"), page("https://a.example/~x")], "resolved"),
        ([moved(A, None)], "no-target"),
        ([moved(A, "mailto:x")], "no-target"),
    ],
)
def test_a_redirect_has_its_outcome(rows, outcome):
    found = seo.report(rows)
    assert {one.url: one.outcome for one in found.redirects}[rows[0].url] == outcome
    assert found.totals.redirects[outcome] >= 1
    assert found.totals.duplicates == sum(row.place == "duplicate" for row in found.rows)


def test_a_redirect_is_no_duplicate_and_costs_no_page():
    found = seo.report([page(A), moved("http://a.example/a", A), moved(f"{A}?utm_source=x", A)])
    assert (found.totals.duplicates, found.totals.pages, found.groups) == (0, 1, [])


def test_the_representative_is_chosen_in_the_stated_order():
    def first(*pages):
        (group,) = seo.report(pages).groups
        return group.representative.url

    plain, slash, http, tagged = A, f"{A}/", "http://a.example/a", f"{A}?utm_source=x"
    assert first(page(plain, indexability="noindex"), page(tagged)) == tagged
    assert first(page(plain), page(tagged, tagged)) == tagged
    assert first(page(plain), page(slash), page(tagged, slash)) == slash
    assert first(page(slash), page(tagged[:-1] + "")) == slash
    assert first(page("https://A.example/a"), page(slash)) == slash
    assert first(page(http), page(slash)) == slash
    assert first(page(plain), page(slash), moved(http, slash)) == slash
    assert first(page(plain), page(slash)) == plain


# Told apart.


def test_pages_of_a_series_are_no_duplicates_even_where_a_rule_joins_them(tmp_path):
    rules = tmp_path / "shop.toml"
    rules.write_text('schema = 1\n[[site]]\nhost = "a.example"\ndrop = ["page", "p"]\n')
    policy = urlkey.Policy.load("seo", rules=[rules])
    by_name = [page(A), page(f"{A}?page=2"), page(f"{A}?page=3"), page(f"{A}?page=2&gclid=1")]
    found = seo.report(by_name, policy=policy)
    assert [[row.url for row in group.rows] for group in found.groups] == [[f"{A}?page=2", f"{A}?page=2&gclid=1"]]
    assert found.totals.roles["pagination"] == 3
    by_link = [page(A, next=f"{A}?p=2"), page(f"{A}?p=2", prev=A)]
    assert seo.report(by_link, policy=policy).groups == []
    assert len(seo.report([page(A), page(f"{A}?p=2")], policy=policy).groups) == 1
    assert len(seo.report([page(A), page(f"{A}?page=1")], policy=policy).groups) == 1


def test_languages_are_no_duplicates_even_where_a_rule_joins_them(tmp_path):
    rules = tmp_path / "shop.toml"
    rules.write_text('schema = 1\n[[site]]\nhost = "a.example"\ndrop = ["lang"]\n')
    policy = urlkey.Policy.load("seo", rules=[rules])
    languages = {"en": f"{A}?lang=en", "de": f"{A}?lang=de", "x-default": A}
    pages = [page(f"{A}?lang={name}", hreflang=languages) for name in ("en", "de")]
    found = seo.report(pages, policy=policy)
    assert (found.groups, found.totals.roles["alternate"]) == ([], 2)
    assert len(seo.report([page(one.url) for one in pages], policy=policy).groups) == 1


def test_languages_with_one_content_are_no_duplicates():
    languages = {"en": A, "de": B}
    pages = [page(url, hash="1", hreflang=languages) for url in (A, B)]
    assert kinds(*pages) == set()
    assert kinds(page(A, hash="1"), page(f"{A}?page=2", hash="1")) == set()


# Evidence and budget.


def test_content_confirms_or_contradicts():
    found = seo.report([page(A, A, hash="1"), page(f"{A}/", hash="1"), page(f"{A}?gclid=1", hash="2")])
    (group,) = found.groups
    assert {row.url: row.content for row in group.duplicates} == {f"{A}/": "same", f"{A}?gclid=1": "differs"}
    assert group.evidence == "contradicted"
    assert (found.totals.confirmed, found.totals.contradicted) == (1, 1)
    assert seo.report([page(A, hash="1"), page(f"{A}/", hash="1")]).groups[0].evidence == "confirmed"
    assert seo.report([page(A, hash="1"), page(f"{A}/")]).groups[0].evidence == "unknown"


def test_wasted_are_duplicates_but_site_dependent_ones_whose_content_differs():
    tagged, slash = f"{A}?gclid=1", f"{A}/"
    found = seo.report([page(A, A, hash="1"), page(slash, hash="2"), page(tagged, hash="2"), page(B)])
    assert (found.totals.duplicates, found.totals.wasted, found.totals.pages) == (2, 1, 4)
    assert found.totals.share == 0.25
    assert found.totals.by_tier == {"standard": 0, "usual": 1, "site": 1}
    assert found.totals.wasted_by_tier == {"standard": 0, "usual": 1, "site": 0}
    assert seo.report([page(A, A, hash="1"), page(slash, hash="1")]).totals.wasted == 1
    assert seo.report([]).totals.share == 0.0


def test_a_duplicate_that_names_its_representative_is_consolidated():
    found = seo.report([page(A, A), page(f"{A}?gclid=1", A), page(f"{A}?gclid=2", f"{A}?gclid=2")])
    assert {row.url: row.consolidated for row in found.groups[0].duplicates} == {
        f"{A}?gclid=1": True,
        f"{A}?gclid=2": False,
    }
    assert found.totals.consolidated == 1


def test_the_tier_says_how_far_pages_are_joined():
    pages = [page("http://a.example/x"), page("http://A.example/x"), page("http://a.example/x?gclid=1")]
    pages.append(page("https://a.example/x"))
    assert [seo.report(pages, tier=tier).totals.duplicates for tier in seo.TIERS] == [1, 2, 3]


# Parameters.


def parameters(*pages, **options):
    return {one.name: one for one in seo.report(pages, **options).parameters}


def test_a_dropped_parameter_counts_what_it_would_keep_apart():
    found = parameters(page(A), page(f"{A}?gclid=1"), page(f"{A}?gclid=2"), page(f"{A}?gclid=2&utm_source=x"))
    assert (found["gclid"].urls, found["gclid"].merges, found["gclid"].verdict) == (3, 2, "dropped")
    assert (found["utm_source"].urls, found["utm_source"].merges) == (1, 1)


def test_a_kept_parameter_counts_what_would_be_one_without_it():
    pages = [page(f"{A}?color={c}&size=1", hash="1") for c in "xyz"]
    found = parameters(*pages, page(f"{A}?size=1", hash="1"), page(f"{A}?color=x&size=2", hash="2"))
    assert (found["color"].urls, found["color"].merges) == (4, 3)
    assert (found["color"].same, found["color"].differs, found["color"].verdict) == (3, 0, "drop")
    assert (found["size"].merges, found["size"].verdict) == (1, "keep")


def test_order_and_repeats_of_other_parameters_play_no_part():
    found = parameters(page(f"{A}?a=1&a=2&x=1"), page(f"{A}?x=2&a=1&a=2"), page(f"{A}?a=2&a=1&x=3"), tier="usual")
    assert (found["x"].merges, found["x"].urls) == (1, 3)
    assert "a" not in found


def test_a_parameter_that_counts_pages_is_kept():
    assert parameters(*(page(f"{A}?page={n}", hash="1") for n in "123"))["page"].verdict == "pagination"
    linked = parameters(page(A, next=f"{A}?start=10"), page(f"{A}?start=10", prev=A))
    assert linked["start"].verdict == "pagination"


def test_a_parameter_that_chooses_a_language_is_kept():
    languages = {"en": f"{A}?l=en", "de": f"{A}?l=de"}
    found = parameters(*(page(f"{A}?l={name}", hreflang=languages) for name in ("en", "de")))
    assert found["l"].verdict == "language"


def test_canonicals_say_that_a_parameter_makes_no_page():
    found = parameters(page(A, A), page(f"{A}?list=1", A), page(f"{A}?list=2", A))
    assert (found["list"].canonicals, found["list"].verdict) == (2, "drop")
    assert parameters(page(A), page(f"{A}?list=1"))["list"].verdict == "look"


def test_a_session_in_the_path_counts_as_parameter():
    found = parameters(page(A), page(f"{A};jsessionid=0F1E2D3C4B5A69788796A5B4C3D2E1F0"))
    assert (found[";jsessionid"].merges, found[";jsessionid"].verdict) == (1, "dropped")


def test_the_worst_parameters_come_first_and_those_to_keep_last():
    pages = [page(f"{A}?gclid={n}") for n in range(3)] + [page(f"{B}?list={n}", B) for n in range(5)] + [page(B)]
    pages += [page(f"{C}?page={n}") for n in range(9)]
    assert [one.name for one in seo.report(pages).parameters] == ["list", "gclid", "page"]


def test_hreflang_of_a_page_with_many_parameters_is_resolved_once(monkeypatch):
    counted = Counted(monkeypatch)
    query = "&".join(f"a{n}=1" for n in range(300))
    languages = [("en", f"{A}?{query}&l={n}") for n in range(300)]
    found = seo.report([page(f"{A}?{query}&l={n}", hreflang=languages) for n in (0, 1)])
    assert [(one.name, one.verdict) for one in found.parameters] == [("l", "language")]
    assert counted.linked <= 2 * 2 * 300


# All rows, any order, linear.


def rows():
    urls = st.sampled_from(
        [
            *(A, f"{A}/", f"{A}?gclid=1", f"{A}?page=2", "http://a.example/a"),
            *(B, f"{B}?x=1", f"{B}?x=2", "https://a.example", "//"),
        ]
    )
    links = st.none() | urls | st.sampled_from(["/a", "javascript:x", "#x"])
    facts = {
        "url": urls,
        "status": st.sampled_from([None, 0, 200, 200, 200, 301, 302, 404]),
        "canonical": st.lists(links.filter(bool), max_size=2),
        "redirect": links,
        "type": st.sampled_from([None, "text/html", "text/css"]),
        "indexability": st.sampled_from([None, "Indexable", "noindex"]),
        "hash": st.sampled_from([None, "1", "2"]),
        "next": links,
        "prev": st.none() | urls,
        "hreflang": st.lists(st.tuples(st.sampled_from(["en", "de"]), urls), max_size=2),
    }
    return st.lists(st.fixed_dictionaries(facts), max_size=12)


def told(report):
    from urlkey.systems.seo.tables import as_csv, as_json

    return as_json(report), as_csv(report)


@settings(max_examples=150, deadline=None)
@given(given_rows=rows(), tier=st.sampled_from(seo.TIERS))
def test_every_row_is_in_exactly_one_place_and_groups_are_a_partition(given_rows, tier):
    found = seo.report(given_rows, tier=tier)
    totals = found.totals
    assert len(found.rows) == len(given_rows) == sum(totals.places.values()) == totals.rows
    grouped = [row for group in found.groups for row in group.rows]
    assert len({id(row) for row in grouped}) == len(grouped)
    places = {"representative", "duplicate"}
    assert {id(row) for row in found.rows if row.place in places} <= {id(row) for row in grouped}
    assert {row.place for row in grouped} <= places | {"repeat"}
    assert totals.duplicates == sum(len(group.duplicates) for group in found.groups)
    assert totals.pages == totals.groups + totals.duplicates
    assert 0 <= totals.wasted <= totals.duplicates
    assert len(found.redirects) == totals.places["redirect"] == sum(totals.redirects.values())
    for group in found.groups:
        assert len({row.url for row in group.rows}) == len(group.duplicates) + 1
        for row in group.duplicates:
            assert seo.compare(group.representative.url, row.url).tier == row.tier


@settings(max_examples=100, deadline=None)
@given(given_rows=rows(), seed=st.integers(0, 1000))
def test_the_order_of_rows_changes_nothing(given_rows, seed):
    mixed = list(given_rows)
    random.Random(seed).shuffle(mixed)
    assert told(seo.report(given_rows)) == told(seo.report(mixed))


class Counted:
    """How often the costly steps run."""

    def __init__(self, monkeypatch):
        self.compared = self.linked = 0
        compare, link = Tiers.reasons, rows_module.target

        def comparing(*arguments):
            self.compared += 1
            return compare(*arguments)

        def linking(*arguments):
            self.linked += 1
            return link(*arguments)

        monkeypatch.setattr(Tiers, "reasons", comparing)
        monkeypatch.setattr(rows_module, "target", linking)
        for name in ("apart", "canonicals"):
            monkeypatch.setattr(f"urlkey.systems.seo.{name}.target", linking)


def crawl(count):
    """A crawl with pages of many spellings, and one page that has a quarter of all rows."""
    for number in range(count):
        one = number // 5
        url = f"https://shop.example/c{one % 97}/p{one}"
        if number % 20 == 1:
            yield page(f"https://shop.example/hub?utm_source={number}", "https://shop.example/hub", hash="hub")
        elif number % 5 == 1:
            yield page(f"{url}/", url, hash=str(one))
        elif number % 5 == 2:
            yield moved(f"http://shop.example/c{one % 97}/p{one}", url)
        elif number % 5 == 3:
            yield page(f"https://shop.example/list?page={number}&sort={number % 3}", next=f"/list?page={number + 5}")
        else:
            yield page(url if number % 5 == 0 else f"{url}?color={number}", url, hash=str(one))


def test_a_large_crawl_needs_a_step_a_row(monkeypatch):
    count = 40_000
    counted = Counted(monkeypatch)
    found = seo.report(crawl(count))
    assert found.totals.rows == count
    assert found.totals.duplicates > count // 6
    assert max(len(group.duplicates) for group in found.groups) == count // 20 - 1
    assert counted.compared == found.totals.duplicates
    assert counted.linked <= 6 * count
