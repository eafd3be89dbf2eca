"""Rules for the scripts of a platform: several owners, nobody against, and loaded by nobody."""

import json
from dataclasses import replace

import pytest

import urlkey
from command import urlkey as run_command
from urlkey.learn import Model, Observation, learn, platforms, platforms_file
from urlkey.learn.trials import Rewrite

FIVE = tuple(f"forum{number}.example" for number in range(5))
TAILS = ("", "&sid=aa1", "&sid=bb2")


def rows_of(host, folder="/", script="viewtopic.php", topics=60, content=lambda topic, tail: topic):
    return [
        Observation(f"http://{host}{folder}{script}?t={topic}{tail}", str(content(topic, tail)), time=topic)
        for topic in range(topics)
        for tail in TAILS
    ]


def model_of(*hosts, more=(), **how):
    rows = [row for place, host in enumerate(hosts) for row in rows_of(host, f"/{'x/' * (place % 3)}", **how)]
    return learn([*rows, *more], budget=0.05, date="2026-12-01")


def loaded(model, tmp_path):
    path = tmp_path / "platforms.toml"
    path.write_text(platforms_file(model, platforms(model)), encoding="utf-8")
    return urlkey.Policy.load("crawl", rules=[path])


def test_five_owners_make_a_rule_for_their_script_wherever_it_stands(tmp_path):
    model = model_of(*FIVE)
    (rule,) = platforms(model)
    assert (rule.script, rule.rewrite.kind, rule.rewrite.names) == ("viewtopic.php", "drop", ("sid",))
    assert (len(rule.domains), rule.trials, rule.failures) == (5, 600, 0)
    policy = loaded(model, tmp_path)
    for folder in ("/", "/a/b/"):
        assert (
            policy.key(f"http://new.test{folder}viewtopic.php?t=1&sid=q") == f"http://new.test{folder}viewtopic.php?t=1"
        )
    for other in (
        "http://new.test/other.php?sid=q&t=1",
        "http://new.test/x?a=/viewtopic.php&sid=q",
        "http://new.test/viewtopic.php/x?sid=q",
    ):
        assert policy.key(other) == urlkey.Policy("crawl").key(other)


def test_subdomains_are_one_voice_and_one_against_is_enough():
    assert platforms(model_of(*FIVE[:4])) == []
    assert platforms(model_of(*(f"{name}.one.example" for name in "abcdefgh"))) == []
    against = rows_of("other.example", content=lambda topic, tail: (topic, tail))
    assert platforms(model_of(*FIVE, more=against)) == []
    assert (
        len(platforms(model_of(*FIVE, more=rows_of("other.example", script="thread.php", content=lambda *of: of)))) == 1
    )


@pytest.mark.parametrize("script", ["index.php", "topic", "topic.html"])
def test_what_every_platform_has_is_no_platform(script):
    assert platforms(model_of(*FIVE, script=script)) == []


def test_trials_of_a_rule_for_a_whole_host_count_for_each_script_by_its_pages():
    more = [row for host in FIVE for row in rows_of(host, script="memberlist.php", topics=30)]
    found = {rule.script: rule.trials for rule in platforms(model_of(*FIVE, more=more))}
    assert 590 <= found["viewtopic.php"] <= 600
    assert found.get("memberlist.php", 300) <= 300


def test_nothing_loads_them_and_a_model_keeps_what_they_come_from(tmp_path):
    model = model_of(*FIVE)
    assert platforms(Model.from_json(model.as_json())) == platforms(model)
    rows = [row for host in FIVE for row in rows_of(host)]
    (tmp_path / "o.jsonl").write_text("\n".join(json.dumps(row._asdict()) for row in rows))
    run = run_command(
        "learn", "o.jsonl", "-o", "r.toml", "--platforms", "p.toml", "--budget", "0.05", "-q", cwd=tmp_path
    )
    assert run.returncode == 0, run.stderr
    text = (tmp_path / "p.toml").read_text()
    assert "5 domains, 600 trials, 0 differed" in text
    assert "viewtopic" not in run_command("key", "http://new.test/x?sid=1", cwd=tmp_path).stdout.decode()
    assert run_command("rules", "check", "--strict", "p.toml", cwd=tmp_path).returncode == 0


def test_a_name_stands_once_whatever_goes_with_it(tmp_path):
    model = model_of(*FIVE)
    (one,) = platforms(model)
    both = [
        replace(one, rewrite=Rewrite(kind, names, value))
        for kind, names, value in (
            ("drop", ("b", "sid"), ""),
            ("drop", ("sid",), ""),
            ("valueless", ("sid",), ""),
            ("valueless", ("c",), ""),
            ("default", ("sid",), "1"),
            ("default", ("start",), "0"),
        )
    ]
    path = tmp_path / "p.toml"
    path.write_text(platforms_file(model, both), encoding="utf-8")
    policy = urlkey.Policy.load("crawl", rules=[path])
    assert policy.key("http://new.test/viewtopic.php?b=1&c=2&sid=3&start=0&t=4") == (
        "http://new.test/viewtopic.php?c&t=4"
    )
