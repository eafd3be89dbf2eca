"""The learner: bounds, places, trials, guards, the budget, rule files, and what arrives in another order."""

import json
import random

import pytest

import urlkey
from urlkey.learn import Guards, Model, ModelError, Observation, ObservationError, learn, read, rule_file, upper
from urlkey.learn.bounds import zero_failures
from urlkey.learn.findings import REFUSALS
from urlkey.learn.paths import covers, places, segments, text
from urlkey.learn.prior import GRID, before, fitted

HOST = "http://shop.example"


def shop(pages=300, tails=("", "?color=red", "?color=blue"), content=lambda page, tail: page):
    """Rows of a shop: a page and what its links carry; `content` says what is told apart."""
    return [
        Observation(f"{HOST}/p/{page}{tail}", str(content(page, tail)), time=page * 3 + place)
        for page in range(pages)
        for place, tail in enumerate(tails)
    ]


def rules_of(model):
    return [(rule.path, rule.rewrite.kind, rule.rewrite.names) for rule in model.rules]


def refusals_of(model):
    return {rule.rewrite.names: rule.refused for rule in model.findings if rule.refused}


def loaded(model, tmp_path):
    path = tmp_path / "rules.toml"
    path.write_text(rule_file(model), encoding="utf-8")
    return urlkey.Policy.load("crawl", rules=[path])


# What is known of the bound without one failure, and with one and two (research/learning.md, section 2).
@pytest.mark.parametrize(
    ("failures", "trials", "bound"),
    [(0, 29, 0.1), (0, 59, 0.05), (0, 299, 0.01), (0, 29_956, 1e-4), (1, 47_437, 1e-4), (2, 62_956, 1e-4)],
)
def test_the_bound_is_clopper_and_pearsons(failures, trials, bound):
    assert upper(failures, trials) == pytest.approx(bound, rel=0.02)
    assert upper(failures, trials) <= bound < upper(failures, trials - 1)


def test_the_bound_is_the_rate_at_which_so_few_failures_become_unlikely():
    rng = random.Random(1)
    for failures, trials in [(3, 40), (20, 100), (7, 9)]:
        rate = upper(failures, trials)
        seen = sum(sum(rng.random() < rate for _ in range(trials)) <= failures for _ in range(4000))
        assert seen / 4000 == pytest.approx(0.05, abs=0.012)


def test_the_bound_of_nothing_is_one_and_of_nonsense_an_error():
    assert upper(0, 0) == upper(5, 5) == 1.0
    assert zero_failures(0.01) == 299
    for counts in [(-1, 5), (6, 5)]:
        with pytest.raises(ValueError, match="allowed"):
            upper(*counts)
    with pytest.raises(ValueError, match="allowed"):
        zero_failures(0)


def test_the_prior_is_a_distribution_and_follows_what_was_seen():
    assert sum(before()) == pytest.approx(1)
    assert len(before()) == len(GRID)
    clean = fitted([((200, 0), "a", "x")] * 500)
    mixed = fitted([((200, 0), "a", "x")] * 250 + [((200, 2), "a", "x")] * 250)
    assert sum(clean.whole) == pytest.approx(1)
    assert clean.mean(100, 0, "a", "x") < mixed.mean(100, 0, "a", "x") / 3
    # A class that was never seen takes the whole; more failures are worse, more trials better.
    assert clean.mean(100, 0, "b", "y") > clean.mean(1000, 0, "b", "y")
    assert clean.mean(100, 1, "b") > clean.mean(100, 0, "b")


@pytest.mark.parametrize("counts", [(10**6, 10**6), (10**6, 0), (10**6, 500_000), (1, 1), (3, 2)])
def test_the_prior_has_a_mean_for_any_counts(counts):
    for prior in (fitted([]), fitted([((10**6, 0), "a", "x")] * 99), fitted([((10**6, 10**6), "a", "x")] * 99)):
        trials, failures = counts
        assert 0 < prior.mean(trials, failures, "a", "x") < 1
        if trials > 10**5:
            assert prior.mean(trials, failures, "a", "x") == pytest.approx(failures / trials, abs=0.2)


