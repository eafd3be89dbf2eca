"""Evidence and aliases: kept, taken back, whatever the order."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import urlkey
from stores.given import A2, A_KEY, BAD, A, B
from urlkey.evidence import Evidence, Findings, Recorder
from urlkey.store import Store

PAGES = [f"http://{name}.example/" for name in "abcdef"]


def expected_leader(page, edges):
    """The slow way to the key that stands for a page."""
    members, grown = {page}, True
    while grown:
        grown = False
        for source, target, _ in edges:
            if (source in members) != (target in members):
                members |= {source, target}
                grown = True
    if len(members) == 1:
        return page
    away = {source for source, target, _ in edges if source != target}
    weight = {member: sum(w for source, target, w in edges if target == member != source) for member in members}
    return min(members, key=lambda member: (member in away, -weight[member], len(member), member))


def test_an_alias_leads_to_its_target_until_it_is_undone(place):
    with Store.open(place) as store:
        store.add_many([A, B])
        edge = store.alias(A2, B, weight=0.9, reason="301", source="crawl", time=50)
        assert (store.resolve(A), store.resolve(B)) == (B, B)
        assert store.get(A).representative == B
        (kept,) = store.edges(A)
        assert (kept.id, kept.kind, kept.from_key, kept.to_key, kept.from_url) == (edge, "alias", A_KEY, B, A2)
        assert (kept.weight, kept.reason, kept.time, kept.source, kept.undone) == (0.9, "301", 50, "crawl", None)
        store.verify()
        store.undo(edge, time=60)
        assert store.resolve(A) == A_KEY
        assert store.edges()[0].undone == 60
        with pytest.raises(KeyError):
            store.undo(edge + 1_000)
        store.verify()


def test_two_writers_record_evidence_and_the_aliases_are_those_of_all_of_it(place):
    """Chains that grow from both ends and from two connections at once: one component, one leader."""
    pages = [f"http://a.example/{number}" for number in range(24)]
    pieces = [Evidence("redirect-permanent", one, other, 6.0, "") for one, other in pairwise(pages)]
    with Store.open(place) as one, Store.open(place) as other:

        def write(store, part):
            with Recorder(store, batch=2) as recorder:
                for piece in part:
                    recorder.add(Findings((piece,)))

        with ThreadPoolExecutor(2) as pool:
            for done in [pool.submit(write, one, pieces[::2]), pool.submit(write, other, pieces[-2::-2])]:
                done.result()
        assert {store.resolve(page) for page in pages for store in (one, other)} == {pages[-1]}
        one.verify()


def test_several_edges_are_undone_at_once(place):
    with Store.open(place) as store:
        ids = [store.alias(page, PAGES[0], time=1) for page in PAGES[1:]]
        store.undo(ids[:3], time=2)
        assert [store.resolve(page) for page in PAGES] == [PAGES[0], *PAGES[1:4], PAGES[0], PAGES[0]]
        assert store.edge(ids[0]).undone == 2
        assert store.edge(ids[4]).undone is None
        with pytest.raises(KeyError):
            store.undo([ids[4], ids[4] + 1_000])
        assert store.edge(ids[4]).undone is None
        with pytest.raises(KeyError):
            store.edge(ids[4] + 1_000)
        store.undo([])
        store.verify()


def test_a_change_of_several_calls_is_one(place):
    with Store.open(place) as store, Store.open(place) as other:
        store.add(A)
        with store.changing():
            store.add_many([B])
            store.add("http://c.example/")
            edge = store.alias(B, A)
            with store.changing():
                store.fetched(A, 200)
            assert (store.resolve(B), len(store)) == (A_KEY, 3)
            assert B not in other
        assert (other.resolve(B), len(other)) == (A_KEY, 3)

        def fail():
            with store.changing():
                store.undo(edge)
                store.add_many(["http://d.example/"])
                store.add("http://e.example/")
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            fail()
        assert (store.resolve(B), len(store)) == (A_KEY, 3)
        store.verify()


def test_evidence_of_other_kinds_is_kept_and_joins_nothing(place):
    with Store.open(place) as store:
        first, second = store.add_edges(
            [
                ("canonical", A, B, 0.8, "rel=canonical", 10, "page"),
                ("hreflang", A, B, -1.0, "other language", 11, "page"),
            ]
        )
        assert store.resolve(A) == A_KEY
        assert [edge.id for edge in store.edges(B)] == [first, second]
        assert [edge.weight for edge in store.edges(kind="hreflang")] == [-1.0]


def test_bad_urls_are_no_ends_of_edges(place):
    with Store.open(place) as store:
        with pytest.raises(urlkey.UrlKeyError):
            store.add_edges([("alias", A, B, 1, "", 1, ""), ("alias", A, BAD, 1, "", 1, "")])
        assert store.edges() == []
        assert store.resolve(A) == A_KEY


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.sampled_from(PAGES), st.sampled_from(PAGES), st.sampled_from([0.5, 1.0])), max_size=8),
    st.randoms(use_true_random=False),
)
def test_the_order_of_aliases_says_nothing(new_place, edges, rng):
    with Store.open(new_place()) as store:
        rng.shuffle(edges)
        ids = [store.alias(source, target, weight=weight) for source, target, weight in edges]
        assert [store.resolve(page) for page in PAGES] == [expected_leader(page, edges) for page in PAGES]
        gone = set(rng.sample(range(len(edges)), len(edges) // 2))
        for number in gone:
            store.undo(ids[number])
        left = [edge for number, edge in enumerate(edges) if number not in gone]
        assert [store.resolve(page) for page in PAGES] == [expected_leader(page, left) for page in PAGES]
        store.verify()
