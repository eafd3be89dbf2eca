"""The alias graph: the same groups and leaders whatever the order, in memory, in a store, by rounds on a cluster."""

import math
import random
from itertools import combinations, pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import urlkey
from urlkey import evidence
from urlkey.evidence import Evidence, Graph, Recorder, components, settle, settling, stars
from urlkey.store import Store

PAGES = ["http://a.example/", "https://a.example/", *(f"http://a.example/{name}" for name in ("x", "xy", "y", "z"))]
KINDS = [kind for kind in evidence.kinds() if kind not in ("content", "content-differs", "sitemap-both", "sitemap")]
KINDS.append("alias")


def weight(kind):
    return 0.0 if kind == "alias" else evidence.kinds()[kind].weight


def piece(kind, from_, to):
    return Evidence(kind, from_, to, weight(kind), "")


def rows(pieces):
    return [(one.kind, one.from_, one.to, one.weight) for one in pieces]


PIECES = st.lists(
    st.one_of(
        st.builds(piece, st.sampled_from(KINDS), st.sampled_from(PAGES), st.sampled_from(PAGES)),
        st.sampled_from(PAGES).map(lambda page: piece("sitemap", page, page)),
    ),
    max_size=14,
)
# What pages answered: a content, or an error.
ANSWERS = st.dictionaries(st.sampled_from(PAGES), st.sampled_from(["a", "a", "b", None]), max_size=4)


def contents_of(answers):
    return {page: content for page, content in answers.items() if content is not None}


def gone_of(answers):
    return {page for page, content in answers.items() if content is None}


def score(a, b, given_pieces, contents):
    """The slow way to what is said about two pages."""
    listed = {one.to for one in given_pieces if one.kind == "sitemap"}
    about = [one for one in given_pieces if {one.from_, one.to} == {a, b} and one.kind != "alias"]
    if any(one.weight <= -10 for one in about):
        return -math.inf
    signals = {}
    for one in about:
        signal = evidence.kinds()[one.kind].signal
        signals[signal] = max(signals.get(signal, 0), one.weight)
    if a in contents and b in contents:
        signals["content"] = 6 if contents[a] == contents[b] else -2
    if a in listed and b in listed:
        signals["sitemap"] = -2
    return sum(signals.values()) if about else -1


def believed(pieces, contents, gone):
    """The slow way to the pieces that count at all."""
    kept = []
    for one in pieces:
        if one.weight <= 0 or one.from_ == one.to:
            kept.append(one)
            continue
        is_claim = evidence.kinds()[one.kind].signal in ("canonical", "og-url")
        claims = [other for other in pieces if other.to == one.to != other.from_ and other.from_ in contents]
        claims = [other for other in claims if evidence.kinds().get(other.kind) and other.weight > 0]
        claims = [other for other in claims if evidence.kinds()[other.kind].signal in ("canonical", "og-url")]
        others = {contents[other.from_] for other in claims} - {contents.get(one.to)}
        alike = one.from_ in contents and contents[one.from_] == contents.get(one.to)
        shared = len(others) > (5 if one.to in contents else 1)
        if not (one.to in gone or (is_claim and shared and not alike)):
            kept.append(one)
    return kept


def alike(pieces, contents):
    """The slow way to pages that name one target and answered the same: each with the first by kind and key."""
    claims = [one for one in pieces if one.weight > 0 and one.from_ != one.to and one.from_ in contents]
    claims = [one for one in claims if one.kind in evidence.kinds()]
    claims = [one for one in claims if evidence.kinds()[one.kind].signal in ("canonical", "og-url")]
    claims.sort(key=lambda one: (one.kind, one.from_, one.to))
    found = []
    for one in claims:
        same = [two for two in claims if (two.to, contents[two.from_]) == (one.to, contents[one.from_])]
        if same[0].from_ != one.from_:
            found.append(Evidence("content", one.from_, same[0].from_, 6.0, ""))
    return found


