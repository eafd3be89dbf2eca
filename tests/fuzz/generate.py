"""Texts and bytes from a seed: the project's vectors with pieces put in, put over, taken out. Knows what URLs look
like, not what is tested."""

from collections.abc import Callable, Iterator
from functools import cache
from random import Random

import suites

# Delimiters, what looks like them, what vanishes, what changes, hosts and ports whole.
PIECES = [
    *"/\\@:#?%.[]-_~!$&'()*+,;=<>^`{|}\"0189axX \t\r\n\x00\x0b\x7f\x85",
    *"\u3002\uff0e\uff61\uff0f\uff20\uff1a\uff3c\u2044\u00ad\u200b\u200d\u202e\ufeff\u00a0\u3000",
    *"ßςü\u0130①\uff11\u0663·ー℀\U0001f4a9",
    *("%00", "%2f", "%40", "%2e", "%5c", "%25", "%e3%80%82", "xn--", "XN--", "0x", "..", "--", "&amp;", "utm_source=x"),
    *("http://", "https:", "//", "///", "file:", "file://", "foo:", "mailto:", "blob:", "javascript:", "C|", "/C:/"),
    *(":80", ":8080", ":65536", "127.0.0.1", "0x7f.1", "[::1]", "[::ffff:8.8.8.8]", "example.com", "@evil.example"),
]
BASES = [
    *("http://a.example/b/c?d#e", "https://u:p@a.example:8080/b/", "file:///C:/x", "file://h/C|/x"),
    *("foo://h/x", "foo:/.//x", "mailto:a@b"),
]


@cache
def seeds() -> list[str]:
    """Every URL of the project's own vectors, once."""
    found = {}
    for path in sorted(suites.OWN.rglob("*.jsonl")):
        if path.name == "fuzz.jsonl":  # inputs of targets, no URLs
            continue
        for row in suites.rows(path):
            for field in ("input", "a", "b", "href", "url"):
                if isinstance(row.get(field), str) and len(row[field]) < 2000:
                    found[row[field]] = None
    return list(found)


def text(random: Random) -> str:
    """A seed, disturbed in up to three places."""
    found = random.choice(seeds())
    for _ in range(random.randrange(4)):
        at = random.randrange(len(found) + 1)
        found = found[:at] + random.choice(PIECES) + found[at + random.randrange(3) :]
    return found


def base(random: Random) -> str | None:
    """A base for a third of the texts."""
    return random.choice(BASES) if random.randrange(3) == 0 else None


def made_of(data: bytes) -> bytes:
    """An input that bytes describe: one that chooses, two for a seed, then three an edit: place, piece, and how much it
    covers. So a fuzzer that sees little of what is tested still gives it URLs."""
    if len(data) < 3:
        return data
    found = seeds()[int.from_bytes(data[1:3]) % len(seeds())]
    for place, piece, covered in zip(data[3:48:3], data[4:48:3], data[5:48:3], strict=False):
        at = place * (len(found) + 1) // 256
        found = found[:at] + PIECES[piece % len(PIECES)] + found[at + covered % 4 :]
    return data[:1] + found.encode("utf-8", "surrogatepass")


