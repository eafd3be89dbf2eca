"""The commands that answer about single URLs, and what all commands share."""

import json
import os
import pty
import signal
import subprocess
import sys

import pytest

from command import EXAMPLES, clean_environment, started, urlkey
from urlkey import PROFILES, Policy, key

HELP = ("key", "dedupe", "explain", "compare", "attribution", "unwrap", "policies", "completion")
HELP += ("reputation", "refang", "defang")


def test_key_prints_a_line_for_each_argument():
    run = urlkey("key", "HTTP://Example.com/?b=1&a=2&utm_source=x", "http://b.example:80")
    assert run.stdout == b"http://example.com/?a=2&b=1\nhttp://b.example/\n"
    assert (run.returncode, run.stderr) == (0, b"")


def test_key_gives_one_line_out_for_each_line_in():
    lines = [b"http://a.example/?b&a", b"", b"not a url", b"http://a.example/\r", b"http://b.example"]
    run = urlkey("key", stdin=b"\n".join(lines))
    assert run.stdout == b"http://a.example/?a&b\n\n\nhttp://a.example/\nhttp://b.example/\n"
    assert b"line 2: " in run.stderr
    assert b"line 3: missing-scheme-non-relative-URL: " in run.stderr
    assert run.returncode == 0


def test_key_reads_standard_input_where_a_dash_stands():
    run = urlkey("key", "http://a.example", "-", "http://c.example", stdin=b"http://b.example")
    assert run.stdout == b"http://a.example/\nhttp://b.example/\nhttp://c.example/\n"


def test_key_answers_before_its_input_ends():
    with started("key") as process:
        process.stdin.write(b"http://a.example\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"http://a.example/\n"
        process.communicate()


def test_null_ends_lines_in_and_out():
    run = urlkey("key", "-0", stdin=b"http://a.example\0http://b.example/x y\0")
    assert run.stdout == b"http://a.example/\0http://b.example/x%20y\0"


def test_bytes_that_are_not_utf8_are_escaped_as_themselves():
    assert urlkey("key", b"http://a.example/\xff").stdout == b"http://a.example/%FF\n"
    assert urlkey("key", stdin=b"\xef\xbb\xbfhttp://a.example/\xff").stdout == b"http://a.example/%FF\n"


def test_strict_makes_a_line_without_a_key_exit_status_1():
    assert urlkey("key", "http://a:b/").returncode == 0
    assert urlkey("key", "--strict", "http://a:b/").returncode == 1
    assert urlkey("key", "--strict", "http://a.example/").returncode == 0


def test_the_policy_of_a_command_is_that_of_the_package(tmp_path):
    url = "https://www.a.example:8080/index.html?b=1&a=2#top"
    for name in PROFILES:
        assert urlkey("key", "-p", name, url).stdout.decode() == key(url, policy=name) + "\n"
    file = tmp_path / "mine.toml"
    file.write_text(Policy("fold").text)
    assert urlkey("key", "-p", file, url).stdout.decode() == key(url, policy="fold") + "\n"


def test_rungs_are_switched_by_name():
    url = "http://www.a.example/?b&a"
    assert urlkey("key", "--on", "drop_www", url).stdout == b"http://a.example/?a&b\n"
    assert urlkey("key", "--off", "sort-query", url).stdout == b"http://www.a.example/?b&a\n"
    assert urlkey("key", "--on", "drop_www,fold_scheme", url).stdout == b"https://a.example/?a&b\n"
    assert urlkey("key", "--on", "drop_www", "--off", "drop_www", url).returncode == 2


def test_site_rules_come_on_top_of_a_policy(tmp_path):
    rules = tmp_path / "rules.toml"
    rules.write_text('schema = 1\n[[site]]\nhost = "*.a.example"\ndrop = ["color"]\n')
    run = urlkey("key", "--rules", rules, "http://a.example/?color=red&v=7")
    assert run.stdout == b"http://a.example/?v=7\n"


def test_a_base_resolves_relative_references():
    run = urlkey("key", "--base", "http://a.example/b/c", "../d", "?q")
    assert run.stdout == b"http://a.example/d\nhttp://a.example/b/c?q\n"


def test_the_encoding_of_the_page_decides_the_query():
    run = urlkey("key", "--encoding", "windows-1252", "http://a.example/?ä")
    assert run.stdout == b"http://a.example/?%E4\n"


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("sort",),
        ("key", "--colour"),
        ("key", "-p", "no-such-policy", "http://a.example/"),
        ("key", "--on", "no_such_rung", "http://a.example/"),
        ("key", "--base", "no base", "x"),
        ("key", "--encoding", "no-such-encoding", "http://a.example/"),
        ("dedupe", "no-such-file"),
        ("dedupe", "."),
        ("explain",),
    ],
)
def test_usage_is_exit_status_2_without_a_traceback(arguments):
    run = urlkey(*arguments)
    assert run.returncode == 2
    assert run.stdout == b""
    assert b"urlkey" in run.stderr
    assert b"Traceback" not in run.stderr