def test_many_numbers_are_one_place_and_few_are_names():
    found = places([f"/p/{n}" for n in range(40)] + ["/about", "/c/1", "/c/2"] + [f"/x/{n}.html" for n in range(99)])
    assert {text(place) for place in found.values()} == {"/p/{int}", "/about", "/c/1", "/c/2", "/x"}
    shop = places([f"/lamps/{n % 10}/item-{n:03}" for n in range(90)] + [f"/lamps/{n}" for n in range(10)])
    assert {text(place) for place in shop.values()} == {"/lamps/{int}", "/lamps/{int}/{slug}"}
    assert found["/x/7.html"] == ("x",)
    assert segments("/") == ()


@pytest.mark.parametrize("place", ["/", "/a", "/a/{int}", "/{slug}", "/{hex}/b", "/{date}", "/{uuid}"])
def test_a_place_covers_what_a_rule_for_it_covers(place, tmp_path):
    (tmp_path / "r.toml").write_text(f'schema = 1\n[[site]]\nhost = "a.example"\npath = "{place}"\ndrop = ["x"]\n')
    policy = urlkey.Policy.load("crawl", rules=[tmp_path / "r.toml"])
    paths = ["/", "/a", "/a/7", "/a/x", "/ab", "/ab/b", "/7", "/2026-11-30", "/20261130/x", "/a.b", "/a/7/c"]
    paths.append("/123e4567-e89b-12d3-a456-426614174000/x")
    for path in paths:
        acts = "x=" not in policy.key(f"http://a.example{path}?x=1")
        assert covers(segments(place), segments(path)) is acts, path


def test_a_parameter_without_content_is_dropped_where_it_was_seen(tmp_path):
    model = learn(shop(), budget=0.001)
    assert rules_of(model) == [("/p/{int}", "drop", ("color",))]
    (rule,) = model.rules
    assert (rule.trials, rule.failures, rule.groups, rule.merges) == (600, 0, 300, 600)
    policy = loaded(model, tmp_path)
    assert policy.key(f"{HOST}/p/9?color=green&id=1") == f"{HOST}/p/9?id=1"
    assert policy.key(f"{HOST}/q/9?color=green") == f"{HOST}/q/9?color=green"


def test_a_parameter_that_is_the_page_stays():
    model = learn(shop(content=lambda page, tail: (page, tail)), budget=0.1)
    assert model.rules == ()
    assert refusals_of(model) == {("color",): "content"}


def test_one_page_in_a_hundred_is_enough_to_refuse():
    model = learn(shop(content=lambda page, tail: (page, tail if page % 33 == 0 else "")), budget=0.1)
    assert refusals_of(model) == {("color",): "content"}


def test_few_trials_are_too_few():
    model = learn(shop(pages=4), budget=0.5)
    assert refusals_of(model) == {("color",): "few"}


def test_the_budget_decides_between_what_is_known_well_and_what_is_not():
    rows = shop()
    assert rules_of(learn(rows, budget=1e-6)) == []
    assert refusals_of(learn(rows, budget=1e-6)) == {("color",): "risk"}
    assert learn(rows, budget=1e-3).estimate <= 0.5e-3
    for budget in (0, 1, -1.0, float("nan")):
        with pytest.raises(ValueError, match="budget"):
            learn([], budget=budget)


def test_a_login_form_teaches_nothing():
    model = learn(shop(content=lambda page, tail: "please log in"), budget=0.5)
    assert model.rules == ()
    assert learn(
        shop(content=lambda page, tail: "please log in"), budget=0.5, guards=Guards(walls=False, diversity=0)
    ).rules


def test_a_login_form_behind_one_script_teaches_nothing():
    rows = [(f"{HOST}/view?id={n}&ref={r}", "please log in") for n in range(100) for r in "abc"]
    assert learn(rows, budget=0.5).rules == ()


