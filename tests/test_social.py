"""Links to social platforms: what they point at, and the one URL that all spellings share."""

import json
import pickle
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import suites
import urlkey
import verdicts
from command import urlkey as command
from urlkey.systems.social import SocialId, social_id, social_ids
from verdicts import Row, differ

ROWS = suites.own("social.jsonl")


def told(url):
    found = social_id(url)
    return found and (found.platform, found.kind, found.id, found.canonical)


def expected(row: Row):
    return row["platform"] and (row["platform"], row["kind"], row["id"], row["canonical"])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["input"])
def test_a_link_is_what_the_vector_says(row):
    found = social_id(row["input"])
    assert told(row["input"]) == expected(row)
    assert (found is not None and found.is_part) == row.get("is_part", False)


@pytest.mark.parametrize("row", [row for row in ROWS if row["platform"]], ids=lambda row: row["input"])
def test_the_canonical_is_its_own_canonical(row):
    found, again = social_id(row["input"]), social_id(row["canonical"])
    assert (again.platform, again.id, again.canonical, again.key) == (
        found.platform,
        found.id,
        found.canonical,
        found.key,
    )


def test_rows_of_the_shared_suite():
    rows = suites.shared_list("domains/social.json", "vectors")
    # Their `id` is that of the post: rows are told by number.
    numbered = [{"row": row, "input": row["input"], "id": f"vectors-{i:04}"} for i, row in enumerate(rows, 1)]
    verdicts.hold("domains/social", numbered, lambda row: differ(list(told(row["input"])), list(expected(row["row"]))))


@pytest.mark.parametrize(
    "spellings",
    [
        ["https://www.youtube.com/shorts/xnh-JKqktAU", "https://youtu.be/xnh-JKqktAU?t=3", "youtu.be/xnh-JKqktAU"],
        ["https://www.instagram.com/p/Cop84x6u7CP/", "https://instagram.com/reels/Cop84x6u7CP/?img_index=2"],
        ["https://www.tiktok.com/@a/photo/7300000000000000000", "https://m.tiktok.com/v/7300000000000000000.html"],
        ["https://sy.linkedin.com/pub/a-b/a7/576/b50", "https://www.linkedin.com/in/A-B-b50576a7/"],
    ],
    ids=lambda spellings: spellings[0],
)
def test_one_thing_has_one_key_whatever_it_is_shown_as(spellings):
    assert len({social_id(url).key for url in spellings}) == 1


def test_a_key_names_what_makes_an_id_unique():
    assert social_id("https://a.example/@jack/100254678717223630").key == "mastodon:post:a.example/100254678717223630"
    assert social_id("https://b.example/@jack/100254678717223630").key == "mastodon:post:b.example/100254678717223630"
    assert social_id("https://bsky.app/profile/a.example/post/3l3vgf77uco2g").key == (
        "bluesky:post:a.example/3l3vgf77uco2g"
    )
    assert social_id("https://x.com/intent/tweet?text=a").key is None


@pytest.mark.parametrize(
    ("url", "content"),
    [
        ("https://youtu.be/dQw4w9WgXcQ?list=PLx&t=1m30s&index=2", (("list", "PLx"), ("t", "90"))),
        ("https://www.youtube.com/shorts/xnh-JKqktAU?t=3", (("t", "3"),)),
        ("https://www.instagram.com/p/BxKRx5CHn5i/?igsh=x&img_index=2", (("img_index", "2"),)),
        ("https://www.facebook.com/photo.php?fbid=1022&set=a.15&type=3", (("set", "a.15"),)),
        ("https://www.twitch.tv/videos/6528877?t=1h2m3s", (("t", "3723"),)),
        ("https://www.youtube.com/watch?v=dQw4w9WgXcQ&si=x", ()),
    ],
)
def test_parameters_that_say_which_part_are_kept(url, content):
    assert social_id(url).content == content


def test_what_is_no_link_gives_none():
    for url in ["", " ", "jack", "@jack", "https://", "http://[::1]/", "\ud800", b"\xff", "at://", "vnd.youtube:", "é"]:
        assert social_id(url) is None, url
    with pytest.raises(TypeError):
        social_id(None)


def test_bytes_are_read_as_text():
    assert social_id(b"https://youtu.be/dQw4w9WgXcQ") == social_id("https://youtu.be/dQw4w9WgXcQ")


def test_a_batch_has_a_row_for_each_url():
    urls = [row["input"] for row in ROWS]
    assert social_ids(iter(urls)) == [social_id(url) for url in urls]
    assert social_ids([]) == []
    with pytest.raises(TypeError):
        social_ids([7])


def test_a_record_is_a_value():
    found = social_id("https://youtu.be/dQw4w9WgXcQ")
    assert pickle.loads(pickle.dumps(found)) == found
    assert len({found, found}) == 1
    assert isinstance(found, SocialId)
    assert repr(found) == (
        "SocialId(platform='youtube', kind='video', id='dQw4w9WgXcQ',"
        " canonical='https://www.youtube.com/watch?v=dQw4w9WgXcQ')"
    )
    with pytest.raises(AttributeError):
        found.id = "x"


HOSTS = st.sampled_from(sorted({row["canonical"].split("/")[2] for row in ROWS if row["platform"]} | {"a.example"}))
LITERALS = sorted({part for row in ROWS for part in row["input"].split("?")[0].split("/")[3:] if part})
SEGMENTS = st.sampled_from(LITERALS) | st.text(string.ascii_letters + string.digits + "@.-_%:é+~!'", max_size=12)
QUERIES = st.sampled_from(sorted({row["input"].partition("?")[2] for row in ROWS}))


