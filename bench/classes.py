"""Part `classes`: where the core's time goes: the corpus split by what the ladder does to a URL, each class
timed alone, beside the same peers."""

from collections import defaultdict

import corpora
import native
import stats

_OWN = "its own key"
_SEVERAL = "several steps"


def _class_of(explain, url):
    """The one step that rewrites the URL; other names where none or several do."""
    names = {step.name for step in explain(url).steps}
    return names.pop() if len(names) == 1 else _SEVERAL if names else _OWN


def split(urls, least):
    """{class: URLs}; classes that hold less than the share `least` are one, "other single steps"."""
    from urlkey import UrlKeyError, explain

    found = defaultdict(list)
    for url in urls:
        try:
            found[_class_of(explain, url)].append(url)
        except UrlKeyError:
            found["an error"].append(url)
    rare = [name for name, members in found.items() if len(members) < least * len(urls)]
    other = [url for name in rare for url in found.pop(name)]
    return dict(found) | ({"other single steps": other} if other else {})


def measure(config, quick, rng, say):
    """The part's record: {corpus: {class: {share, urls, engines: figures}}}."""
    part = corpora.scaled(config["classes"], quick)
    record = {"unit": "ns per URL, CPU time of the thread", "missing": [], "problems": []}
    try:
        program, error = native.build(say)
    except FileNotFoundError:
        program, error = None, "cargo is not installed"
    if error:
        say(f"classes: not run: {error}")
        record["missing"] = ["urlkey"]
        return record
    for corpus in corpora.present(config):
        say(f"classes: {corpus['name']}")
        urls = [line.decode() for line in corpora.lines(corpus["path"])]
        groups = split(urls, part["least"])
        record[corpus["name"]] = {}
        for name, members in sorted(groups.items(), key=lambda item: -len(item[1])):
            path = corpora.scratch() / "class.txt"
            path.write_text("\n".join(members) + "\n", encoding="utf-8")
            sample = part | {"slice": min(part["slice"], len(members))}
            figures = native.one_corpus(program, path, sample, rng.getrandbits(32))
            record[corpus["name"]][name] = {"share": round(len(members) / len(urls), 4), "engines": figures}
    return record


def report(record):
    """Markdown lines: one table a corpus."""
    out = []
    for corpus, classes in stats.by_corpus(record):
        engines = ["urlkey", "ada", "url", "toy"]
        rows = []
        for name, row in classes.items():
            medians = {e: row["engines"][e]["median"] for e in engines if e in row["engines"]}
            ratio = row["engines"]["urlkey"]["faster_than"].get("url")
            cells = [f"{medians[e]:,.0f}" if e in medians else "" for e in engines]
            rows.append((name, f"{row['share']:.1%}", *cells, f"{ratio:.2f}" if ratio else ""))
        head = [f"{corpus}, ns per URL", "share", *engines, "x url"]
        out += [*stats.table(head, rows), ""]
    return out