def test_a_product_under_four_categories_is_no_wall(tmp_path):
    rows = [
        (f"{HOST}/{kind}/{(n * times) % 10}/item-{n:03}?sort={sort}", str(n))
        for n in range(100)
        for kind, times in (("lamps", 1), ("brands", 3), ("rooms", 7), ("gifts", 9))
        for sort in ("name", "price")
    ]
    lists = [f"{HOST}/{kind}/{c}" for kind in ("lamps", "brands", "rooms", "gifts") for c in range(10)]
    rows += [(f"{url}?sort={sort}", f"{url} {sort}") for url in lists for sort in ("name", "price")]
    # A form stands under far more.
    rows += [(f"{HOST}/account/{n}?tab={tab}", "log in") for n in range(60) for tab in "ab"]
    model = learn(rows, budget=0.05)
    assert {rule.rewrite.names for rule in model.rules} == {("sort",)}
    policy = loaded(model, tmp_path)
    assert policy.key(f"{HOST}/lamps/3/item-003?sort=name") == policy.key(f"{HOST}/lamps/3/item-003?sort=price")
    assert policy.key(f"{HOST}/lamps/3?sort=name") != policy.key(f"{HOST}/lamps/3?sort=price")


def test_ids_of_which_either_would_do_are_not_dropped_together():
    rows = [(f"{HOST}/view?id={n}&slug=thing-{n}", str(n)) for n in range(200)]
    rows += [(f"{HOST}/view?id={n}", str(n)) for n in range(0, 200, 2)]
    rows += [(f"{HOST}/view?slug=thing-{n}", str(n)) for n in range(0, 200, 5)]
    dropped = {name for rule in learn(rows, budget=0.5).rules for name in rule.rewrite.names}
    assert not {"id", "slug"} <= dropped
    assert "id" not in dropped


def test_an_endless_list_of_empty_pages_teaches_nothing():
    rows = [
        (f"{HOST}/room/{room}?month={year}-01", f"{room} empty") for room in range(40) for year in range(1900, 1930)
    ]
    model = learn(rows, budget=0.5)
    assert model.rules == ()
    assert refusals_of(model) == {("month",): "constant"}


def test_two_parameters_that_never_come_back_go_together(tmp_path):
    rng = random.Random(3)
    rows = [
        (f"{HOST}/t?topic={topic}&sk={rng.getrandbits(64):016x}&ts={rng.getrandbits(40)}", str(topic))
        for topic in range(60)
        for _ in range(6)
    ]
    model = learn(rows, budget=0.01)
    assert rules_of(model) == [("/t", "drop", ("sk", "ts"))]
    assert loaded(model, tmp_path).key(f"{HOST}/t?topic=1&sk=ab&ts=2") == f"{HOST}/t?topic=1"


def test_a_value_that_is_the_default_goes_and_others_stay(tmp_path):
    rows = [
        (f"{HOST}/list/{n}{tail}", f"{n} {page}")
        for n in range(120)
        for tail, page in (("", 1), ("?page=1", 1), ("?page=2", 2), ("?page=3", 3))
    ]
    model = learn(rows, budget=0.01)
    assert [(rule.rewrite.kind, rule.rewrite.value) for rule in model.rules] == [("default", "1")]
    policy = loaded(model, tmp_path)
    assert policy.key(f"{HOST}/list/5?page=1") == f"{HOST}/list/5"
    assert policy.key(f"{HOST}/list/5?page=11") == f"{HOST}/list/5?page=11"


def test_several_values_that_change_nothing_go_and_the_one_that_does_stays(tmp_path):
    rows = [
        (f"{HOST}/g/{n}{tail}", f"{n} {tail == '?view=print'}")
        for n in range(120)
        for tail in ("", "?view=grid", "?view=list", "?view=print")
    ]
    policy = loaded(learn(rows, budget=0.01), tmp_path)
    assert policy.key(f"{HOST}/g/5?view=grid") == policy.key(f"{HOST}/g/5?view=list") == f"{HOST}/g/5"
    assert policy.key(f"{HOST}/g/5?view=print") == f"{HOST}/g/5?view=print"
    assert policy.key(f"{HOST}/g/5?view=grid2") == f"{HOST}/g/5?view=grid2"


