"""Inputs that make as much work as they can for their size, by kind. A shape makes a text of about `size` bytes."""

from collections.abc import Callable

Shape = Callable[[int], str]

# 64 bytes and eight doublings.
SIZES = [1 << power for power in range(6, 15)]


def repeated(front: str, part: str, back: str = "") -> Shape:
    """A part again and again between two others."""
    width = len(part.encode("utf-8", "surrogatepass"))
    return lambda size: front + part * max(1, size // width) + back


def numbered(front: str, part: str, back: str = "", *, down: bool = False) -> Shape:
    """The same with a number in each part, all of one width, upwards or downwards."""

    def made(size: int) -> str:
        count = max(1, size // len(part.format(0)))
        numbers = range(count - 1, -1, -1) if down else range(count)
        return front + "".join(part.format(number) for number in numbers) + back

    return made


_A = "http://a.example"

URLS: dict[str, Shape] = {
    "parameters, the last name first": numbered(_A + "/?", "x{:05}=1&", down=True),
    "what tracking appends": repeated(_A + "/?", "utm_source=x&amp;gclid=1&"),
    "up and down": repeated(_A + "/", "a/../b/./", "%2e%2E/index.html"),
    "slashes and index files": repeated(_A + "/", "//index.html"),
    "escapes of escapes": repeated(_A + "/", "%25%32%35", "?%25"),
    "half escapes": repeated(_A + "/", "%%4"),
    "labels that may go": repeated("http://", "m.www.", "example.com/x"),
    "labels beyond ASCII": repeated("http://", "éǅﬃİ.", "example/"),
    "userinfo": repeated("http://", "u:@", "a.example/"),
    "links in links": repeated("", "https://l.facebook.com/l.php?u=", "http%3A%2F%2Fb.example%2F"),
    "escaped links in links": repeated(
        "https://www.google.com/url?q=", "https%253A%252F%252Fl.facebook.com%2Fl.php%3Fu%3D"
    ),
    "broken on purpose": repeated("hxxp[:]//", "a[.](.)", "example[.]com/"),
    "labels of Punycode": repeated("http://", "xn--a.", "example/"),
    "days of a calendar": repeated(_A, "/2031-01-01"),
    "marks on letters": repeated("http://a", "\u0301\u0327", ".example/"),
}

# Links that make work for one row of the redirectors each.
LINKS: dict[str, Shape] = {
    "escapes of a percent sign": repeated("https://l.facebook.com/l.php?u=", "%25"),
    "twice": repeated("https://l.facebook.com/l.php?u=http://a/", "%2525"),
    "the parameter again": repeated("https://l.facebook.com/l.php?", "u=http%3A%2F%2F&"),
    "ampersands escaped for HTML": repeated("https://l.facebook.com/l.php?", "&amp;amp;u=x"),
    "itself": repeated("https://l.facebook.com/l.php?u=", "https://l.facebook.com/l.php?u="),
    "itself behind a question mark": repeated("https://href.li/?", "https://href.li/?"),
    "targets without a host": repeated("https://www.googleadservices.com/pagead/aclk?", "adurl=http:///&"),
    "targets that are schemes": repeated("https://www.awin1.com/cread.php?", "p=https://&"),
    "a shield, version 2, its fields": repeated("https://urldefense.proofpoint.com/v2/url?", "u=x&d=&"),
    "a shield, version 2": repeated("https://urldefense.proofpoint.com/v2/url?u=http-3A__a_", "-26amp-3B", "&d="),
    "a shield, version 3, places": repeated("https://urldefense.com/v3/__https://a/", "*", "__;Iw!!"),
    "a shield, version 3, runs": lambda size: (
        "https://urldefense.com/v3/__https://a/" + "**_" * (size // 6) + "__;" + "IyMj" * (size // 8) + "!!"
    ),
    "a shield, version 3, ends": repeated("https://urldefense.com/v3/__https://a/", "__;"),
    "slashes": repeated("https://secure-web.cisco.com/", "/"),
    "parts of a path": repeated("https://r.search.yahoo.com/", "/RU="),
    "numbers of a path": repeated("https://www.dpbolvw.net/click-", "-1", "?url=http://a.example/"),
    "base64": repeated("https://eu.protection.sophos.com/?u=", "AAAA"),
    "colons behind a target": repeated("https://disq.us/?url=http://a/", ":a"),
    "labels of a redirector": repeated("https://", "google.", "com/url?q=http://a.example/"),
}

# A line is a URL.
LINES: dict[str, Shape] = {
    "numbered paths": numbered("", "http://a.example/{:06}\n"),
    "numbered hosts, downwards": numbered("", "http://h{:06}.example/\n", down=True),
    "numbered parameters": numbered("", "http://a.example/?x{:06}=1\n"),
    "paths of one another": repeated("", "http://a.example/a/b/c/d/e/f\n"),
    "no URLs": repeated("", "http://[\n"),
    "one long line": repeated("http://a.example/", "a/"),
    "bytes of no text": repeated("", "http://a.example/\xa0\xff\n"),
    "links in links": repeated("", "https://l.facebook.com/l.php?u=https%3A%2F%2Fb.example\n"),
    "stars": repeated("", "*.*/*\n"),
    "expressions": numbered("", "url_regex ^https?://a{:05}.*b\n"),
    "addresses": numbered("", "1.2.3.{:04}\n"),
    "platforms": numbered("", "https://www.youtube.com/watch?v={:011}&t=1\n"),
}

PAGES: dict[str, Shape] = {
    "links": repeated("<body>", "<a href='/x?b&a'>x</a>"),
    "one in another": repeated("<body>", "<div>", "<a href=x>"),
    "ends alone": repeated("<body>", "</b>"),
    "attributes": numbered("<a href=x ", "a{:06}=1 ", ">x</a>"),
    "an attribute without end": repeated('<a href="', "a b", ""),
    "beginnings of tags": repeated("", "<a "),
    "signs": repeated("", "<"),
    "entities": repeated("<a href='", "&amp;amp;", "'>x</a>"),
    "bases": repeated("<head>", "<base href='http://b.example/'>", "<a href=x>"),
    "formatting that is left open": repeated("<body>", "<b><i>", "<a href=x>"),
    "tables": repeated("<table>", "<tr><td><a href=x>"),
    "lists in lists": repeated("", "<ul><li>"),
    "ends of others": repeated("", "<div></x>"),
    "tables in boxes": repeated("", "<div><table><td></div>"),
    "links in cells": repeated("", "<a href=x><table><td>"),
    "quotes out of place": repeated("", "<div><a 'x"),
    "one long name": repeated("", "<a"),
    "comments": repeated("", "<!--"),
    "scripts in comments": repeated("", "<script><!--<script>"),
    "drawings": repeated("", "<svg><g>"),
    "formatting that is closed": repeated("", "<p><font color=a></p>"),
    "declarations of an encoding": repeated("<head>", "<meta charset=utf-8>", "<a href=x>"),
}

HEADERS: dict[str, Shape] = {
    "links": repeated("", '<http://a.example/>; rel="memento", '),
    "commas": repeated("", ","),
    "signs": repeated("", "<"),
    "quotes": repeated('<x>; rel="', "\\\\"),
    "quotes without end": repeated("", '<x>; rel="'),
    "semicolons": repeated("<x>", ";"),
    "parameters": numbered("<x>", "; a{:06}=b"),
    "spaces": repeated("", " "),
    "equal signs": repeated("<x>; a", "="),
    "dates": repeated("", '<x>; datetime="Tue, 20 Jun 2000 18:02:59 GMT", '),
    "commas in quotes": repeated('<x>; a="', ",", '"'),
    "closing signs": repeated("<", ">"),
}

# Lists of parameters as they are imported; the format is told by the text.
LISTS: dict[str, Shape] = {
    "ClearURLs: names": numbered('{"providers": {"p": {"urlPattern": ".*", "rules": [', '"x{:06}", ', '"y"]}}}'),
    "ClearURLs: providers": numbered(
        '{"providers": {', '"p{:06}": {{"urlPattern": ".*", "rules": ["x"]}}, ', '"q": {}}}'
    ),
    "ClearURLs: exceptions": numbered(
        '{"providers": {"p": {"urlPattern": ".*", "rules": ["x"], "exceptions": [', '"^https?://a{:05}", ', '"b"]}}}'
    ),
    "ClearURLs: one long expression": repeated('{"providers": {"p": {"rules": ["', "(?:a|b)?", '"]}}}'),
    "AdGuard: lines": numbered("", "||a{:06}.example^$removeparam=x\n"),
    "AdGuard: domains of one line": numbered("$removeparam=x,domain=", "a{:06}.example|"),
    "AdGuard: modifiers": repeated("$removeparam=x", ",third-party"),
    "AdGuard: dollars": repeated("", "$", "removeparam=x"),
    "Brave: includes": numbered('[{"include": [', '"*://*.a{:06}.example/*", ', '"*://*/*"], "params": ["x"]}]'),
    "Brave: names": numbered('[{"include": ["*://*/*"], "params": [', '"x{:06}", ', '"y"]}]'),
    "Firefox: names": numbered('{"data": [{"stripList": [', '"x{:06}", ', '"y"]}]}'),
    "Firefox: sites": numbered(
        '{"data": [{"stripList": ["x"], "allowList": [', '"a{:06}.example", ', '"b.example"]}]}'
    ),
}

_SITE = '[[site]]\nhost = "*.a.example"\n'

RULES: dict[str, Shape] = {
    "rows": numbered("schema = 1\n", '[[site]]\nhost = "h{:06}.example"\ndrop = ["x"]\n'),
    "rows of one host": numbered("schema = 1\n", _SITE + 'path = "/{:06}"\ndrop = ["x"]\n'),
    "names": numbered(f"schema = 1\n{_SITE}drop = [", '"x{:06}", ', '"y"]\n'),
    "globs": numbered(f"schema = 1\n{_SITE}drop = [", '"x{:06}*", ', '"y"]\n'),
    "kept names": numbered(f"schema = 1\n{_SITE}keep = [", '"x{:06}", ', '"y"]\n'),
    "expressions": numbered(f"schema = 1\n{_SITE}drop = [", '"/^x{:06}$/", ', '"y"]\n'),
    "exceptions": numbered(f'schema = 1\n{_SITE}drop = ["x"]\nexcept = [', '"b{:06}.example", ', '"y.example"]\n'),
    "a long path": repeated(f'schema = 1\n{_SITE}drop = ["x"]\npath = "', "/{int}", '"\n'),
    "redirects": numbered("schema = 1\n", '[[redirect]]\nhost = "h{:06}.example"\nparam = "u"\n'),
    "comments": repeated("schema = 1\n", "# x\n"),
    "lists in lists": repeated("schema = ", "["),
    "text without end": repeated('schema = 1\nx = """', '""a'),
}

KINDS = {"url": URLS, "link": LINKS, "lines": LINES, "page": PAGES, "header": HEADERS, "list": LISTS, "rules": RULES}