def inputs(seed: int, count: int) -> Iterator[bytes]:
    """Inputs as a fuzzer makes them: a byte that chooses, then a text, some of its bytes torn."""
    random = Random(seed)
    for _ in range(count):
        data = bytearray([random.randrange(256)])
        data += text(random).encode("utf-8", "surrogatepass")
        for _ in range(random.randrange(4) // 3 * random.randrange(4)):
            data.insert(random.randrange(1, len(data) + 1), random.randrange(256))
        yield bytes(data)


# Lists of parameters in the formats that are imported, with places for what differs.
LISTS = [
    '{{"providers": {{"p": {{"urlPattern": "{a}", "rules": ["{b}"], "exceptions": ["{c}"], "rawRules": ["{d}"]}}}}}}',
    '{{"providers": {{"p": {{"urlPattern": "{a}", "completeProvider": true, "redirections": ["{b}", "{c}"]}}}}}}',
    "[Adblock Plus 2.0]\n! {a}\n{b}$removeparam={c}\n@@||{d}^$removeparam\n",
    "||{a}^$removeparam={b},domain={c}|~{d}\n*$queryprune=/{b}/i,app=x\n",
    '[{{"include": ["{a}", "*://*/*"], "exclude": ["{b}"], "params": ["{c}", "{d}"]}}]',
    '[{{"include": ["{a}"], "action": "{b}", "param": "{c}", "prepend_scheme": "https"}}]',
    '{{"{a}": ["{b}"], "{c}": ["{d}"]}}',
    '{{"data": [{{"stripList": ["{a}", "{b}"], "allowList": ["{c}"]}}]}}',
    '{{"global": {{"params": ["{a}"], "topLevelSites": ["*"]}}, "x": {{"params": ["{b}"], "topLevelSites": ["{c}"]}}}}',
]
ITEMS = [
    *(
        "utm_source",
        "utm_*",
        "x",
        "/^utm_[a-z]+$/",
        "~x",
        "a|b",
        "",
        "*",
        "é",
        "x=1",
        "/(?=x)/",
        "(?:%3F)?ref_?",
        "[&?]x",
    ),
    *(
        "shop.example",
        "*://*.shop.example/*",
        "*.example",
        "example.*",
        "a..b",
        "https?:\\\\/\\\\/a\\\\.example",
        "^https?:",
    ),
    *(
        "||a.example^",
        "|https://a.example/*",
        "/x/*",
        ".*",
        "redirect",
        "base64,redirect",
        "u",
        "\\\\d+",
        "(",
        "a{2,1}",
        "\\u0000",
    ),
    *(
        "^https?:\\\\/\\\\/(?:[a-z0-9-]+\\\\.)*?amazon(?:\\\\.[a-z]{2,}){1,}",
        "\\\\/ref=[^/?]*",
        "(?<n>x)\\\\k<n>",
        "x]]]",
        "\\n",
        '\\"',
    ),
]


def list_text(random: Random) -> str:
    """A list of parameters, whole or disturbed."""
    found = random.choice(LISTS).format(**{name: random.choice(ITEMS) for name in "abcd"})
    for _ in range(random.randrange(6) // 4):
        at = random.randrange(len(found) + 1)
        found = found[:at] + random.choice([*ITEMS, *'{}[],:"$|^\n']) + found[at + random.randrange(3) :]
    return found


def lists(seed: int, count: int) -> Iterator[bytes]:
    """Inputs of the target `importers`: a byte that chooses, then a list."""
    random = Random(seed)
    for _ in range(count):
        yield bytes([random.randrange(256)]) + list_text(random).encode("utf-8", "surrogatepass")


def pattern_lists(seed: int, count: int) -> Iterator[bytes]:
    """Inputs of the target `pattern_sets`: a byte that chooses, lines, an empty one, URLs."""
    rows = suites.own("patterns.jsonl")
    random = Random(seed)
    for _ in range(count):
        some = random.choices(rows, k=1 + random.randrange(4))
        lines = "\n".join(row["pattern"] for row in some)
        urls = "\n".join(row["url"] for row in some) + "\n" + text(random)
        data = bytearray([random.randrange(256)])
        data += f"{lines}\n\n{urls}".encode("utf-8", "surrogatepass")
        if random.randrange(3) == 0:
            data.insert(random.randrange(1, len(data)), random.randrange(256))
        yield bytes(data)


# What headers and heads of pages are made of.
MARKUP = [
    *("<", ">", '"', "'", "=", ";", ",", "\\", "/", "&amp;", " rel=", "canonical", "<base href=", "</head>", "<body>"),
    *(
        "<!--",
        "-->",
        "<noscript>",
        "</noscript>",
        "<template>",
        "<script>",
        "<svg>",
        "<div>",
        "\xff",
        "\x00",
        "; anchor=",
    ),
    *(
        'Link: </y>; rel="canonical"\n',
        'No-Vary-Search: params=("',
        "Location: //",
        "Refresh: 0;url=",
        "Clean-param: a /*",
    ),
    *("<urlset><url><loc>", "</loc></url>", "<rss><item><guid>", "</guid><link>", 'hreflang="de"', "?page=2", "?id=7"),
]


def responses(seed: int, count: int) -> Iterator[bytes]:
    """Inputs of the target `responses`: a byte that chooses, headers, an empty line, a page."""
    rows = suites.own("evidence.jsonl")
    random = Random(seed)
    for _ in range(count):
        row = random.choice(rows)
        lines = "".join(f"{name}: {value}\n" for name, value in row.get("headers", {}).items())
        found = f"{lines}\n{row.get('body', row.get('body_latin1', ''))}"
        for _ in range(random.randrange(5)):
            at = random.randrange(len(found) + 1)
            found = found[:at] + random.choice([*MARKUP, *PIECES]) + found[at + random.randrange(3) :]
        yield bytes([random.randrange(256)]) + found.encode("utf-8", "surrogatepass")


INPUTS: dict[str, Callable[[int, int], Iterator[bytes]]] = {
    "binding": inputs,
    "browsers": inputs,
    "importers": lists,
    "pattern_sets": pattern_lists,
    "responses": responses,
}
"""By target: inputs of a seed, that many."""
