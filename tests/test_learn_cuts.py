"""What the learner cuts out of paths, orders and hosts; what it must leave; how often it asks."""

from hashlib import blake2b

import pytest

from urlkey import Policy
from urlkey.learn import Model, Observation, as_html, as_text, learn, rule_file, updated
from urlkey.learn.cuts import Cut, candidates, cut
from urlkey.learn.drift import Watch
from urlkey.learn.pages import Host, Page

HOST = "http://a.example"
# Of two values of one name.
ORDERS = ("12", "21", "13", "31")


def token(*about, length=16):
    return "a1" + blake2b(repr(about).encode()).hexdigest()[: length - 2]


def host_of(urls):
    return Host("a.example", "a.example", [Page(url, url) for url in urls])


def learned(rows, **more):
    seen = [Observation(url, str(content), time=n) for n, (url, content) in enumerate(rows)]
    return learn(seen, budget=0.001, **more)


def rules_of(model):
    return [(rule.path, rule.rewrite.kind, rule.rewrite.names) for rule in model.rules]


@pytest.fixture
def ruled(tmp_path):
    def load(model):
        path = tmp_path / "learned.toml"
        path.write_text(rule_file(model), encoding="utf-8")
        return Policy.load("crawl", rules=[path])

    return load


@pytest.mark.parametrize(
    ("paths", "found"),
    [
        ([f"/i/{n};visit={token(n)}" for n in range(9)], [Cut(";visit=[^/;]*", "token")]),
        ([f"/i/{n};p={n % 3}" for n in range(9)], [Cut(";p=[^/;]*", "few")]),
        ([f"/i/{n};p={n}" for n in range(9)], [Cut(";p=[^/;]*", "number")]),
        ([f"/sid-{token(n)}/i" for n in range(9)], [Cut(r"/sid\-[0-9a-z]{16}/", "token")]),
        ([f"/i/sid-{token(n, length=9 + n)}" for n in range(9)], [Cut(r"/sid\-[0-9a-z]{9,}$", "token")]),
        ([f"/(S({token(n)}))/i" for n in range(9)], [Cut(r"/\(S\([0-9a-z]{16}\)\)/", "token")]),
        ([f"{tail}/i/{n}" for n in range(9) for tail in ("", "/amp")], [Cut("^/amp/", "few")]),
        ([f"/i/{n}{tail}" for n in range(9) for tail in ("", "/amp")], [Cut("/amp$", "few")]),
        ([f"/i/{n}{tail}" for n in range(9) for tail in ("", ".html")], [Cut(r"\.html$", "few")]),
        # Words, pages that are not there without it, and what stands on four pages alone.
        ([f"/word-{name}/i" for name in ("cabbage", "lettuce", "carrots", "potatoes", "tomatoes")], []),
        ([f"/amp/i/{n}" for n in range(9)], []),
        ([f"/i/{n}{tail}" for n in range(4) for tail in ("", "/amp")], []),
    ],
)
def test_candidates_are_what_stands_on_several_pages(paths, found):
    host = host_of([HOST + path for path in paths])
    assert candidates(host) == found


def test_candidates_of_a_host_are_twelve_at_most():
    urls = [f"{HOST}/{front}/i/{n}" for n in range(6) for front in range(30)]
    urls += [f"{HOST}/i/{n}" for n in range(6)]
    found = candidates(host_of(urls))
    assert len(found) == len(set(found)) == 12


def test_a_path_is_looked_at_once_however_often_it_comes(monkeypatch):
    looked = []
    ends = "urlkey.learn.cuts._ends"
    monkeypatch.setattr(ends, lambda path: looked.append(path) or [])
    for pages in (50, 100):
        looked.clear()
        candidates(host_of([f"{HOST}/i/{n}?a={value}" for n in range(pages) for value in range(10)]))
        assert len(looked) == pages


def test_heads_are_cut_as_the_core_cuts_them():
    heads = [f"{HOST}/en/i", f"{HOST}/i", f"{HOST}/en/..", f"{HOST}/en/i#f"]
    assert cut("^/en/", heads) == [f"{HOST}/i", f"{HOST}/i", f"{HOST}/", f"{HOST}/i#f"]
    assert cut("^/e", [f"{HOST}/en"]) == [f"{HOST}/en"]


def test_sessions_of_a_path_go_and_the_number_of_a_part_stays(ruled):
    rows = []
    for n in range(300):
        part = f";part={n % 2}" if n % 3 else ""
        rows += [(f"{HOST}/item/{n}{part}{tail}", (n, part)) for tail in ("", *(f";visit={token(n, k)}" for k in "ab"))]
    model = learned(rows)
    assert rules_of(model) == [("/item", "path", (";visit=[^/;]*",))]
    assert '  ";visit=[^/;]*",\n' in rule_file(model).partition("drop_path = [\n")[2]
    assert ruled(model).key(f"{HOST}/item/7;part=1;visit=new?x=1") == f"{HOST}/item/7;part=1?x=1"


def test_a_session_that_no_page_is_without_goes(ruled):
    rows = [(f"{HOST}/s_{token(n, k)}/topic/{n}", n) for n in range(300) for k in "abc"]
    model = learned(rows)
    assert [kind for _, kind, _ in rules_of(model)] == ["path"]
    assert ruled(model).key(f"{HOST}/s_{token('new')}/topic/7") == f"{HOST}/topic/7"