def test_a_parameter_of_which_only_the_presence_counts_loses_its_value(tmp_path):
    rows = [
        (f"{HOST}/text/{n}{tail}", f"{n} {bool(tail)}")
        for n in range(120)
        for tail in ("", f"?print={n}", f"?print={n + 1}", f"?print={n * 7}")
    ]
    policy = loaded(learn(rows, budget=0.01), tmp_path)
    assert policy.key(f"{HOST}/text/5?print=1") == policy.key(f"{HOST}/text/5?print=2") != policy.key(f"{HOST}/text/5")


def test_a_page_that_was_rewritten_is_no_failure():
    def content(page, tail):
        return page

    rows = [
        Observation(
            f"{HOST}/p/{page}?ref={ref}", f"{page} {ref >= 3}" if page % 10 == 0 else str(page), time=page + ref * 1000
        )
        for page in range(200)
        for ref in range(6)
    ]
    assert rules_of(learn(rows, budget=0.01)) == [("/p/{int}", "drop", ("ref",))]
    # Without times nobody can tell; contents that go to and fro are no rewriting.
    assert learn([row._replace(time=None) for row in rows], budget=0.01).rules == ()


def test_a_permanent_redirect_says_what_a_content_would():
    rows = [Observation(f"{HOST}/go?id={n}", str(n), status=200) for n in range(200)]
    for status, rules in ((301, 1), (308, 1), (302, 0), (303, 0)):
        moved = [
            Observation(f"{HOST}/go?id={n}&ref={r}", status=status, redirect=f"{HOST}/go?id={n}")
            for n in range(200)
            for r in "ab"
        ]
        assert len(learn(rows + moved, budget=0.01).rules) == rules, status


def test_what_was_cut_off_failed_or_is_in_another_language_is_not_compared():
    for change in ({"truncated": True}, {"status": 404}, {"fingerprint": None}):
        assert learn([row._replace(**change) for row in shop()], budget=0.5).rules == ()
    rows = [row._replace(language="de" if "red" in row.url else "en") for row in shop(tails=("", "?color=red"))]
    assert learn(rows, budget=0.5).rules == ()


def test_contents_that_lie_weeks_apart_are_not_compared():
    weeks = {"": 0, "?color=red": 1, "?color=blue": 2}
    rows = [
        row._replace(time=weeks[row.url.partition("?")[1] + row.url.partition("?")[2]] * 9 * 86_400.0) for row in shop()
    ]
    assert learn(rows, budget=0.5).rules == ()


def test_rows_in_any_order_and_through_files_give_one_model():
    rows = [
        *shop(),
        *(row._replace(url=row.url.replace("shop", "www.store")) for row in shop(tails=("", "?a=1", "?b=2"))),
    ]
    model = learn(rows, budget=0.01, date="2026-11-30")
    shuffled = random.Random(5).sample(rows, len(rows))
    assert learn(shuffled, budget=0.01, date="2026-11-30") == model
    assert learn(shuffled, budget=0.01, date="2026-11-30", held=100) == model
    assert rule_file(learn(shuffled, budget=0.01, date="2026-11-30")) == rule_file(model)


def test_a_large_host_is_learned_from_a_sample_that_keeps_variants_together():
    model = learn(shop(pages=2000), budget=0.01, largest=1000)
    assert model.sampled == 1
    assert 400 < model.pages <= 1000
    assert rules_of(model) == [("/p/{int}", "drop", ("color",))]
    assert model.rules[0].merges == pytest.approx(2 * model.pages / 3, abs=2)
    script = [(f"{HOST}/view?id={n}&ref={r}", str(n)) for n in range(2000) for r in "abc"]
    assert rules_of(learn(script, budget=0.01, largest=1000)) == [("/view", "drop", ("ref",))]


def test_what_a_sample_holds_does_not_depend_on_what_came_first():
    rows = shop(pages=900)
    models = [learn(random.Random(seed).sample(rows, len(rows)), budget=0.01, largest=700) for seed in range(3)]
    assert models[0] == models[1] == models[2]
    one = [(f"{HOST}/view?id={n}", str(n)) for n in range(300)]
    assert learn(one, largest=100).pages <= 100
    # Thousands of variants of one page, which no hash of the page can part.
    assert learn([(f"{HOST}/p?a={n}", "x") for n in range(300)], largest=100).pages <= 100


