"""Policy: names, files, changes, identity, and every function as a method."""

import copy
import pickle

import pytest

import urlkey

NAMES = urlkey.PROFILES
URL = "HTTP://www.Example.com:80/a/?utm_source=x&b=2&a=1#top"


@pytest.fixture(params=NAMES)
def policy(request):
    return urlkey.Policy(request.param)


def test_a_builtin_policy_says_what_it_is(policy):
    assert policy.name in NAMES
    assert policy.version >= 1
    assert len(policy.id) == 64
    assert policy.short_id == f"{policy.name}-{policy.version}:{policy.id[:8]}"
    assert set(policy.rungs) <= set(urlkey.RUNGS)


def test_ids_differ_between_policies():
    # `shortener` is `safe` by another name, and may part from it: the id says what decides keys.
    others = [name for name in NAMES if name != "shortener"]
    assert len({urlkey.Policy(name).id for name in others}) == len(others)
    assert urlkey.Policy("shortener").id == urlkey.Policy("safe").id


def test_rungs_come_in_running_order(policy):
    order = [urlkey.RUNGS.index(rung) for rung in policy.rungs]
    assert order == sorted(order)


def test_the_text_makes_the_same_policy(policy):
    assert urlkey.Policy.from_text(policy.text) == policy
    assert urlkey.Policy.from_text(policy.text).text == policy.text


def test_policies_pickle_and_copy(policy):
    changed = policy.with_(drop_www=True, sort_query=False)
    for one in (policy, changed):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            again = pickle.loads(pickle.dumps(one, protocol))
            assert again == one
            assert again.id == one.id
            assert again.text == one.text
            assert again.key(URL) == one.key(URL)
        assert copy.deepcopy(one) == one


def test_policies_are_equal_and_hashed_by_id():
    assert urlkey.Policy("crawl") == urlkey.Policy(urlkey.Policy()) == urlkey.Policy.load("crawl")
    assert len({urlkey.Policy("crawl"), urlkey.Policy("crawl"), urlkey.Policy("fold")}) == 2
    assert urlkey.Policy("crawl") != "crawl"


def test_a_policy_is_frozen():
    with pytest.raises(AttributeError):
        urlkey.Policy().name = "other"


def test_an_unknown_name_is_an_error_that_says_what_there_is():
    for make in (urlkey.Policy, urlkey.Policy.load):
        with pytest.raises(urlkey.UrlKeyError, match="crawl") as error:
            make("crwl")
        assert error.value.code == "bad-policy"
    with pytest.raises(urlkey.UrlKeyError):
        urlkey.key(URL, policy="crwl")


def test_with_changes_rungs_and_nothing_else():
    crawl = urlkey.Policy("crawl")
    changed = crawl.with_(drop_www=True, sort_query=False)
    assert changed.key("http://www.example.com/?b&a") == "http://example.com/?b&a"
    assert crawl.key("http://www.example.com/?b&a") == "http://www.example.com/?a&b"
    assert changed.id != crawl.id
    assert set(changed.rungs) ^ set(crawl.rungs) == {"drop_www", "sort_query"}


def test_with_what_is_already_there_keeps_the_id():
    crawl = urlkey.Policy("crawl")
    assert crawl.with_().id == crawl.id
    assert crawl.with_(sort_query=True).id == crawl.id


def test_with_takes_parameters():
    policy = urlkey.Policy("crawl").with_(drop_tracking={"kinds": ["campaign"]})
    assert policy.key("http://example.com/?utm_source=x&gclid=y") == "http://example.com/?gclid=y"
    policy = urlkey.Policy("crawl").with_(drop_tracking={"also": ["ref"]})
    assert policy.key("http://example.com/?ref=x&id=1") == "http://example.com/?id=1"
    policy = urlkey.Policy("crawl").with_(drop_tracking={"keep": ["utm_id"]})
    assert policy.key("http://example.com/?utm_id=1&utm_source=x") == "http://example.com/?utm_id=1"


@pytest.mark.parametrize(
    "changes",
    [{"drop_wwww": True}, {"sort_query": 3.5}, {"drop_tracking": {"kind": []}}, {"input_bytes": -1}],
    ids=str,
)
def test_with_refuses_what_there_is_not(changes):
    with pytest.raises((urlkey.UrlKeyError, TypeError)):
        urlkey.Policy("crawl").with_(**changes)


@pytest.mark.parametrize("rung", urlkey.RUNGS)
def test_every_rung_can_be_switched_by_name(rung):
    assert rung in urlkey.Policy("safe").with_(**{rung: True}).rungs
    assert rung not in urlkey.Policy("fold").with_(**{rung: False}).rungs


