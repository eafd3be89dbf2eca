"""Rules that later observations confirm, suspend, bring back; the test behind it; simulated migrations."""

import json
import math
import random
from dataclasses import replace

import pytest

from command import urlkey
from urlkey import Policy
from urlkey.learn import Model, Observation, UpdateRefused, is_sentinel, learn, rule_file, sentinels, updated
from urlkey.learn.drift import ALARM, BACK, Watch, against, in_favour

DAY = 86_400


def rows_of(host="shop.example", pages=300, tails=("", "?color=red", "?color=blue"), content=lambda n, tail: n):
    return [
        Observation(f"http://{host}/p/{n}{tail}", str(content(n, tail)), time=n) for n in range(pages) for tail in tails
    ]


def rebuilt(n, tail):
    return n, tail


ROWS = rows_of()
MODEL = learn(ROWS, budget=0.001, date="2026-11-30")


def test_an_update_keeps_what_holds_and_fades_what_was_seen_long_ago():
    done = updated(MODEL, rows_of(pages=100), date="2027-02-28")
    (rule,) = done.kept
    assert (rule.trials, rule.failures) == (600 // 2 + 200, 0)
    assert [*done.added, *done.suspended, *done.recovered, *done.outgrown, *done.expired, *done.flipped] == []
    long_ago = updated(MODEL, [], date="2029-11-30")
    assert [one.refused for one in long_ago.expired] == ["expired"]
    assert long_ago.model.rules == ()


def test_a_rule_is_suspended_when_its_site_is_rebuilt():
    done = updated(MODEL, rows_of(pages=9, content=rebuilt), date="2026-12-01")
    (rule,) = done.suspended
    assert (rule.rewrite.names, rule.refused) == (("color",), "suspended")
    assert rule.failures == rule.trials > 0
    assert not any(sample.same for sample in rule.samples)
    assert done.model.rules == ()


def test_a_single_failure_suspends_nothing_and_the_budget_has_the_last_word():
    rare = rows_of(content=lambda n, tail: (n, tail if n == 7 else ""))
    done = updated(MODEL, rare, date="2026-12-01")
    assert done.suspended == ()
    (rule,) = done.outgrown
    assert (rule.refused, rule.failures) == ("risk", 2)
    assert updated(replace(MODEL, budget=0.1), rare, date="2026-12-01").kept[0].failures == 2


def test_what_fails_seldom_has_gone_before_long():
    model, updates = replace(MODEL, budget=0.05), 0
    seeping = rows_of(pages=40, content=lambda n, tail: (n, tail if n % 10 == 2 else ""))
    while model.rules:
        done = updated(model, seeping, date="2026-12-01")
        model, updates = done.model, updates + 1
    assert 1 < updates < 10
    assert [one.rewrite.names for one in (*done.suspended, *done.outgrown)] == [("color",)]


def test_a_suspended_rule_comes_back_after_as_much_proof_and_no_sooner():
    model = updated(MODEL, rows_of(pages=9, content=rebuilt), date="2026-12-01").model
    days = 0
    while not model.rules:
        done = updated(model, rows_of(pages=40), date="2026-12-02")
        model, days = done.model, days + 1
    # 80 clean trials a day.
    assert math.ceil(math.log(ALARM) / -math.log(1 - BACK) / 80) <= days <= 6
    (rule,) = done.recovered
    assert rule.trials == 80 * days
    assert rule.failures == 0


def test_a_suspended_rule_that_fails_again_starts_anew():
    model = updated(MODEL, rows_of(pages=9, content=rebuilt), date="2026-12-01").model
    for _ in range(4):
        model = updated(model, rows_of(pages=40), date="2026-12-02").model
    model = updated(model, rows_of(pages=9, content=rebuilt), date="2026-12-03").model
    for _ in range(4):
        model = updated(model, rows_of(pages=40), date="2026-12-04").model
    assert model.rules == ()


def test_what_is_rebuilt_elsewhere_on_the_host_suspends_nothing():
    elsewhere = [replace_path(row) for row in rows_of(pages=100, content=rebuilt)]
    done = updated(MODEL, [*elsewhere, *rows_of(pages=3)], date="2026-12-01")
    assert [one.path for one in done.kept] == ["/p/{int}"]


def replace_path(row):
    return row._replace(url=row.url.replace("/p/", "/list/"))


def test_of_two_rules_the_one_that_fails_is_suspended():
    tails = ("", "?a=1", "?a=2", "?b=1", "?a=1&b=1", "?a=2&b=2")
    model = learn(rows_of(tails=tails), budget=0.01, date="2026-11-30")
    assert {one.rewrite.names for one in model.rules} == {("a",), ("b",)}
    later = rows_of(tails=tails, content=lambda n, tail: (n, tail.partition("b=")[2]))
    done = updated(model, later, date="2026-12-01")
    assert [one.rewrite.names for one in done.suspended] == [("b",)]
    assert [one.rewrite.names for one in done.kept] == [("a",)]


def test_walls_are_no_evidence_of_drift():
    walled = rows_of(pages=100, content=lambda n, tail: "log in" if tail else n)
    assert len(updated(MODEL, walled, date="2026-12-01").kept) == 1


def test_an_update_that_turns_too_much_upside_down_is_refused():
    before = learn(rows_of(content=rebuilt), budget=0.001, date="2026-11-30")
    with pytest.raises(UpdateRefused, match="content before"):
        updated(before, ROWS)
    assert len(updated(before, ROWS, flips=1.0).flipped) <= 1
    with pytest.raises(ValueError, match="two policies"):
        updated(MODEL, ROWS, policy="safe")


def test_a_model_keeps_what_the_test_has_gathered():
    model = replace(MODEL, budget=0.05)
    seeping = rows_of(pages=12, content=lambda n, tail: (n, tail if n in (7, 8) else ""))
    (rule,) = updated(model, seeping, date="2026-12-01").kept
    assert rule.alarm > 0
    again = Model.from_json(updated(model, seeping, date="2026-12-01").model.as_json())
    assert again.rules[0].alarm == rule.alarm


@pytest.mark.parametrize("allowed", [1e-4, 1e-3, 1e-2, 0.3])
@pytest.mark.parametrize("trials", [1, 7, 150])
def test_the_test_is_an_e_value(allowed, trials):
    """Its mean is at most 1 at any rate that is allowed: summed over all counts, not simulated."""
    for rate in (allowed, allowed / 10):
        assert mean(lambda x: against(trials, x, allowed), trials, rate) <= 1 + 1e-9
    assert mean(lambda x: in_favour(trials, x, allowed), trials, BACK) <= 1 + 1e-9
    assert mean(lambda x: in_favour(trials, x, allowed), trials, 0.5) <= 1 + 1e-9


def mean(value, trials, rate):
    total = 0.0
    for failures in range(trials + 1):
        ways = math.lgamma(trials + 1) - math.lgamma(failures + 1) - math.lgamma(trials - failures + 1)
        chance = ways + failures * math.log(rate) + (trials - failures) * math.log1p(-rate)
        total += math.exp(chance + value(failures))
    return total


def alarms(rng, rate, allowed, updates, trials=100):
    """When a rule of this rate is suspended, over so many updates; it starts anew each time."""
    found, proof = [], 0.0
    for update in range(updates):
        failures = sum(rng.random() < rate for _ in range(trials))
        proof = max(proof, 0.0) + against(trials, failures, allowed)
        if proof >= math.log(ALARM):
            found.append(update)
            proof = 0.0
    return found


def test_false_alarms_are_as_rare_as_is_said_and_migrations_are_seen_soon():
    rng = random.Random(1)
    # At the worst rate that is allowed: no more than one in a thousand updates.
    assert len(alarms(rng, 0.01, 0.01, 10_000)) <= 10
    assert alarms(rng, 1e-4, 1e-3, 2000) == []
    for rate, soon in ((0.5, 1), (0.1, 2), (0.02, 12)):
        first = [alarms(rng, rate, 1e-3, 60)[0] for _ in range(20)]
        assert sum(first) / len(first) <= soon


def simulated(rng, host, day, moves):
    """A day of a crawl that follows the rules, sentinels aside: bare pages, and half a percent of what is merged."""
    for n in range(60):
        url = f"http://{host}/p/{n}"
        yield Observation(url, f"{n}", time=day * DAY)
        for _ in range(100):
            tail = f"?color=c{rng.randrange(10**6)}"
            if is_sentinel(url + tail):
                content = f"{n} {tail}" if moves is not None and day >= moves else f"{n}"
                yield Observation(url + tail, content, time=day * DAY + 60)


def test_a_migration_is_seen_by_sentinels_alone_and_nothing_else_is_suspended():
    rng = random.Random(7)
    hosts = {f"shop{number}.example": (5 if number % 3 == 0 else None) for number in range(12)}
    rows = [row for host in hosts for row in rows_of(host, pages=150)]
    model = learn(rows, budget=0.001, date="2026-11-01")
    assert len(model.rules) == 12
    seen = {}
    for day in range(2, 12):
        later = [row for host, moves in hosts.items() for row in simulated(rng, host, day, moves)]
        done = updated(model, later, date=f"2026-11-{day + 1:02}")
        model = done.model
        seen |= {one.host: day for one in done.suspended}
    assert set(seen) == {host for host, moves in hosts.items() if moves}
    assert all(day == 5 for day in seen.values())


def test_sentinels_are_a_share_of_the_merges_told_by_the_url():
    every = sentinels(MODEL, ROWS, share=1.0)
    some = sentinels(MODEL, ROWS, share=0.2)
    assert len(every) == 600
    assert 80 < len(some) < 160
    assert all(is_sentinel(pair.b, share=0.2) for pair in some)
    assert some != sentinels(MODEL, ROWS, share=0.2, seed="december")


def test_what_is_learned_later_is_learned_on_top_of_what_holds():
    watch = Watch(MODEL)
    assert learn(ROWS, budget=0.001, see=watch.see).rules == ()
    (counts,) = watch.counts.values()
    assert (counts.trials, counts.failures, counts.merges) == (600, 0, 600)


def test_of_two_names_of_a_page_one_stays_however_they_come():
    """Either of id and slug names the page: a rule for the one was learned first, then a crawl has both."""

    def view(number, query):
        return Observation(f"http://shop.example/view?{query}", str(number), time=number)

    first = [view(n, query) for n in range(200) for query in (f"id={n}", f"id={n}&slug=s{n}", f"id={n}&slug=old{n}")]
    model = learn(first, budget=0.01, date="2026-11-30")
    assert [one.rewrite.names for one in model.rules] == [("slug",)]
    both = [view(n, query) for n in range(200) for query in (f"slug=s{n}", f"id={n}&slug=s{n}", f"id=0{n}&slug=s{n}")]
    # Links of slugs alone now make one page of all: slug is content, and id may go, which was content before.
    with pytest.raises(UpdateRefused):
        updated(model, both, date="2026-12-01")
    done = updated(model, both, date="2026-12-01", flips=1.0)
    assert [one.rewrite.names for one in done.suspended] == [("slug",)]
    assert [one.rewrite.names for one in done.model.rules] == [("id",)]
    # While slug holds, id is tried on what is left without it, and stays.
    done = updated(model, first, date="2026-12-01")
    assert [one.rewrite.names for one in done.model.rules] == [("slug",)]


def test_a_name_that_goes_has_no_default_beside_it(tmp_path):
    values = ("", "?view=grid", "?view=list")
    default = rows_of(tails=values, content=lambda n, tail: (n, "list" in tail))
    model = learn(default, budget=0.05, date="2026-11-30")
    assert [one.rewrite.kind for one in model.rules] == ["default"]
    done = updated(model, rows_of(pages=400, tails=values), date="2027-11-30", flips=1.0)
    assert [one.rewrite.kind for one in done.model.rules] == ["drop"]
    path = tmp_path / "rules.toml"
    path.write_text(rule_file(done.model), encoding="utf-8")
    assert Policy.load("crawl", rules=[path]).key("http://shop.example/p/1?view=list") == "http://shop.example/p/1"


def test_sentinels_and_updates_of_the_command(tmp_path):
    (tmp_path / "o.jsonl").write_text("\n".join(json.dumps(row._asdict()) for row in ROWS))
    urlkey("learn", "-q", "o.jsonl", "--budget", "0.01", "--model", "m.json", cwd=tmp_path)
    run = urlkey("learn", "sentinels", "m.json", "o.jsonl", "--share", "0.2", cwd=tmp_path)
    pairs = [json.loads(line) for line in run.stdout.splitlines()]
    assert pairs == [
        {"model": pair.model, "key": pair.key, "a": pair.a, "b": pair.b}
        for pair in sentinels(learn(ROWS, budget=0.01), ROWS, share=0.2, seed=0)
    ]
    assert b"pairs; fetch both" in run.stderr
    later = [{"url": url, "fingerprint": f"{url}", "time": 9} for pair in pairs for url in (pair["a"], pair["b"])]
    (tmp_path / "later.jsonl").write_text("\n".join(map(json.dumps, later)))
    run = urlkey("learn", "update", "m.json", "later.jsonl", "-o", "r.toml", cwd=tmp_path)
    assert run.returncode == 0
    assert b"1 suspended" in run.stderr