def test_the_model_goes_into_json_and_comes_out_of_it():
    model = learn(shop(), budget=0.001, date="2026-11-30")
    assert Model.from_json(model.as_json()) == model
    data = json.loads(model.as_json())
    data["findings"][0]["rewrite"][1] = ["size"]
    for text_ in ("", "[]", "{}", json.dumps(data), json.dumps({**data, "format": 2}), "[" * 10_000):
        with pytest.raises(ModelError):
            Model.from_json(text_)


def test_the_model_id_is_that_of_what_the_rules_do():
    assert learn(shop(), budget=0.001).id == learn(shop(pages=299), budget=0.001, date="2026-11-30").id
    assert learn(shop(), budget=0.001).id != learn(shop(tails=("", "?size=1", "?size=2")), budget=0.001).id


def test_names_and_values_that_toml_and_rules_read_otherwise_come_through(tmp_path):
    tails = (
        "",
        "?a%22%5D=1",
        "?a%22%5D=2",
        "?x*=1",
        "?x*=2",
        "?%C3%A9t%C3%A9=1",
        "?%C3%A9t%C3%A9=2",
        "?/r/=1",
        "?/r/=2",
    )
    model = learn(shop(tails=tails), budget=0.01)
    assert len(model.rules) == 4
    policy = loaded(model, tmp_path)
    assert {policy.key(f"{HOST}/p/1{tail}") for tail in tails} == {f"{HOST}/p/1"}
    assert policy.key(f"{HOST}/p/1?xy=1") == f"{HOST}/p/1?xy=1"


def test_secrets_in_samples_are_masked_unless_asked_for():
    rows = shop(tails=("?token=abcdef0123456789", "?color=a&token=abcdef0123456789", "?color=b&token=abcdef0123456789"))
    model = learn(rows, budget=0.01)
    assert "abcdef0123456789" not in rule_file(model)
    assert "abcdef0123456789" in rule_file(model, secrets=True)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({}, "no url"),
        ({"url": 7}, "url is 7; allowed: a text"),
        ({"url": "x", "fingerprint": 1.5}, "fingerprint is 1.5"),
        ({"url": "x", "status": True}, "status is True"),
        ({"url": "x", "time": float("nan")}, "time is nan"),
        ({"url": "x", "truncated": 1}, "truncated is 1"),
    ],
)
def test_a_row_that_is_no_observation_is_an_error_that_says_why(row, words):
    with pytest.raises(ObservationError, match="row 2: ") as caught:
        learn([("http://a.example/", "x"), row])
    assert words in str(caught.value)


def test_a_url_without_a_key_is_counted_and_passed_over():
    model = learn(
        [*shop(), ("http://a.example:x/", "1"), ("mailto:a@b.example", "1"), ("", "1"), ("http://[::1]/?a", "1")]
    )
    assert (model.rows, model.refused_rows, model.hosts) == (904, 3, 2)


def test_every_refusal_has_words():
    assert all(words and not words.endswith(".") for words in REFUSALS.values())


def as_dicts(rows):
    return [{**row._asdict(), "extra": None} for row in rows]


def test_observations_come_from_json_lines_parquet_arrow_and_stores(tmp_path):
    import pyarrow as pa
    from pyarrow import feather, parquet

    from urlkey.store import Store

    rows = shop(pages=30)
    (tmp_path / "o.jsonl").write_text("".join(json.dumps(row) + "\n\n" for row in as_dicts(rows)))
    table = pa.Table.from_pylist([row._asdict() for row in rows])
    parquet.write_table(table, tmp_path / "o.parquet")
    feather.write_feather(table, str(tmp_path / "o.arrow"))
    with pa.OSFile(str(tmp_path / "o.arrows"), "wb") as file, pa.ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table)
    for name in ("o.jsonl", "o.parquet", "o.arrow", "o.arrows"):
        assert list(read(str(tmp_path / name))) == rows, name
    with Store.open(tmp_path / "o.db", policy="crawl") as store:
        for row in rows[:5]:
            store.add(row.url)
            store.fetched(row.url, status=200, content=b"\x01\x02", time=7)
    found = list(read(str(tmp_path / "o.db")))
    assert sorted(row.url for row in found) == sorted(row.url for row in rows[:5])
    assert {(row.fingerprint, row.time, row.status) for row in found} == {("0102", 7, 200)}