@given(
    HOSTS, st.lists(SEGMENTS, max_size=5), QUERIES, st.sampled_from(["", "#t=5", "#!/jack", "#/watch?v=dQw4w9WgXcQ"])
)
def test_any_path_has_an_identity_that_stays_or_none(host, segments, query, fragment):
    found = social_id(f"https://{host}/{'/'.join(segments)}?{query}{fragment}")
    if found is not None:
        again = social_id(found.canonical)
        assert again is not None
        assert (again.platform, again.id, again.canonical, again.key) == (
            found.platform,
            found.id,
            found.canonical,
            found.key,
        )


@given(st.text(max_size=80))
def test_any_text_is_a_link_or_none(text):
    assert social_id(text) is None or isinstance(social_id(text), SocialId)


WEB = [row for row in ROWS if row["platform"] and row["input"].lower().startswith("http")]


@pytest.mark.parametrize("row", WEB, ids=lambda row: row["input"])
def test_the_policy_social_makes_the_canonical_the_key(row):
    policy = urlkey.Policy("social")
    without = policy.with_(site_form=False)
    key = without.key(row["input"]) if row.get("is_part") else row["canonical"]
    assert policy.key(row["input"]) == key


def test_a_comment_or_a_tab_never_meets_what_it_is_of():
    parts = [row for row in WEB if row.get("is_part")]
    assert len(parts) >= 13
    for row in parts:
        assert urlkey.Policy("social").key(row["input"]) != urlkey.Policy("social").key(row["canonical"])
        assert social_id(row["input"]).key == social_id(row["canonical"]).key
        assert not social_id(row["canonical"]).is_part


@pytest.mark.parametrize("row", [row for row in ROWS if not row["platform"]], ids=lambda row: row["input"])
def test_what_is_no_link_to_a_platform_keeps_its_key(row):
    without = urlkey.Policy("social").with_(site_form=False)
    try:
        key = without.key(row["input"])
    except urlkey.UrlKeyError:
        return
    assert urlkey.Policy("social").key(row["input"]) == key


def test_explain_names_the_row_of_the_platform():
    step = urlkey.Policy("social").explain("http://youtu.be/dQw4w9WgXcQ").steps[-1]
    assert (step.name, step.loss, step.after) == (
        "site_form",
        "site",
        "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    )
    file, _, line = step.rule.partition(":")
    assert file == "rules/social.toml"
    rows = (Path(__file__).parents[1] / "crates/urlkey/data/rules/social.toml").read_text(encoding="utf-8").splitlines()
    assert rows[int(line) - 1] == 'name = "youtube"'


def test_a_rule_of_a_site_has_its_say(tmp_path):
    rules = tmp_path / "mine.toml"
    rules.write_text('schema = 1\n[[site]]\nhost = "*.youtube.com"\ndrop = ["t"]\n', encoding="utf-8")
    policy = urlkey.Policy.load("social", rules=[rules])
    assert policy.key("https://youtu.be/dQw4w9WgXcQ?t=9") == "https://www.youtube.com/watch?v=dQw4w9WgXcQ"
    rules.write_text('schema = 1\n[[site]]\nhost = "www.youtube.com"\noff = ["site_form"]\n', encoding="utf-8")
    policy = urlkey.Policy.load("social", rules=[rules])
    assert policy.key("https://youtu.be/dQw4w9WgXcQ?a=1") == "https://youtu.be/dQw4w9WgXcQ?a=1"
    assert policy.key("https://x.com/jack/status/20") == "https://x.com/i/status/20"


@given(
    st.sampled_from([row["input"] for row in WEB]) | st.builds("https://{}/{}?{}".format, HOSTS, SEGMENTS, QUERIES),
    st.sampled_from(["", "/", "#top", "&utm_source=x", "&t=5", "/index.html", ";jsessionid=" + "A" * 32, "&amp;v=1"]),
    st.sets(st.sampled_from(urlkey.RUNGS)),
)
def test_keys_stay_with_every_set_of_rungs(url, tail, rungs):
    policy = urlkey.Policy("whatwg").with_(**{rung: rung in rungs or rung == "site_form" for rung in urlkey.RUNGS})
    key = policy.key(url + tail)
    assert policy.key(key) == key
    assert policy.explain(url + tail).key == key
    found = social_id(key)
    assert found is None or found.is_part or found.canonical == key


def test_the_command_gives_a_line_for_each_line():
    run = command(
        "social", stdin=b"https://youtu.be/dQw4w9WgXcQ?si=x\r\nhttps://example.com/\nhttps://x.com/intent/tweet\n"
    )
    assert (run.returncode, run.stderr) == (0, b"")
    assert run.stdout.decode().splitlines() == [
        "youtube\tvideo\tdQw4w9WgXcQ\thttps://www.youtube.com/watch?v=dQw4w9WgXcQ",
        "",
        "x\tintent\t\thttps://x.com/intent/tweet",
    ]


def test_the_command_writes_json():
    run = command("social", "--json", "--strict", "https://youtu.be/dQw4w9WgXcQ?t=90&list=PLx", "nothing")
    first, second = (json.loads(line) for line in run.stdout.splitlines())
    assert run.returncode == 1
    assert first["key"] == "youtube:video:dQw4w9WgXcQ"
    assert first["content"] == {"list": "PLx", "t": "90"}
    assert second["input"] == "nothing"
    assert second["platform"] is None