def expected(pieces, contents, gone):
    """The slow way to the groups: sets, and every pair tried in the stated order."""
    pieces = believed(pieces, contents, gone) + alike(pieces, contents)
    group = {page: {page} for page in PAGES}

    def join(a, b):
        both = group[a] | group[b]
        for page in both:
            group[page] = both

    for one in pieces:
        if one.kind == "alias":
            join(one.from_, one.to)
    scores = {(a, b): score(a, b, pieces, contents) for a, b in combinations(sorted(PAGES), 2)}
    # What was joined by hand stays so: what keeps two of its members apart is not heard.
    apart = [pair for pair, found in scores.items() if found == -math.inf and pair[1] not in group[pair[0]]]
    for (a, b), found in sorted(scores.items(), key=lambda item: (-item[1], item[0])):
        forbidden = any((x in group[a] and y in group[b]) or (y in group[a] and x in group[b]) for x, y in apart)
        answered = [{contents[page] for page in group[end] if page in contents} for end in (a, b)]
        differ = all(answered) and not answered[0] & answered[1] and not {a, b} <= contents.keys()
        if found >= 3 and b not in group[a] and not forbidden and not differ:
            join(a, b)
    return {page: min(group[page], key=lambda one: rank(one, group[page], pieces, gone)) for page in PAGES}


MOVES = ("redirect-permanent", "redirect-permanent-away", "redirect-permanent-home", "refresh-instant")
NAMES = ("canonical", "amphtml", "alternate-media", "guid", "no-vary-search", "clean-param")


def rank(page, group, pieces, gone):
    """The stated order of leaders, the slow way."""
    away = [one for one in pieces if one.from_ == page and one.to in group - {page}]
    towards = {}
    for one in pieces:
        if one.to == page and one.from_ in group - {page}:
            place = one.from_, "alias" if one.kind == "alias" else evidence.kinds()[one.kind].signal
            towards[place] = max(towards.get(place, 0), one.weight)
    return (
        any(one.kind == "alias" for one in away),
        page in gone,
        any(one.kind in MOVES for one in away),
        any(one.kind != "alias" and evidence.kinds()[one.kind].signal in NAMES for one in away),
        not page.startswith("https:"),
        not any(one.kind == "sitemap" and one.to == page for one in pieces),
        -sum(towards.values()),
        len(page),
        page,
    )


@settings(max_examples=400, deadline=None)
@given(PIECES, ANSWERS)
def test_groups_and_leaders_are_those_of_the_slow_way(pieces, answers):
    leaders = settle(rows(pieces), contents_of(answers), gone_of(answers)).leaders
    slow = expected(pieces, contents_of(answers), gone_of(answers))
    assert leaders == {page: slow[page] for page in leaders}


def dense(kinds, pages):
    """Many pieces of few kinds about few pages."""
    return st.lists(
        st.builds(piece, st.sampled_from(kinds), st.sampled_from(pages), st.sampled_from(pages)), max_size=24
    )


@settings(max_examples=300, deadline=None)
@given(
    dense(["canonical", "redirect-permanent", "hreflang"], PAGES)
    | dense(["redirect-temporary", "redirect-permanent-home", "og-url", "canonical-bare", "amphtml"], PAGES[:3])
)
def test_groups_of_much_evidence_are_those_of_the_slow_way(pieces):
    leaders = settle(rows(pieces)).leaders
    slow = expected(pieces, {}, set())
    assert leaders == {page: slow[page] for page in leaders}