@pytest.mark.parametrize("command", [(), *[(name,) for name in HELP]])
def test_help_goes_to_standard_output(command):
    run = urlkey(*command, "--help")
    assert (run.returncode, run.stderr) == (0, b"")
    assert run.stdout.startswith(b"usage: urlkey")


def test_help_lists_every_command():
    shown = urlkey("--help").stdout.decode()
    assert all(f"\n    {name}" in shown for name in HELP)


def test_version_says_with_json_what_decides_keys():
    import urlkey as package

    assert urlkey("--version").stdout.decode() == f"urlkey {package.__version__}\n"
    told = json.loads(urlkey("--version", "--json").stdout)
    assert told["policies"]["crawl"] == Policy("crawl").id
    assert set(told["data"]) == {"public_suffix_list", "signed_urls", "unicode"}


def test_one_key_imports_nothing_heavy():
    run = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "urlkey", "key", "http://a.example/"], capture_output=True
    )
    assert run.stdout == b"http://a.example/\n"
    imported = {line.split(b"|")[-1].strip().decode() for line in run.stderr.splitlines()}
    assert imported.isdisjoint({"argparse", "re", "json", "pathlib", "typing", "csv", "urlkey.cli.app", "rich"})


# --- explain and compare


def test_explain_ends_at_the_key():
    url = "HTTP://www.Example.com:80/a/../b?utm_source=x&z=1&b=2#x"
    told = json.loads(urlkey("explain", "--json", url).stdout)
    assert told["key"] == key(url)
    assert told["steps"][-1]["after"] == told["key"]
    assert {"lower_host", "default_port", "dot_segments", "drop_tracking", "sort_query"} <= {
        step["name"] for step in told["steps"]
    }
    text = urlkey("explain", url).stdout.decode()
    assert all(step["name"] in text for step in told["steps"])


def test_explain_says_what_has_no_key():
    run = urlkey("explain", "--json", "--strict", "http://a:b/", "http://a.example/")
    failed, good = map(json.loads, run.stdout.splitlines())
    assert failed["error"]["code"] == "port-invalid"
    assert good["key"] == "http://a.example/"
    assert run.returncode == 1


def test_compare_tells_by_its_exit_status():
    assert urlkey("compare", "http://a.example/?a&b", "http://A.example/?b&a").returncode == 0
    assert urlkey("compare", "http://a.example/", "https://a.example/").returncode == 1
    assert urlkey("compare", "http://a.example/", "http://a:b/").returncode == 2
    quiet = urlkey("compare", "-q", "http://a.example/", "http://b.example/")
    assert (quiet.returncode, quiet.stdout) == (1, b"")


def test_compare_says_where_two_keys_would_meet():
    told = json.loads(urlkey("compare", "--json", "http://a.example/", "https://a.example/").stdout)
    assert (told["same"], told["meets"], told["reasons"]) == (False, "site", ["scheme"])


