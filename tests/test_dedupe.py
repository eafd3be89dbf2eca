"""`urlkey dedupe` on lines: what is kept, in which order, and that nothing is lost."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command import EXAMPLES, urlkey
from urlkey import Policy, UrlKeyError, key
from urlkey._native import Dedupe


def kept_by_hand(lines: list[bytes], policy: str = "crawl") -> tuple[list[bytes], list[int]]:
    """The naive oracle: the first line of each key, and the indexes of lines without one."""
    seen, kept, rejected = set(), [], []
    for index, line in enumerate(lines):
        try:
            made = key(line, policy=policy)
        except UrlKeyError:
            rejected.append(index)
            continue
        if made not in seen:
            seen.add(made)
            kept.append(line)
    return kept, rejected


def messy(count: int, seed: int = 1) -> list[bytes]:
    """Lines with many spellings of few pages, and some that are no URL."""
    pick = random.Random(seed)
    lines = []
    for _ in range(count):
        scheme = pick.choice(["http://", "https://", "HTTP://", "http:/", ""])
        host = pick.choice(["a.example", "A.example", "www.a.example", "a.example:80", "b.example.", "a:b"])
        path = pick.choice(["", "/", "/x/../", "/%7ex", "/~x", "/index.html", "/\xff", "/a//b"])
        query = pick.choice(["", "?", "?a=1&b=2", "?b=2&a=1", "?utm_source=x&a=1", "?a=1&&a=1"])
        fragment = pick.choice(["", "#", "#top", "#!/x"])
        lines.append((scheme + host + path + query + fragment).encode("latin-1"))
    return lines


def test_the_first_line_of_each_key_is_kept_in_order():
    lines = messy(5_000)
    run = urlkey("dedupe", stdin=b"\n".join(lines) + b"\n")
    assert run.stdout.split(b"\n")[:-1] == kept_by_hand(lines)[0]
    assert run.returncode == 0


def test_the_example_list_is_deduplicated_as_by_hand():
    lines = EXAMPLES.read_bytes().splitlines()
    assert urlkey("dedupe", EXAMPLES).stdout.splitlines() == kept_by_hand(lines)[0]


@given(st.lists(st.integers(1, 4_000), max_size=40), st.booleans())
def test_blocks_may_be_cut_anywhere(cuts, crlf):
    text = (b"\r\n" if crlf else b"\n").join(messy(120))
    whole = Dedupe("crawl")
    expected = whole.feed(text) + whole.end_file()
    parts = Dedupe("crawl")
    out, at = b"", 0
    for cut in cuts:
        out += parts.feed(text[at : at + cut])
        at += cut
    out += parts.feed(text[at:]) + parts.end_file()
    assert out == expected
    assert parts.totals == whole.totals


@given(st.binary(max_size=300))
def test_any_bytes_are_kept_merged_or_rejected(text):
    lines = Dedupe("crawl", rejects=-1, groups=True)
    out = lines.feed(text) + lines.end_file()
    count = text.count(b"\n") + (not text.endswith(b"\n") and text != b"")
    totals = lines.totals
    assert totals["lines"] == count == totals["kept"] + totals["merged"] + totals["rejected"]
    assert out.count(b"\n") == totals["kept"] == lines.group_count()
    grouped = [number for _, spellings in lines.groups(0, count) for number, _ in spellings]
    rejected = [number for number, *_ in lines.take_rejects()]
    assert sorted(grouped + rejected) == list(range(1, count + 1))


def test_every_line_is_in_the_output_in_a_group_or_in_the_rejects(tmp_path):
    lines = [*messy(3_000), b"", b"\0", b"http://a.example/\t", b"x" * 100_000, b"\x1b[31m"]
    random.Random(2).shuffle(lines)
    groups, rejects, out = tmp_path / "g.jsonl", tmp_path / "r.jsonl", tmp_path / "out.txt"
    run = urlkey("dedupe", "-o", out, "--groups", groups, "--rejects", rejects, stdin=b"\n".join(lines) + b"\n")
    assert run.returncode == 0
    found = {}
    kept = []
    for group in map(json.loads, groups.read_text().splitlines()):
        texts = [row["text"].encode("utf-8", "surrogateescape") for row in group["spellings"]]
        assert {key(text) for text in texts} == {group["key"]}
        assert group["lines"] == len(texts)
        found.update(zip((row["line"] for row in group["spellings"]), texts, strict=True))
        kept.append(texts[0])
    for row in map(json.loads, rejects.read_text().splitlines()):
        text = found[row["line"]] = row["text"].encode("utf-8", "surrogateescape")
        with pytest.raises(UrlKeyError) as error:
            key(text)
        assert (row["code"], row["at"]) == (error.value.code, error.value.at)
    assert [found[number] for number in range(1, len(lines) + 1)] == lines
    assert out.read_bytes().split(b"\n")[:-1] == kept


def test_rejects_are_line_code_text(tmp_path):
    rejects = tmp_path / "r.tsv"
    run = urlkey("dedupe", "--rejects", rejects, stdin=b"http://a.example/\nhttp://a:b/\tx\nhttp://[/\n")
    assert rejects.read_bytes() == b"2\tport-invalid\thttp://a:b/\tx\n3\tIPv6-unclosed\thttp://[/\n"
    assert b"2 of 3 lines have no key" in run.stderr


def test_groups_are_key_line_text(tmp_path):
    groups = tmp_path / "g.tsv"
    urlkey("dedupe", "--groups", groups, stdin=b"http://a.example\nhttp://b.example/\nHTTP://a.example/\n")
    assert groups.read_bytes() == (
        b"http://a.example/\t1\thttp://a.example\n"
        b"http://a.example/\t3\tHTTP://a.example/\n"
        b"http://b.example/\t2\thttp://b.example/\n"
    )


def test_lines_of_several_files_are_told_apart(tmp_path):
    (tmp_path / "a").write_bytes(b"http://a.example/\nx")
    (tmp_path / "b").write_bytes(b"HTTP://a.example/\ny\nhttp://b.example/")
    run = urlkey("dedupe", "--rejects", "r", "--groups", "g", "a", "b", cwd=tmp_path)
    assert run.stdout == b"http://a.example/\nhttp://b.example/\n"
    assert [row.split("\t")[0] for row in (tmp_path / "r").read_text().splitlines()] == ["a:2", "b:2"]
    assert [row.split("\t")[1] for row in (tmp_path / "g").read_text().splitlines()] == ["a:1", "b:1", "b:3"]


def test_the_shortest_is_printed_at_the_place_of_the_first():
    stdin = b"http://a.example/?\nhttp://b.example/\nhttp://a.example\nhttp://a.example/\n"
    run = urlkey("dedupe", "--keep", "shortest", stdin=stdin)
    assert run.stdout == b"http://a.example\nhttp://b.example/\n"


def test_https_is_printed_at_the_place_of_the_first():
    stdin = b"http://a.example/\nhttp://b.example/\n HTTPS://a.example\nhttps://a.example/\n"
    run = urlkey("dedupe", "-p", "fold", "--keep", "https", stdin=stdin)
    assert run.stdout == b" HTTPS://a.example\nhttp://b.example/\n"


def test_keeping_another_spelling_keeps_as_many_lines():
    stdin = b"\n".join(messy(4_000)) + b"\n"
    first = urlkey("dedupe", "-p", "fold", stdin=stdin).stdout.splitlines()
    for keep in ("shortest", "https"):
        other = urlkey("dedupe", "-p", "fold", "--keep", keep, stdin=stdin).stdout.splitlines()
        assert Policy("fold").keys(other) == Policy("fold").keys(first)


def test_line_ends_stay_and_the_last_line_gets_one():
    stdin = b"\xef\xbb\xbfhttp://a.example/\r\nhttp://A.example/\nhttp://b.example/\nhttp://c.example/"
    run = urlkey("dedupe", stdin=stdin)
    assert run.stdout == b"http://a.example/\r\nhttp://b.example/\nhttp://c.example/\n"


def test_null_ends_lines():
    run = urlkey("dedupe", "-0", stdin=b"http://a.example/\n\0http://a.example/\0http://b.example/")
    assert run.stdout == b"http://a.example/\n\0http://b.example/\0"


def test_a_line_of_ten_megabytes_is_rejected_whole(tmp_path):
    long = b"http://a.example/" + b"x" * 10_000_000
    rejects = tmp_path / "r"
    run = urlkey("dedupe", "--rejects", rejects, stdin=long + b"\nhttp://b.example/\n")
    assert run.stdout == b"http://b.example/\n"
    assert rejects.read_bytes() == b"1\ttoo-long\t" + long + b"\n"
    assert len(run.stderr) < 1_000


def test_a_file_may_be_its_own_output(tmp_path):
    file = tmp_path / "urls.txt"
    file.write_bytes(b"http://a.example\nhttp://a.example/\n")
    file.chmod(0o640)
    assert urlkey("dedupe", file, "-o", file).returncode == 0
    assert file.read_bytes() == b"http://a.example\n"
    assert file.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [file]


def test_a_failed_run_leaves_the_output_alone(tmp_path):
    out = tmp_path / "out.txt"
    out.write_bytes(b"precious\n")
    assert urlkey("dedupe", "no-such-file", "-o", out).returncode == 2
    assert out.read_bytes() == b"precious\n"
    assert list(tmp_path.iterdir()) == [out]


def test_output_and_rejects_need_a_file_each(tmp_path):
    assert urlkey("dedupe", "-o", "x", "--rejects", "x", cwd=tmp_path).returncode == 2


def test_strict_is_exit_status_1_where_a_line_has_no_key():
    assert urlkey("dedupe", "--strict", stdin=b"http://a.example/\nx\n").returncode == 1
    assert urlkey("dedupe", "--strict", stdin=b"http://a.example/\n").returncode == 0


def test_a_pipe_gets_no_progress_and_no_chatter():
    assert urlkey("dedupe", EXAMPLES).stderr == b""
    assert urlkey("dedupe", "-q", stdin=b"x\n").stderr == b""


# --- the report


def report(lines: list[bytes], policy: str, tmp_path) -> dict:
    file = tmp_path / "report.json"
    run = urlkey("dedupe", "-p", policy, f"--report={file}", "-o", "/dev/null", stdin=b"\n".join(lines) + b"\n")
    assert run.returncode == 0
    return json.loads(file.read_text())


@pytest.mark.parametrize("policy", ["whatwg", "safe", "crawl", "aggressive"])
def test_the_report_counts_what_each_prefix_of_the_ladder_merges(policy, tmp_path):
    lines = messy(2_000) + EXAMPLES.read_bytes().splitlines()[:1_000]
    told = report(lines, policy, tmp_path)
    rejected = {lines[index] for index in kept_by_hand(lines, policy)[1]}
    valid = [line for line in lines if line not in rejected]
    assert told["repeated"] == len(valid) - len(set(valid))
    before, rungs = len(set(valid)), {}
    for step in told["steps"]:
        if step["name"] != "parse":
            rungs[step["name"]] = True
        distinct = len(set(Policy("whatwg").with_(**rungs).keys(valid)))
        assert (step["name"], step["merged"], step["distinct"]) == (step["name"], before - distinct, distinct)
        before = distinct
    assert told["steps"][0]["name"] == "parse"
    assert tuple(rungs) == Policy(policy).rungs
    assert told["kept"] == before


def test_the_samples_of_the_report_merge_at_their_rung(tmp_path):
    told = report(messy(2_000), "fold", tmp_path)
    rungs = {}
    for step in told["steps"]:
        earlier = Policy("whatwg").with_(**rungs)
        if step["name"] != "parse":
            rungs[step["name"]] = True
        if step["merged"]:
            assert step["samples"]
        for sample in step["samples"]:
            a, b = sample["spellings"]
            assert len(set(Policy("fold").keys([a, b]))) == 1
            assert sample["before"][0] != sample["before"][1]
            if step["name"] != "parse" and "\\x" not in a + b:
                assert earlier.keys([a, b]) == sample["before"]


def test_the_report_is_on_standard_error_or_where_it_is_wanted(tmp_path):
    stdin = b"http://a.example\nhttp://a.example/\n"
    run = urlkey("dedupe", "--report", stdin=stdin)
    assert run.stdout == b"http://a.example\n"
    assert b"parse" in run.stderr
    run = urlkey("dedupe", "--report", "-o", "out", stdin=stdin, cwd=tmp_path)
    assert b"parse" in run.stdout
    run = urlkey("dedupe", "--report=report.txt", stdin=stdin, cwd=tmp_path)
    assert (run.stdout, run.stderr) == (b"http://a.example\n", b"")
    assert "parse" in (tmp_path / "report.txt").read_text()


def test_a_report_does_not_change_what_is_kept():
    lines = messy(3_000)
    run = urlkey("dedupe", "-p", "fold", "--report", stdin=b"\n".join(lines) + b"\n")
    assert run.stdout.split(b"\n")[:-1] == kept_by_hand(lines, "fold")[0]


def test_a_report_does_not_swallow_a_file_name():
    run = urlkey("dedupe", "--report", EXAMPLES)
    assert len(run.stdout) > 1_000


def test_the_report_hides_secrets_and_terminal_controls():
    stdin = b"http://user:hunter2@a.example/\x1b[31m?\nhttp://user:hunter2@a.example/\x1b[31m\n"
    run = urlkey("dedupe", "-p", "crawl", "--report", stdin=stdin)
    assert b"hunter2" not in run.stderr
    assert b"\x1b" not in run.stderr
    assert b"hunter2" in urlkey("dedupe", "--report", "--show-secrets", stdin=stdin).stderr


def test_site_rules_are_counted_in_the_report(tmp_path):
    rules, file = tmp_path / "rules.toml", tmp_path / "report.json"
    rules.write_text('schema = 1\n[[site]]\nhost = "*.a.example"\ndrop = ["color"]\n')
    stdin = b"http://a.example/?color=red&v=7\nhttp://a.example/?v=7\n"
    run = urlkey("dedupe", "--rules", rules, f"--report={file}", stdin=stdin)
    assert run.stdout == b"http://a.example/?color=red&v=7\n"
    assert {s["name"]: s["merged"] for s in json.loads(file.read_text())["steps"]}["site_rules"] == 1


def test_a_key_costs_at_most_forty_bytes():
    """The growth of the process, the interpreter and its blocks aside."""
    lines = Dedupe("whatwg")
    before = resident()
    count = 300_000
    for start in range(0, count, 10_000):
        lines.feed(b"".join(b"http://a.example/%d\n" % i for i in range(start, start + 10_000)))
    assert lines.totals["kept"] == count
    assert resident() - before < 40 * count


def resident() -> int:
    """Bytes of memory that the process holds now."""
    try:
        with open("/proc/self/statm") as file:  # noqa: PTH123, gone before it could be a Path
            return int(file.read().split()[1]) * 4096
    except FileNotFoundError:
        pytest.skip("no /proc here")