@settings(max_examples=150, deadline=None)
@given(PIECES, ANSWERS, st.randoms(use_true_random=False))
def test_the_order_of_arrival_says_nothing(pieces, answers, rng):
    """Pieces shuffled, asked for in between, some added twice or added and taken back: one result."""
    graph = Graph()
    extra = [piece(rng.choice(KINDS), rng.choice(PAGES), rng.choice(PAGES)) for _ in range(rng.randrange(4))]
    todo = [(one, True) for one in [*pieces, *rng.sample(pieces, len(pieces) // 2)]] + [(one, False) for one in extra]
    rng.shuffle(todo)
    observed = [(page, content, 404 if content is None else 200) for page, content in answers.items()]
    rng.shuffle(observed)
    taken_back = []
    for one, stays in todo:
        (number,) = graph.add([one])
        if not stays:
            taken_back.append(number)
        if observed and rng.random() < 0.3:
            page, content, status = observed.pop()
            graph.observe(page, content, status=status)
        if rng.random() < 0.3:
            graph.resolve(rng.choice(PAGES))
        if taken_back and rng.random() < 0.5:
            graph.retract(taken_back.pop())
    for number in taken_back:
        graph.retract(number)
    for page, content, status in observed:
        graph.observe(page, content, status=status)
    settled = settle(rows(pieces), contents_of(answers), gone_of(answers))
    assert {page: graph.resolve(page) for page in PAGES} == {page: settled.leaders.get(page, page) for page in PAGES}
    told = {one for page in PAGES for one in graph.refusals(page)}
    assert told == {one for one in settled.refusals if one.from_ in PAGES}


@settings(max_examples=100, deadline=None)
@given(PIECES, ANSWERS)
def test_components_settled_apart_give_what_all_give(pieces, answers):
    """What a cluster does: components first, then each by itself."""
    given_rows, known = rows(pieces), (contents_of(answers), gone_of(answers))
    linked = [(one[1], one[2]) for one in given_rows if evidence.links_keys(one[0], one[3])]
    of = components([*linked, *((key, key) for one in given_rows for key in one[1:3])])
    leaders, refusals = {}, set()
    for root in set(of.values()):
        part = settle([one for one in given_rows if of[one[1]] == of[one[2]] == root], *known)
        leaders |= part.leaders
        refusals |= set(part.refusals)
    whole = settle(given_rows, *known)
    assert {key: leaders.get(key, key) for key in whole.leaders} == whole.leaders
    assert refusals == set(whole.refusals)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(PIECES, ANSWERS, st.randoms(use_true_random=False))
def test_a_store_resolves_as_the_graph_does(tmp_path_factory, pieces, answers, rng):
    shuffled = list(pieces)
    rng.shuffle(shuffled)
    with Store.open(tmp_path_factory.mktemp("store") / "store.db") as store:
        for page, content in answers.items():
            store.fetched(page, 410 if content is None else 200, content=None if content is None else content.encode())
        for one in (one for one in shuffled if one.kind == "alias"):
            store.alias(one.from_, one.to)
        with Recorder(store, batch=3) as recorder:
            for one in shuffled:
                if one.kind != "alias":
                    recorder.add(evidence.Findings((one,)))
        evidence.settle_store(store, PAGES)
        leaders = settle(rows(pieces), contents_of(answers), gone_of(answers)).leaders
        assert {page: store.resolve(page) for page in PAGES} == {page: leaders.get(page, page) for page in PAGES}
        store.verify()
        gone = [edge.id for edge in store.edges() if edge.undone is None and edge.source != "urlkey.evidence"]
        for edge in rng.sample(gone, len(gone)):
            evidence.retract(store, edge)
        assert [store.resolve(page) for page in PAGES] == PAGES


# --- components

PAIRS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=20)


@given(PAIRS)
def test_components_name_the_smallest(pairs):
    found = components(pairs)
    assert set(found) == {node for pair in pairs for node in pair}
    for node, root in found.items():
        reached, grown = {node}, True
        while grown:
            more = {end for pair in pairs if reached & set(pair) for end in pair}
            grown, reached = bool(more - reached), reached | more
        assert root == min(reached)


@given(PAIRS)
def test_rounds_of_stars_give_the_same(pairs):
    assert stars(pairs) == components(pairs)


# --- what the graph does not do

A, B, C = "http://a.example/a", "http://a.example/b", "http://a.example/c"


def test_a_chain_of_good_reasons_does_not_join_what_one_keeps_apart():
    """A and B are one, B and C are one, and A is C in another language: the better reason wins."""
    graph = Graph()
    graph.add([piece("canonical", A, B), piece("redirect-permanent", B, C), piece("hreflang", A, C)])
    assert graph.group(B) == [B, C]
    assert graph.resolve(A) == A
    assert [(one.kind, one.reason) for one in graph.refusals(A)] == [("canonical", "cannot-link")]


def test_said_twice_is_not_worth_more():
    graph = Graph()
    graph.add([piece("redirect-temporary", A, B)] * 5)
    assert graph.resolve(A) == A
    graph.add([piece("og-url", A, B)])
    assert graph.resolve(A) == A
    graph.add([piece("canonical", A, B)])
    assert graph.resolve(A) == B


def test_the_pair_of_amp_needs_both_links():
    graph = Graph()
    graph.add([piece("amphtml", A, B)])
    assert graph.resolve(A) == A
    graph.add([piece("canonical", A, B)])
    assert graph.resolve(A) == B


def test_a_loop_of_canonical_links_joins_and_the_order_decides():
    graph = Graph()
    graph.add([piece("canonical", A, B), piece("canonical", B, A)])
    assert graph.group(A) == [A, B]
    assert graph.resolve(B) == A


def test_a_target_that_pages_of_many_contents_name_is_no_page_of_theirs():
    graph = Graph()
    pages = [f"http://a.example/video?v={number}" for number in range(6)]
    for number, page in enumerate(pages):
        graph.add([piece("canonical", page, A)])
        graph.observe(page, f"content {number}")
    assert {graph.resolve(page) for page in pages} == set(pages)
    assert {one.reason for one in graph.refusals(A)} == {"shared-target"}


def test_pages_of_two_contents_wait_for_what_their_target_answers():
    graph = Graph()
    graph.add([piece("canonical", A, C), piece("canonical", B, C)])
    graph.observe(A, "one")
    assert [graph.resolve(page) for page in (A, B)] == [C, C]
    graph.observe(B, "other")
    assert [graph.resolve(page) for page in (A, B)] == [A, B]
    assert {one.reason for one in graph.refusals(A)} == {"shared-target"}
    graph.observe(C, "one")
    assert [graph.resolve(page) for page in (A, B)] == [C, B]
    assert [(one.from_, one.reason) for one in graph.refusals(A)] == [(B, "content-differs")]


def test_different_contents_do_not_meet_by_a_page_between():
    graph = Graph()
    graph.add([piece("canonical", A, B), piece("canonical-agreed", B, C)])
    graph.observe(A, "one")
    graph.observe(C, "other")
    assert [graph.resolve(page) for page in (A, B)] == [A, C]
    assert [(one.from_, one.reason) for one in graph.refusals(A)] == [(A, "content-differs")]
    graph.observe(A, status=301)
    assert graph.resolve(A) == C


def test_what_a_page_answered_counts_for_the_whole_of_its_group():
    graph = Graph()
    graph.add(piece("redirect-permanent", f"http://a.example/{number}", B) for number in range(6))
    graph.add([piece("canonical-agreed", B, C), piece("canonical", A, B)])
    graph.observe(C, "one")
    graph.observe(A, "other")
    assert (graph.resolve(A), graph.resolve(B)) == (A, C)


def test_spellings_of_one_content_are_one_though_the_target_they_name_is_none_of_them():
    graph = Graph()
    pages = [f"http://a.example/product?path={number}" for number in range(8)]
    for page in [*pages, B]:
        graph.add([piece("canonical", page, A)])
        graph.observe(page, "other" if page == B else "content")
    for _ in range(2):
        assert {graph.resolve(page) for page in pages} == {pages[0]}
        assert (graph.resolve(B), graph.resolve(A)) == (B, A)
        graph.observe(A, "a category")


def test_many_spellings_of_one_content_name_one_target():
    graph = Graph()
    pages = [f"http://a.example/product?path={number}" for number in range(24)]
    for page in pages:
        graph.add([piece("canonical", page, A)])
        graph.observe(page, "content")
    assert {graph.resolve(page) for page in pages} == {A}


def test_a_canonical_link_between_different_contents_is_not_believed():
    graph = Graph()
    graph.add([piece("canonical", A, B)])
    graph.observe(A, "one")
    graph.observe(B, "other")
    assert graph.resolve(A) == A
    assert [one.reason for one in graph.refusals(A)] == ["content-differs"]
    graph.observe(A, "other")
    assert graph.resolve(A) == B


def test_no_evidence_leads_to_an_error():
    graph = Graph()
    graph.add([piece("canonical", A, B), piece("canonical", C, B)])
    assert graph.resolve(A) == B
    graph.observe(B, status=404)
    assert [graph.resolve(page) for page in (A, C)] == [A, C]
    assert {one.reason for one in graph.refusals(B)} == {"gone"}
    graph.observe(B, status=200)
    assert graph.resolve(A) == B


def test_two_pages_of_a_sitemap_need_more_than_a_canonical_link():
    graph = Graph()
    graph.add([piece("canonical", A, B), piece("sitemap", A, A)])
    assert graph.resolve(A) == B
    (listed,) = graph.add([piece("sitemap", B, B)])
    assert graph.resolve(A) == A
    graph.retract(listed)
    assert graph.resolve(A) == B


def test_a_word_by_hand_outranks_all_evidence():
    graph = Graph()
    graph.add([piece("hreflang", A, B), piece("redirect-permanent", B, A)])
    edge = graph.alias(A, B, reason="looked at both")
    assert graph.resolve(A) == B
    graph.retract(edge)
    assert graph.resolve(A) == A


def test_every_edge_is_kept_and_taking_back_settles_one_component(monkeypatch):
    graph = Graph()
    numbers = graph.add([piece("canonical", A, B), piece("canonical", B, C)])
    other = "http://b.example/x"
    graph.add([piece("canonical", other, "http://b.example/y")])
    assert [graph.resolve(page) for page in (A, B, other)] == [C, C, "http://b.example/y"]
    seen = []
    monkeypatch.setattr(
        "urlkey.evidence.graph.settle",
        lambda pieces, *known: seen.append(pieces) or settling.settle(pieces, *known),
    )
    graph.retract(numbers[1])
    assert [graph.resolve(page) for page in (A, B, C, other)] == [B, B, C, "http://b.example/y"]
    assert [len(pieces) for pieces in seen] == [1, 0]
    assert [(edge.id, edge.retracted) for edge in graph.edges(B)] == [(0, False), (1, True)]
    assert len(graph.edges()) == 3
    with pytest.raises(KeyError):
        graph.retract(3)


def test_a_piece_without_a_key_adds_nothing():
    graph = Graph()
    with pytest.raises(ValueError, match="port"):
        graph.add([piece("canonical", A, B), piece("canonical", A, "http://a.example:x/")])
    assert graph.edges() == []


@pytest.mark.parametrize("shape", ["chain", "star", "apart"])
def test_a_hundred_thousand_nodes_are_settled(shape):
    count = 100_000
    nodes = [f"http://a.example/{number}" for number in range(count)]
    if shape == "chain":
        pieces = [("redirect-permanent", one, other, 6.0) for one, other in pairwise(nodes)]
    else:
        pieces = [("canonical", one, nodes[0], 3.0) for one in nodes[1:]]
    if shape == "apart":
        pieces += [("hreflang", one, other, -10.0) for one, other in pairwise(nodes[1:])]
    random.Random(1).shuffle(pieces)
    settled = settle(pieces)
    sizes = sorted(map(len, settled.groups().values()))
    # Of neighbours in other languages, the first in the order of keys goes with the target.
    assert (sizes[-1] == count) is (shape != "apart")
    assert sum(sizes) == count
    if shape == "chain":
        assert set(settled.leaders.values()) == {nodes[-1]}


def test_a_graph_of_a_hundred_thousand_answers_many_questions():
    graph = Graph()
    hub = "http://a.example/hub"
    graph.add(piece("canonical", f"http://a.example/{number}", hub) for number in range(100_000))
    assert {graph.resolve(f"http://a.example/{number}") for number in range(0, 100_000, 997)} == {hub}


# --- in a store


@pytest.fixture
def store(tmp_path):
    with Store.open(tmp_path / "store.db") as store:
        yield store


def canonical(url, target):
    return evidence.from_response(url, 200, {"Link": f'<{target}>; rel="canonical"'})


def test_a_later_response_takes_back_what_an_earlier_one_said(store):
    with Recorder(store, time=10) as recorder:
        recorder.add(canonical(A, B), url=A)
    assert store.resolve(A) == B
    with Recorder(store, time=20) as recorder:
        recorder.add(canonical(A, C), url=A)
    assert [store.resolve(page) for page in (A, B, C)] == [C, B, C]
    with Recorder(store, time=30) as recorder:
        recorder.add(canonical(A, C), url=A)
    with Recorder(store, time=40) as recorder:
        recorder.add(evidence.from_response(A, 200), url=A)
    assert store.resolve(A) == A
    kept = [(edge.to_key, edge.time, edge.undone) for edge in store.edges(kind="canonical-header")]
    assert kept == [(B, 10, 20), (C, 20, 40)]


def test_within_one_batch_the_last_response_counts(store):
    with Recorder(store) as recorder:
        recorder.add(canonical(A, B), url=A)
        recorder.add(canonical(A, C), url=A)
        recorder.add(canonical(B, C), url=B)
        recorder.add(canonical(A, C), url=A)
    assert [store.resolve(page) for page in (A, B)] == [C, C]
    assert [edge.to_key for edge in store.edges(kind="canonical-header")] == [C, C]


def test_what_others_say_of_a_page_stays_when_the_page_speaks(store):
    with Recorder(store) as recorder:
        recorder.add(canonical(A, B), url=A)
        recorder.add(evidence.from_sitemap("http://a.example/sitemap.txt", A))
        recorder.add(evidence.from_response(B, 200), url=B)
    assert store.resolve(A) == B
    assert len(store.edges(A, kind="sitemap")) == 1


def test_recording_again_changes_nothing(store):
    for _ in range(3):
        with Recorder(store) as recorder:
            recorder.add(canonical(A, B), url=A)
    assert len(store.edges()) == 2


def test_a_flush_is_whole_or_not_at_all(store, monkeypatch):
    recorder = Recorder(store)
    recorder.add(canonical(A, B), url=A)
    with monkeypatch.context() as patch:
        patch.setattr("urlkey.evidence.keeping.settle", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            recorder.flush()
    assert store.edges() == []
    recorder.flush()
    assert store.resolve(A) == B


def test_findings_without_a_key_do_not_stop_those_that_wait(tmp_path):
    policy = urlkey.Policy("crawl").with_(input_bytes=100)
    with Store.open(tmp_path / "short.db", policy=policy) as store:
        with Recorder(store) as recorder:
            recorder.add(canonical(A, B), url=A)
            with pytest.raises(urlkey.UrlKeyError):
                recorder.add(canonical(A, f"{C}/{'x' * 200}"), url=A)
        assert store.resolve(A) == B


def test_refusals_of_a_flush_are_told(store):
    recorder = Recorder(store)
    recorder.add(canonical(A, B))
    recorder.add(evidence.Findings((piece("hreflang", A, B),)))
    assert [one.reason for one in recorder.flush()] == ["cannot-link"]
    assert recorder.flush() == ()


def test_an_alias_by_hand_stays_and_leads(store):
    store.alias(A, B)
    with Recorder(store) as recorder:
        recorder.add(canonical(B, C))
    assert {store.resolve(page) for page in (A, B, C)} == {C}
    (ours,) = (edge.id for edge in store.edges(A, kind="alias") if edge.source == "")
    evidence.retract(store, ours)
    assert [store.resolve(page) for page in (A, B)] == [A, C]


def test_after_rekey_evidence_is_settled_anew(store):
    spelled = "http://a.example/x?utm_source=mail"
    with Recorder(store) as recorder:
        recorder.add(canonical("http://a.example/x", B))
        recorder.add(canonical(B, C))
    store.rekey("safe", apply=True)
    evidence.settle_store(store)
    assert store.resolve("http://a.example/x") == C
    assert store.resolve(spelled) == spelled


def test_two_processes_record_into_one_store(tmp_path):
    place = tmp_path / "shared.db"
    with Store.open(place) as one, Store.open(place) as other:
        with Recorder(one) as recorder:
            recorder.add(canonical(A, B))
        with Recorder(other) as recorder:
            recorder.add(canonical(B, C))
        assert {one.resolve(A), other.resolve(A)} == {C}
