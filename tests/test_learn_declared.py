"""What sites declare, weighed beside what was seen: No-Vary-Search, Clean-param, sitemaps."""

import random

import pytest

from urlkey.learn import Observation, learn

ROBOTS = "http://shop.example/robots.txt"


def crawled(pages=60, tails=("?id={n}", "?id={n}&zx={m}", "?id={n}&zx={k}"), content=lambda n, tail: n, **more):
    """Pages whose `zx` are numbers that hardly come back."""
    rng = random.Random(1)
    for n in range(pages):
        for tail in tails:
            url = f"http://shop.example/p{tail.format(n=n, m=rng.randrange(10**6), k=rng.randrange(10**6))}"
            yield Observation(url, str(content(n, tail)), time=n, **more)


def rule_of(rows, name="zx"):
    (found,) = (one for one in learn(rows, budget=0.1).findings if one.rewrite[:2] == ("drop", (name,)))
    return found


SAID = [Observation(ROBOTS, clean_param="zx /p")]


@pytest.mark.parametrize(
    ("said", "header", "declared"),
    [
        ([], None, "silent"),
        (SAID, None, "site"),
        ([Observation(ROBOTS, clean_param="zx&id")], None, "site"),
        ([Observation(ROBOTS, clean_param="zx /other")], None, "silent"),
        ([Observation(ROBOTS, clean_param="ZX /p")], None, "silent"),
        ([Observation(ROBOTS, clean_param="a=b c d")], None, "silent"),
        ([], 'params=("zx")', "site"),
        ([], 'params, except=("id")', "site"),
        ([], 'params=("other")', "silent"),
        ([], "params=nonsense", "silent"),
        ([], "key-order", "silent"),
    ],
)
def test_a_declaration_lowers_the_expected_risk_and_no_more(said, header, declared):
    rows = list(crawled(no_vary_search=header))
    found, silent = rule_of([*said, *rows]), rule_of(list(crawled()))
    assert found.declared == declared
    assert (found.trials, found.failures, found.refused) == (silent.trials, silent.failures, silent.refused)
    assert (found.risk < silent.risk) is (declared == "site")


def test_a_declaration_does_not_overrule_what_was_seen():
    rows = list(crawled(content=lambda n, tail: (n, tail)))
    found = rule_of([*SAID, *rows])
    assert (found.declared, found.refused) == ("site", "content")


def test_a_declaration_stands_in_for_the_page_without_the_parameter():
    tails = ("?id={n}&zx={m}", "?id={n}&zx={k}")
    assert rule_of(list(crawled(tails=tails))).refused == "constant"
    assert rule_of([*SAID, *crawled(tails=tails)]).refused is None


def test_headers_that_do_not_agree_say_nothing():
    rows = [*crawled(no_vary_search='params=("zx")'), *crawled(no_vary_search='params=("a")')]
    assert rule_of(rows).declared == rule_of(rows[::-1]).declared == "silent"


def colors(listed=()):
    rows = [
        Observation(f"http://shop.example/p/{n}{tail}", str(n)) for n in range(60) for tail in ("", "?c=red", "?c=blue")
    ]
    return rows + [Observation(url, listed=True) for url in listed]


def test_what_a_sitemap_lists_as_two_pages_is_not_merged():
    assert rule_of(colors(), "c").refused is None
    both = [f"http://shop.example/p/{n}?c={color}" for n in range(60) for color in ("red", "blue")]
    found = rule_of(colors(both), "c")
    assert (found.refused, found.failures) == ("listed", 60)
    assert any(not sample.same for sample in found.samples)
    # One slip in a sitemap counts as a failure, and no more than that.
    slip = rule_of(colors(both[:2]), "c")
    assert (slip.refused, slip.failures) == (None, 1)


def test_what_a_sitemap_alone_knows_counts_against_a_merge_but_not_as_one():
    plain = learn(colors(), budget=0.1)
    fresh = [f"http://shop.example/p/{n}?c={color}" for n in range(100, 160) for color in ("red", "blue")]
    assert rule_of(colors(fresh), "c").refused == "listed"
    once = learn(colors([f"http://shop.example/p/{n}?c=new" for n in range(100)]), budget=0.1)
    assert [(one.merges, one.trials, one.failures) for one in once.rules] == [
        (one.merges, one.trials, one.failures) for one in plain.rules
    ]
    assert once.pages == plain.pages


def test_rows_that_declare_go_through_files_as_others_do(tmp_path):
    rows = [*SAID, *crawled(tails=("?id={n}&zx={m}", "?id={n}&zx={k}"))]
    random.Random(2).shuffle(rows)
    assert learn(rows, budget=0.1).as_json() == learn(rows[::-1], budget=0.1, held=10).as_json()


def spoken(languages, content=lambda n, tail, language: (n, language)):
    """Pages in the languages that their parameter asks for, where `languages` says that they are translated."""
    for n in range(60):
        for tail in ("", "?hl=en", "?hl=de"):
            language = languages(n, tail)
            yield Observation(f"http://shop.example/p/{n}{tail}", str(content(n, tail, language)), language=language)


def test_pages_that_speak_two_languages_are_two():
    def some(n, tail):
        return "de" if tail.endswith("de") and n % 3 == 0 else "en"

    found = rule_of(list(spoken(some)), "hl")
    assert (found.refused, found.failures) == ("content", 20)
    assert rule_of(list(spoken(lambda n, tail: "en")), "hl").refused is None
    # One text under two names for its language is one text.
    assert rule_of(list(spoken(some, lambda n, tail, language: n)), "hl").refused is None


def test_a_page_that_speaks_as_its_reader_does_says_nothing_of_its_parameters():
    rows = [
        Observation(f"http://shop.example/p/{n}{tail}", f"{n} {language}", language=language)
        for n in range(60)
        for tail in ("", "?c=red")
        for language in ("en", "de")
    ]
    assert rule_of(rows, "c").refused is None