def test_parameters_are_learned_at_the_place_that_a_cut_leaves(ruled):
    tails = ("", "?color=red", "?color=blue")
    rows = [
        (f"{HOST}{front}/topic/{n}{tail}", n) for n in range(150) for front in ("", f"/s_{token(n)}") for tail in tails
    ]
    model = learned(rows)
    assert {kind for _, kind, _ in rules_of(model)} == {"path", "drop"}
    assert ruled(model).key(f"{HOST}/s_{token('new')}/topic/7?color=green") == f"{HOST}/topic/7"


@pytest.mark.parametrize("form", ["/amp/story/{}", "/story/{}/amp"])
def test_forms_of_amp_in_a_path_go(form, ruled):
    rows = [(HOST + path.format(n), n) for n in range(300) for path in ("/story/{}", form)]
    model = learned(rows)
    assert [kind for _, kind, _ in rules_of(model)] == ["path"]
    assert ruled(model).key(f"{HOST}{form.format(7)}") == f"{HOST}/story/7"


def test_an_amp_host_folds_where_it_has_the_same_words(ruled):
    rows = [(f"http://{host}a.example/story/{n}", n) for n in range(300) for host in ("", "amp.")]
    model = learned(rows)
    assert {(rule.host, *rule.rewrite.names) for rule in model.rules} == {("amp.a.example", "fold_amp_host")}
    assert ruled(model).key("http://amp.a.example/story/7") == f"{HOST}/story/7"
    others = learned((url, (url, n)) for url, n in rows)
    assert others.rules == ()


def test_the_order_of_values_goes_where_it_changes_nothing(ruled):
    rows = []
    for n in range(300):
        rows += [(f"{HOST}/list/{n}?part={a}&part={b}", (n, max(a, b))) for a, b in ORDERS]
        rows += [(f"{HOST}/compare/{n}?part={a}&part={b}", (n, a, b)) for a, b in ORDERS]
    model = learned(rows)
    assert rules_of(model) == [("/list/{int}", "on", ("sort_values",))]
    assert ruled(model).key(f"{HOST}/list/7?part=9&part=8") == f"{HOST}/list/7?part=8&part=9"


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(lambda n, front: (n, front if n % 25 == 0 else ""), id="translated, one page of 25"),
        pytest.param(lambda n, front: (n, front) if n % 3 else "please log in", id="behind a form, one page of three"),
    ],
)
def test_a_prefix_that_names_other_pages_stays(content):
    rows = [(f"{HOST}{front}/page/{n}", content(n, front)) for n in range(300) for front in ("", "/en")]
    assert learned(rows).rules == ()


def test_a_token_that_opens_other_documents_stays():
    rows = [(f"{HOST}/k-{token(n, k)}/doc/{n}", (n, k if n % 2 else "")) for n in range(300) for k in "abc"]
    assert learned(rows).rules == ()


def test_pages_that_a_sitemap_lists_with_and_without_a_prefix_stay():
    seen = [Observation(f"{HOST}{front}/page/{n}", str(n), time=n) for n in range(300) for front in ("", "/en")]
    seen += [Observation(one.url, None, listed=True) for one in seen]
    assert learn(seen, budget=0.001).rules == ()


def test_reports_and_models_hold_what_is_cut():
    model = learned((f"{HOST}{front}/story/{n}", n) for n in range(300) for front in ("", "/amp"))
    assert "path ^/amp/" in as_text(model)
    assert "cut out of the path" in as_html(model)
    again = Model.from_json(model.as_json())
    assert rule_file(again) == rule_file(model)


def news(content, pages=300):
    tails = ("", "?color=red")
    return [
        Observation(f"{HOST}{front}/story/{n}{tail}", str(content(n, front, tail)), time=n)
        for n in range(pages)
        for front in ("", f"/s_{token(n)}", f"/s_{token(n, 'b')}")
        for tail in tails
    ]


def test_later_observations_tell_a_cut_from_what_stands_behind_it():
    model = learn(news(lambda n, *_: n), budget=0.001, date="2026-11-30")
    assert sorted(kind for _, kind, _ in rules_of(model)) == ["drop", "path"]
    cut_fails = updated(model, news(lambda n, front, _: (n, front), 20), date="2026-12-01")
    assert [one.rewrite.kind for one in cut_fails.suspended] == ["path"]
    drop_fails = updated(model, news(lambda n, _, tail: (n, tail), 20), date="2026-12-01")
    assert [one.rewrite.kind for one in drop_fails.suspended] == ["drop"]


def test_later_observations_count_for_rules_behind_a_cut():
    model = learn(news(lambda n, *_: n), budget=0.001, date="2026-11-30")
    watch = Watch(model)
    # No page is seen without its session any more.
    learn([one for one in news(lambda n, *_: n, 20) if "/s_" in one.url], see=watch.see)
    (drop,) = (one.identity for one in model.rules if one.rewrite.kind == "drop")
    assert watch.counts[drop].trials > 20
    assert watch.counts[drop].failures == 0


def test_later_observations_suspend_an_order_that_has_come_to_matter():
    def rows(content, pages):
        return [
            Observation(f"{HOST}/list/{n}?part={a}&part={b}", str(content(n, a, b)), time=n)
            for n in range(pages)
            for a, b in ORDERS
        ]

    def alike(n, a, b):
        return n, max(a, b)

    model = learn(rows(alike, 300), budget=0.001, date="2026-11-30")
    assert [kind for _, kind, _ in rules_of(model)] == ["on"]
    assert updated(model, rows(alike, 20), date="2026-12-01").suspended == ()
    done = updated(model, rows(lambda *about: about, 20), date="2026-12-01")
    assert [one.rewrite.names for one in done.suspended] == [("sort_values",)]
