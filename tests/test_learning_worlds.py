"""The simulator of bench/learning: what it says of its parameters is so, and every archetype defeats a naive learner,
while ours stands."""

import random
import sys
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

import urlkey
from urlkey.learn import learn, rule_file

sys.path.append(str(Path(__file__).parents[1] / "bench" / "learning"))

import measure
import naive
import sites
import world

ALL = [*world.ARCHETYPES, *world.HELD_BACK, *world.AFTER, *world.WAYS, *world.AFTER_WAYS]
LINKS = 600


def name(archetype):
    return archetype.__name__


def test_there_are_enough_archetypes_and_each_says_what_it_is():
    assert len(world.ARCHETYPES) >= 20
    assert len({name(one) for one in ALL}) == len(ALL)
    for one in ALL:
        assert one.__doc__
        assert set(one.params.values()) <= set(sites.EFFECTS)
        assert one.defeats[0] in naive.LEARNERS
        assert one.defeats[1] in ("merges", "misses")


def test_a_world_is_the_same_each_time_and_each_host_by_itself():
    first = [crawl.rows for crawl in world.world(2, seed=3, archetypes=world.ARCHETYPES[:3], links=100)]
    again = [world.crawl(one, number, 3, 100).rows for one in world.ARCHETYPES[:3] for number in range(2)]
    assert first == again
    assert world.crawl(world.ARCHETYPES[0], 0, 4, 100).rows != first[0]


@pytest.mark.parametrize("archetype", ALL, ids=name)
def test_parameters_do_what_the_archetype_says(archetype):
    rng = random.Random(1)
    changed = {}
    for number in range(2):
        site = world.crawl(archetype, number, links=1).site
        values = {}
        urls = [site.url(rng, 0.9) for _ in range(500)]
        for url in urls:
            for key, value in parse_qsl(urlsplit(url).query):
                values.setdefault(key, set()).add(value)
        for url in urls:
            parts = urlsplit(url)
            pairs = parse_qsl(parts.query)
            for key, _ in pairs:
                for other in rng.sample(sorted(values[key]), min(2, len(values[key]))):
                    swapped = [(k, other if k == key else v) for k, v in pairs]
                    there = site.true_page(parts._replace(query=urlencode(swapped)).geturl(), 0.9)
                    gone = [(k, v) for k, v in pairs if k != key]
                    without = site.true_page(parts._replace(query=urlencode(gone)).geturl(), 0.9)
                    page = site.true_page(url, 0.9)
                    role = next((role for role, own in site.names.items() if own == key), key)
                    note = changed.setdefault(role, [0, 0, 0])
                    note[0] += 1
                    note[1] += there != page
                    note[2] += without != page
    for role, effect in archetype.params.items():
        count, other, gone = changed[role]
        if effect == "none":
            assert (other, gone) == (0, 0), role
        elif effect == "presence":
            assert other == 0 < gone, role
        elif effect == "rare":
            assert 0 < other + gone < 0.5 * count, role
        else:
            assert other + gone > 0, role
    assert all(changed[role] == [changed[role][0], 0, 0] for role in ("utm_source", "utm_campaign"))


@pytest.mark.parametrize("archetype", ALL, ids=name)
def test_every_archetype_defeats_a_naive_learner_and_not_this_one(archetype, tmp_path):
    crawls = list(world.world(3, archetypes=[archetype], links=LINKS))
    learner, how = archetype.defeats
    found = measure.measured(crawls, naive.LEARNERS[learner]().fit(crawls).keys)
    assert found.removable > 10
    if how == "merges":
        assert found.rate > 0.005, "the naive learner merges different pages"
    else:
        assert found.removed < 0.5, "the naive learner leaves most duplicates"
    rows = [row.seen() for crawl in crawls for row in crawl.rows]
    rules = tmp_path / "rules.toml"
    rules.write_text(rule_file(learn(rows, budget=0.01)), encoding="utf-8")
    ours = measure.measured(crawls, urlkey.Policy.load("crawl", rules=[rules]).keys)
    assert ours.rate <= 0.005
    assert ours.removed >= measure.measured(crawls, urlkey.Policy("crawl").keys).removed
