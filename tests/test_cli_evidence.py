"""`urlkey evidence`: saved responses and files, as curl leaves them."""

import json

import pytest

from command import urlkey

URL = "http://a.example/x?sort=up"
PAGE = b"<link rel=canonical href=/x><body><link rel=canonical href=/spam>"
RESPONSE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nServer: x\r\n\r\n" + PAGE
LINES = [
    "canonical\t+3\thttp://a.example/x?sort=up\thttp://a.example/x",
    "canonical\tnot-in-head\thttp://a.example/x?sort=up\t/spam",
]


def run(*arguments, stdin=b"", url=URL):
    done = urlkey("evidence", "--url", url, *arguments, stdin=stdin)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode().splitlines()


def test_a_saved_response(tmp_path):
    path = tmp_path / "response.txt"
    path.write_bytes(RESPONSE)
    assert run(path) == LINES
    assert run(stdin=RESPONSE) == LINES
    assert run(stdin=RESPONSE.replace(b"\r\n", b"\n")) == LINES
    assert run(stdin=RESPONSE.replace(b"HTTP/1.1 200 OK", b"HTTP/2 200 ")) == LINES


def test_a_page_alone(tmp_path):
    assert run(stdin=PAGE) == LINES
    assert run("-H", "Link: </x?utm_source=y>; rel=canonical", stdin=PAGE)[0].startswith("canonical-agreed\t+4\t")
    assert run(stdin=b"") == []


def test_a_chain_of_redirects():
    chain = b"HTTP/1.1 301 Moved\r\nLocation: https://a.example/x?sort=up\r\n\r\n" + RESPONSE
    assert run(stdin=chain) == [
        f"redirect-permanent\t+6\t{URL}\thttps://a.example/x?sort=up",
        *(line.replace("http://", "https://") for line in LINES),
    ]


def test_what_a_proxy_says_first_is_no_answer():
    first = b"HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </y>; rel=canonical\r\n\r\n"
    assert run(stdin=first + RESPONSE) == LINES


def test_folded_headers_go_on():
    response = b"HTTP/1.1 200 OK\r\nLink: </x>;\r\n  rel=canonical\r\n\r\n"
    assert run(stdin=response) == [f"canonical-header\t+3\t{URL}\thttp://a.example/x"]


def test_a_response_without_a_body_or_an_end():
    for response in (b"HTTP/1.1 301 Moved\r\nLocation: /y", b"HTTP/1.1 301\nLocation: /y\n\n"):
        assert run(stdin=response) == [f"redirect-permanent\t+6\t{URL}\thttp://a.example/y"]
    assert run(stdin=b"HTTP/1.1 301") == [f"redirect-permanent\tno-target\t{URL}\t"]


def test_json_has_reasons_and_rules():
    response = b'HTTP/1.1 200 OK\r\nNo-Vary-Search: params=("sort")\r\nLink: <http://b.example/>; rel=canonical\r\n\r\n'
    evidence, refusal, rule = map(json.loads, run("--json", stdin=response))
    assert refusal == {
        "kind": "canonical-header",
        "from": URL,
        "to": "http://b.example/",
        "refused": "cross-site",
        "reason": "it leads to another site",
    }
    assert (evidence["kind"], evidence["to"], evidence["weight"]) == ("no-vary-search", "http://a.example/x", 4.0)
    assert (rule["kind"], rule["host"]) == ("rule", "a.example")
    assert rule["toml"].startswith("[[site]]\n")
    done = urlkey("evidence", "--url", URL, stdin=response)
    assert done.stderr == b"urlkey: site rules suggested: 1; --json has them\n"
    assert done.stdout.count(b"\n") == 2


def test_other_files():
    sitemap = b"<urlset><url><loc>http://a.example/x</loc></url></urlset>"
    assert run("--type", "sitemap", stdin=sitemap) == ["sitemap\t+0\thttp://a.example/x\thttp://a.example/x"]
    feed = b"<rss><channel><item><link>/x?a=1</link><guid>http://a.example/x</guid></item></channel></rss>"
    assert run("--type", "feed", stdin=feed) == ["guid\t+4\thttp://a.example/x?a=1\thttp://a.example/x"]
    assert run("--type", "robots", stdin=b"Clean-param: a=b") == [
        "clean-param\tbad-syntax\thttp://a.example/x?sort=up\t"
    ]


def test_the_policy_counts():
    response = b"HTTP/1.1 200 OK\r\nLink: </y>; rel=canonical, </y?utm_source=x>; rel=canonical\r\n\r\n"
    assert run(stdin=response) == [f"canonical-header\t+3\t{URL}\thttp://a.example/y"]
    assert run("--policy", "safe", stdin=response) == [
        f"canonical-header\tseveral\t{URL}\thttp://a.example/y",
        f"canonical-header\tseveral\t{URL}\thttp://a.example/y?utm_source=x",
    ]


def test_what_a_page_spells_cannot_break_lines():
    page = b"<link rel=canonical href='javascript:a\n\tb\x1b[31m'>"
    (line,) = run(stdin=page)
    assert line.count("\t") == 3
    assert "\x1b" not in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--url", "http://a:x/"], b"--url: port-invalid"),
        (["--url", "mailto:x@a.example"], b"--url: mailto: has no responses"),
        (["--url", URL, "-H", "x"], b"--header takes a name and a value"),
        (["--url", URL, "-H", "x: y"], b"--header is for a page alone"),
        ([], b"--url"),
        (["--url", URL, "no-such-file"], b"no-such-file"),
    ],
)
def test_faults(arguments, message):
    done = urlkey("evidence", *arguments, stdin=RESPONSE)
    assert done.returncode == 2
    assert message in done.stderr