def test_a_file_with_odd_lines_gives_the_rest_and_says_where(tmp_path):
    path = tmp_path / "o.jsonl"
    path.write_bytes(b'{"url": "http://a.example/", "fingerprint": 1}\nnot json\n[1]\n{"url": 5}\n\xff\n')
    rows = read(str(path))
    assert [row.url for row in rows] == ["http://a.example/"]
    assert rows.bad == 4
    assert rows.first is not None
    assert rows.first.startswith(f"{path}:2: ")


def both(spelled, other, pages=60, content=lambda page, which: page):
    """Every page under two addresses."""
    return [
        Observation(address.format(page), str(content(page, which)), time=2 * page + which)
        for page in range(pages)
        for which, address in enumerate((spelled, other))
    ]


@pytest.mark.parametrize(
    ("rungs", "a", "b"),
    [
        (("fold_scheme",), "http://a.example/p/{}", "https://a.example/p/{}"),
        (("drop_www",), "https://www.a.example/p/{}", "https://a.example/p/{}"),
        (("fold_mobile_host",), "https://m.a.example/p/{}", "https://a.example/p/{}"),
        (("drop_trailing_slash",), "https://a.example/p/{}/", "https://a.example/p/{}"),
        (("drop_index",), "https://a.example/p/{}/index.html", "https://a.example/p/{}/"),
        (("collapse_slashes",), "https://a.example//p/{}", "https://a.example/p/{}"),
        (("lower_path",), "https://a.example/P/{}", "https://a.example/p/{}"),
        (("fold_scheme", "drop_www"), "http://www.a.example/p/{}", "https://a.example/p/{}"),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, tuple) else "",
)
def test_other_spellings_of_addresses_are_learned_where_content_is_equal(rungs, a, b, tmp_path):
    model = learn(both(a, b), budget=0.05)
    assert {rule.rewrite.kind for rule in model.rules} == {"on"}
    assert set(rungs) <= {name for rule in model.rules for name in rule.rewrite.names}
    policy = loaded(model, tmp_path)
    assert policy.key(a.format(7)) == policy.key(b.format(7))
    assert policy.key(a.format(7)) == policy.key(policy.key(a.format(7)))
    assert learn(both(a, b, content=lambda page, which: (page, which)), budget=0.9).rules == ()


def test_a_redirect_teaches_a_spelling_without_any_content(tmp_path):
    rows = [Observation(f"https://a.example/p/{n}/", status=200) for n in range(60)]
    rows += [
        Observation(f"https://a.example/p/{n}", status=301, redirect=f"https://a.example/p/{n}/") for n in range(60)
    ]
    policy = loaded(learn(rows, budget=0.05), tmp_path)
    assert policy.key("https://a.example/p/999/") == policy.key("https://a.example/p/999")


def test_many_spellings_of_one_page_are_no_wall(tmp_path):
    rows = [
        Observation(f"{scheme}://{www}a.example/p/{n}{slash}?ref={ref}", str(n), time=n)
        for n in range(60)
        for scheme in ("http", "https")
        for www in ("", "www.")
        for slash in ("", "/")
        for ref in "ab"
    ]
    policy = loaded(learn(rows, budget=0.05), tmp_path)
    assert len({policy.key(row.url) for row in rows}) == 60


def test_hosts_of_one_domain_that_differ_teach_no_rule_across_them():
    rows = both("https://www.a.example/p/{}", "https://a.example/p/{}", content=lambda page, which: (page, which))
    assert learn(rows, budget=0.9).rules == ()
    # Equal pages of two sites are no reason to join the sites.
    assert learn(both("https://a.example/p/{}", "https://b.example/p/{}"), budget=0.9).rules == ()