# --- for eyes


SECRETS = "http://user:hunter2@a.example/?access_token=hunter3"


@pytest.mark.parametrize(
    "arguments",
    [
        ("explain", SECRETS),
        ("explain", "--json", SECRETS),
        ("compare", SECRETS, "http://a.example/"),
        ("compare", "--json", SECRETS, "http://a.example/"),
        ("key", SECRETS.replace("a.example", "a example")),
    ],
)
def test_secrets_are_shown_only_when_asked_for(arguments):
    hidden = urlkey(*arguments)
    assert b"hunter" not in hidden.stdout + hidden.stderr
    shown = urlkey(*arguments, "--show-secrets")
    assert b"hunter2" in shown.stdout + shown.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("key", "<http://u:hunter2@h:x/>"),
        ("key", "hxxp[:]//u:hunter2@h:x/"),
        ("explain", "<http://u:hunter2@h/>", "--on", "trim_wrapping"),
        ("explain", "hxxp[:]//u:hunter2@h/", "--on", "refang"),
        ("explain", "u:hunter2@h/", "--on", "assume_scheme"),
    ],
)
def test_secrets_are_found_in_what_is_to_be_repaired(arguments):
    run = urlkey(*arguments)
    assert b"***" in run.stdout + run.stderr
    assert b"hunter2" not in run.stdout + run.stderr


def test_keys_are_data_and_come_out_whole():
    assert urlkey("key", SECRETS).stdout.decode() == SECRETS + "\n"


@pytest.mark.parametrize("control", ["\x1b[31m", "\u202e", "\x07", "\x9b31m", "\r", "\u2066"])
def test_terminal_controls_are_escaped_for_eyes(control):
    for arguments in (("explain", f"http://a.example/{control}"), ("key", f"http://a example/{control}")):
        run = urlkey(*arguments)
        told = (run.stdout + run.stderr).decode()
        assert all(character.isprintable() or character == "\n" for character in told)


def test_long_texts_are_cut_for_eyes():
    run = urlkey("key", stdin=b"x" * 100_000)
    assert len(run.stderr) < 1_000


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [
        ({}, True),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": ""}, True),
        ({"TERM": "dumb"}, False),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
    ],
)
def test_colours_on_a_terminal_follow_the_environment(environment, coloured):
    told = on_a_terminal("explain", "HTTP://a.example/", **{"TERM": "xterm"} | environment)
    assert (b"\x1b[" in told) == coloured


def test_there_are_no_colours_in_a_pipe_unless_forced():
    assert b"\x1b[" not in urlkey("explain", "HTTP://a.example/").stdout
    assert b"\x1b[" in urlkey("explain", "HTTP://a.example/", FORCE_COLOR="1").stdout


