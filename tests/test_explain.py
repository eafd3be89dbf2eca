"""explain, compare, identify: what became of a URL, and why."""

import pickle

import pytest

import urlkey

URL = "HTTP://Example.com:80/a/./b?utm_source=x&b=2&a=1#top"


def test_steps_are_a_chain_from_input_to_key():
    told = urlkey.explain(URL)
    assert told.input == URL
    assert told.href == urlkey.href(URL)
    assert told.key == urlkey.key(URL)
    assert told.policy_id == urlkey.Policy("crawl").id
    assert told.steps[0].before == URL
    assert told.steps[-1].after == told.key
    for step, following in zip(told.steps, told.steps[1:], strict=False):
        assert step.after == following.before


def test_steps_of_the_parser_and_rungs_have_names_reasons_and_sources():
    told = urlkey.explain(URL)
    names = [step.name for step in told.steps]
    assert names[-3:] == ["drop_tracking", "sort_query", "drop_anchor"]
    assert "default_port" in names
    for step in told.steps:
        assert step.loss in ("none", "client", "usual", "site")
        assert step.reason
        assert step.source
        assert step.rule_text


def test_the_row_that_dropped_a_parameter_is_named():
    (step,) = (step for step in urlkey.explain(URL).steps if step.name == "drop_tracking")
    assert step.rule is not None
    file, _, line = step.rule.rpartition(":")
    assert file.endswith("tracking.toml")
    assert int(line) > 0


def test_a_clean_url_has_no_steps():
    told = urlkey.explain("http://example.com/")
    assert (told.steps, told.flags, told.violations) == ((), (), ())


def test_bytes_may_be_explained():
    assert urlkey.explain(b"http://example.com/\xff").key == "http://example.com/%FF"


def test_comparison_of_spellings():
    seen = urlkey.compare("http://example.com/?b&a", "HTTP://EXAMPLE.com/?a&b")
    assert seen.same
    assert bool(seen)
    assert seen.a == seen.b == "http://example.com/?a&b"
    assert seen.part is None


def test_comparison_says_what_class_would_make_them_meet():
    seen = urlkey.compare("http://www.example.com/", "https://example.com/")
    assert not seen
    assert seen.meets == "site"
    assert {"scheme", "www"} <= set(seen.reasons)
    assert urlkey.compare("http://example.com/a", "http://example.com/b").meets is None


def test_the_one_that_is_no_url_is_named():
    for urls in (("nonsense", "http://example.com/"), ("http://example.com/", "nonsense")):
        with pytest.raises(urlkey.UrlKeyError) as error:
            urlkey.compare(*urls)
        assert error.value.input == "nonsense"


def test_identity():
    found = urlkey.identify(URL)
    assert (found.original, found.href, found.key) == (URL, urlkey.href(URL), urlkey.key(URL))
    assert (found.loss, found.flags) == ("usual", ())
    assert found.policy_id == urlkey.Policy("crawl").id


def test_signed_urls_are_flagged_and_left_alone():
    url = (
        "https://bucket.s3.amazonaws.com/a?X-Amz-Signature=" + "0" * 64 + "&X-Amz-Algorithm=AWS4-HMAC-SHA256"
        "&X-Amz-Credential=a%2F20260101%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20260101T000000Z"
        "&X-Amz-Expires=60&X-Amz-SignedHeaders=host&utm_source=x"
    )
    found = urlkey.identify(url)
    assert "signed" in found.flags
    assert found.key == url


class Text(str):
    """A str of another class, as parsers of HTML give them."""


@pytest.mark.parametrize("given", ["http://example.com/é", b"http://example.com/\xff", Text("http://example.com/")])
def test_the_spelling_comes_back_as_it_was_given(given):
    for spelling in (urlkey.identify(given).original, urlkey.explain(given).input):
        assert spelling == given
        assert type(spelling) in (str, bytes)


def test_violations_come_by_offset():
    noted = [violation.at for violation in urlkey.explain("http://u@a.example\\x y|\\").violations]
    assert len(noted) > 3
    assert noted == sorted(noted)


@pytest.mark.parametrize(
    "record",
    [
        urlkey.explain("HTTP:\\\\Example.com?b&a"),
        urlkey.explain("http://example.com/?b&a").steps[0],
        urlkey.compare("http://example.com/", "http://example.org/"),
        urlkey.identify("http://example.com/?utm_id=1"),
        urlkey.Violation("invalid-URL-unit", 3),
    ],
    ids=lambda record: type(record).__name__,
)
def test_records_are_values(record):
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(record, protocol))
        assert again == record
        assert hash(again) == hash(record)
    assert record != "other"
    assert repr(again) == repr(record)
    fields = {name: getattr(record, name) for name in type(record).__match_args__}
    assert type(record)(**fields) == record
    with pytest.raises(AttributeError):
        setattr(record, type(record).__match_args__[0], "x")


def test_reprs_are_for_eyes():
    url = "http://user:hunter2@example.com/?b&a"
    shown = [urlkey.explain(url), urlkey.explain(url).steps[0], urlkey.compare(url, url), urlkey.identify(url)]
    for record in shown:
        assert "hunter2" not in repr(record)
    assert "hunter2" in shown[0].key


def test_offsets_are_those_of_the_bytes_as_given():
    url = b"http://a/\xff\\x"
    assert [noted.at for noted in urlkey.explain(url).violations if noted.code == "invalid-reverse-solidus"] == [10]
    assert urlkey.parse(url).violations == urlkey.explain(url).violations
    for call in [urlkey.key, urlkey.href, urlkey.parse, urlkey.explain, urlkey.identify, urlkey.Base]:
        with pytest.raises(urlkey.UrlKeyError) as error:
            call(b"http://\xff@h:8a/")
        assert error.value.at == 12, call