def test_a_policy_file_extends_a_builtin_one(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(
        'schema = 1\nname = "mine"\nversion = 3\nextends = "safe"\nserves = "tests"\n[rungs]\ndrop_fragment = true\n',
        encoding="utf-8",
    )
    for given in (path, str(path)):
        policy = urlkey.Policy.load(given)
        assert (policy.name, policy.version) == ("mine", 3)
        assert policy.key("http://example.com/?b&a#x") == "http://example.com/?b&a"
        assert pickle.loads(pickle.dumps(policy)) == policy


def test_a_bad_policy_file_is_named_with_its_line(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('schema = 1\nname = "mine"\nversion = 1\n[rungs]\ndrop_fragmnt = true\n', encoding="utf-8")
    with pytest.raises(urlkey.UrlKeyError, match=r"mine\.toml:5") as error:
        urlkey.Policy.load(path)
    assert error.value.code == "bad-policy"


def test_rule_files_come_on_top(tmp_path):
    path = tmp_path / "rules.toml"
    path.write_text(
        'schema = 1\n[[site]]\nhost = "*.shop.example"\ndrop = ["color", "aff_*"]\nkeep = ["utm_source"]\n',
        encoding="utf-8",
    )
    policy = urlkey.Policy.load("crawl", rules=[path])
    url = "http://www.shop.example/?id=1&color=red&aff_x=2&utm_source=3&utm_medium=4"
    assert policy.key(url) == "http://www.shop.example/?id=1&utm_source=3"
    assert policy.key(url.replace("shop", "notshop")).endswith("aff_x=2&color=red&id=1")
    assert policy.id != urlkey.Policy("crawl").id
    assert pickle.loads(pickle.dumps(policy)).key(url) == policy.key(url)


def test_a_bad_rule_file_is_named_with_its_line(tmp_path):
    path = tmp_path / "rules.toml"
    path.write_text('schema = 1\n[[site]]\nhost = "*.shop.example"\ndorp = ["color"]\n', encoding="utf-8")
    with pytest.raises(urlkey.UrlKeyError, match=r"rules\.toml:4") as error:
        urlkey.Policy.load("crawl", rules=[str(path)])
    assert error.value.code == "bad-rule"


def test_a_file_that_is_not_there_is_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError) as error:
        urlkey.Policy.load(tmp_path / "none.toml")
    assert error.value.filename is not None
    with pytest.raises(FileNotFoundError):
        urlkey.Policy.load("crawl", rules=[tmp_path / "none.toml"])
    with pytest.raises(FileNotFoundError):
        urlkey.Policy.load("none.toml")


def test_every_function_is_a_method_too(policy):
    name = policy.name
    assert policy.key(URL) == urlkey.key(URL, policy=name)
    assert policy.href(URL) == urlkey.href(URL, policy=name)
    assert policy.keys([URL, "x"], on_error="null", threads=2) == [urlkey.key(URL, policy=name), None]
    assert policy.digest(URL) == urlkey.digest(URL, policy=name)
    assert policy.parse(URL) == urlkey.parse(URL, policy=name)
    assert policy.join("http://example.com/a/", "b") == urlkey.join("http://example.com/a/", "b", policy=name)
    assert policy.explain(URL) == urlkey.explain(URL, policy=name)
    assert policy.compare(URL, "http://example.com/") == urlkey.compare(URL, "http://example.com/", policy=name)
    assert policy.identify(URL) == urlkey.identify(URL, policy=name)


def test_repairs_act_before_the_parse():
    policy = urlkey.Policy("safe").with_(assume_scheme=True, trim_wrapping=True, refang=True)
    assert policy.key("<hxxp://example[.]com/>") == "http://example.com/"
    assert policy.href("example.com/a") == policy.parse("example.com/a").href == "https://example.com/a"
    assert policy.key("b", "http://example.com/a") == "http://example.com/b"


def test_a_file_that_is_not_utf8_is_named_with_its_line(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_bytes(b"schema = 1\n# caf\xe9\n")
    with pytest.raises(urlkey.UrlKeyError, match=r"mine\.toml:2: a policy is UTF-8 text") as error:
        urlkey.Policy.load(path)
    assert error.value.code == "bad-policy"
    with pytest.raises(urlkey.UrlKeyError, match=r"mine\.toml:2") as error:
        urlkey.Policy.load("crawl", rules=[path])
    assert error.value.code == "bad-rule"


def test_a_missing_file_is_named_as_a_text(tmp_path):
    path = tmp_path / "mine.toml"
    for load in (lambda: urlkey.Policy.load(path), lambda: urlkey.Policy.load("crawl", rules=[path])):
        with pytest.raises(FileNotFoundError) as error:
            load()
        assert error.value.filename == str(path)


@pytest.mark.parametrize(
    "changes",
    [
        {"input_bytes": 2**64},
        {"input_bytes": -(2**64)},
        {"drop_\udcff": True},
        {"drop_tracking": {"also": ["\udcff"]}},
        {"drop_tracking": {"\udcff": ["x"]}},
    ],
)
def test_a_change_that_no_file_could_hold_is_a_bad_policy(changes):
    with pytest.raises(urlkey.UrlKeyError) as error:
        urlkey.Policy("crawl").with_(**changes)
    assert error.value.code == "bad-policy"


def test_a_lone_surrogate_is_no_name():
    for use in (urlkey.Policy, urlkey.Policy.load, lambda name: urlkey.key("http://a/", policy=name)):
        with pytest.raises(urlkey.UrlKeyError) as error:
            use("\udcff")
        assert error.value.code == "bad-policy"
    with pytest.raises(LookupError, match="is no label"):
        urlkey.key("http://a/", encoding="\udcff")