def on_a_terminal(*arguments: str, **environment: str) -> bytes:
    """What a command writes to a terminal."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "urlkey", *arguments]
    with subprocess.Popen(command, stdout=theirs, stderr=theirs, env=clean_environment(**environment)) as process:
        os.close(theirs)
        told = b""
        try:
            while block := os.read(ours, 4096):
                told += block
        except OSError:  # Linux says so when the other end is closed.
            pass
        process.wait()
    os.close(ours)
    return told


# --- how a command ends


COMMANDS = [
    ("key", "http://a.example/"),
    ("key", "--strict", "http://a.example/"),
    ("explain", "http://a.example/"),
    ("compare", "http://a.example/", "http://a.example/"),
    ("policies",),
    ("policies", "show", "crawl"),
    ("completion", "bash"),
    ("dedupe", str(EXAMPLES)),
    ("--version",),
    ("--help",),
    ("key", "--help"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_output_that_cannot_be_written_is_status_2_and_a_message(command):
    for redirection, message in ((">&-", b"standard output is closed"), (">/dev/full", b"No space left on device")):
        run = subprocess.run(
            ["sh", "-c", f'"$@" {redirection}', "sh", sys.executable, "-m", "urlkey", *command],
            stderr=subprocess.PIPE,
        )
        assert (run.returncode, run.stderr) == (2, b"urlkey: %s\n" % message)


def test_a_terminal_that_lacks_a_character_gets_its_escape():
    for command in (("explain", "http://a.example/?utm_source=é"), ("policies", "ladder"), ("explain", "é")):
        run = urlkey(*command, PYTHONIOENCODING="ascii")
        assert b"Traceback" not in run.stderr
        assert (run.stdout + run.stderr).isascii()
    assert rb"\xe9" in urlkey("explain", "http://a.example/?é", PYTHONIOENCODING="ascii").stdout


def test_data_are_utf8_whatever_the_terminal_takes(tmp_path):
    policy = tmp_path / "mine.toml"
    policy.write_text(Policy("crawl").text.replace('serves = "', 'serves = "é '), encoding="utf-8")
    plain, ascii_only = (urlkey("policies", "show", policy, **more) for more in ({}, {"PYTHONIOENCODING": "ascii"}))
    assert "é".encode() in plain.stdout
    assert ascii_only.stdout == plain.stdout


@pytest.mark.parametrize(
    "option", ["--encoding", "--policy", "--on", "--off", "--rules", "--base", "--column", "--colour", "--x\x1b[31m"]
)
def test_an_option_of_odd_bytes_is_a_message_for_eyes(option):
    run = urlkey("dedupe", option.encode(), b"\xff\x1b[31m", stdin=b"http://a.example/\n")
    assert (run.returncode, run.stdout) == (2, b"")
    told = run.stderr.decode()
    assert "Traceback" not in told
    assert all(character.isprintable() or character == "\n" for character in told)


def test_options_may_stand_between_arguments():
    run = urlkey("key", "http://a.example", "--strict", "http://b.example", "-p", "safe", "--", "-x")
    assert run.stdout == b"http://a.example/\nhttp://b.example/\n\n"
    assert run.returncode == 1


def test_a_bad_base_is_named_as_the_base():
    for arguments in (("key", "x"), ("explain", "x"), ("compare", "x", "y"), ("dedupe",)):
        run = urlkey(*arguments, "--base", "http://u:hunter2@h:x/")
        assert run.returncode == 2
        assert run.stderr.startswith(b"urlkey: --base: port-invalid: ")
        assert b"hunter2" not in run.stderr


@pytest.mark.parametrize("command", [("key",), ("dedupe",)])
def test_a_broken_pipe_is_141_and_silent(command):
    with started(*command) as process:
        process.stdout.close()
        try:
            process.stdin.write(b"".join(b"http://a.example/%d\n" % i for i in range(200_000)))
            process.stdin.close()
        except BrokenPipeError:
            pass
        assert process.stderr.read() == b""
        assert process.wait() == 141


def test_an_interrupt_is_130_and_silent():
    with started("key") as process:
        process.stdin.write(b"http://a.example\n")
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
        assert process.stderr.read() == b""


# --- policies and completion


def test_policies_are_listed_with_their_ids():
    listed = json.loads(urlkey("policies", "--json").stdout)
    assert {row["name"]: row["id"] for row in listed}["fold"] == Policy("fold").id
    shown = urlkey("policies").stdout.decode()
    assert all(row["short_id"] in shown for row in listed)


def test_a_shown_policy_can_be_read_again():
    shown = urlkey("policies", "show", "crawl", "--on", "drop_www").stdout.decode()
    assert Policy.from_text(shown) == Policy("crawl").with_(drop_www=True)


def test_the_ladder_says_which_profiles_have_a_rung_on():
    ladder = {row["name"]: row["profiles"] for row in json.loads(urlkey("policies", "ladder", "--json").stdout)}
    for name in ("safe", "crawl", "fold"):
        assert tuple(rung for rung, profiles in ladder.items() if name in profiles) == Policy(name).rungs
    shown = urlkey("policies", "ladder").stdout.decode()
    assert all(rung in shown for rung in ladder)
