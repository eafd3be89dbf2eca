"""Checks what is timed: a fast wrong answer is no answer."""

import hashlib


def outcome(call, url):
    """What a call returns, or None where it refuses the URL."""
    try:
        return call(url)
    except ValueError:
        return None


def check(config, corpus, rows):
    """(facts, problems) about urlkey's keys and hrefs over a whole corpus."""
    import urlkey

    urls = [row.decode() for row in rows]
    single = [outcome(urlkey.key, u) for u in urls]
    policy = urlkey.Policy.load(config["profile"]).id
    digest = hashlib.sha256("\n".join(k or "" for k in single).encode()).hexdigest()
    facts = {
        "policy": policy,
        "keys_sha256": digest,
        "refused": single.count(None),
        "unchanged": sum(k == u for k, u in zip(single, urls, strict=True)),
        "same_object": sum(k is u for k, u in zip(single, urls, strict=True)),
    }
    problems = []
    if urlkey.keys(urls, on_error="null") != single:
        problems.append(f"{corpus['name']}: keys(list) differs from key(str)")
    expected = corpus.get("keys", {}).get(policy, digest)
    if expected != digest:
        problems.append(f"{corpus['name']}: keys of {policy} hash to {digest}, not to {expected}")
    if facts["same_object"] != facts["unchanged"]:
        problems.append(f"{corpus['name']}: an unchanged URL did not come back as the same object")
    facts["beside_can_ada"] = beside_can_ada(urls)
    if facts["beside_can_ada"].get("differ", 0) > corpus.get("differ_at_most", 0):
        problems.append(f"{corpus['name']}: hrefs differ from can_ada's: {facts['beside_can_ada']}")
    facts["beside_w3lib"] = beside_w3lib(urls)
    if facts["beside_w3lib"].get("differ"):
        problems.append(f"{corpus['name']}: compat.w3lib differs from w3lib: {facts['beside_w3lib']}")
    return facts, problems


def check_forms(config, corpus, rows):
    """(facts, problems) about urlkey's SURTs over a whole corpus."""
    facts = {"beside_surt": beside_surt([row.decode() for row in rows])}
    problems = []
    if facts["beside_surt"].get("differ"):
        problems.append(f"{corpus['name']}: SURTs differ from those of the package surt: {facts['beside_surt']}")
    return facts, problems


def check_patterns(config, corpus, rows):
    """(facts, problems) about lists of patterns: a longer one must find what the shorter one does."""
    from pattern_lists import LINES, listed

    urls = [row.decode() for row in rows[:20000]]
    facts, problems = {"found": {}}, []
    for dialect in LINES:
        few, many = (listed(dialect, count).match_many(urls, on_error="error") for count in (100, 100_000))
        found = [row.pattern if hasattr(row, "pattern") else None for row in few]
        facts["found"][dialect] = sum(pattern is not None for pattern in found)
        if found != [row.pattern if hasattr(row, "pattern") else None for row in many]:
            problems.append(f"{corpus['name']}: 100,000 patterns of {dialect} find something else than 100")
    return facts, problems


def beside_surt(urls):
    """Whether urlkey's SURTs are those of the package surt, where that has one."""
    try:
        from surt import surt as theirs
    except ImportError:
        return {"missing": "surt"}
    from urlkey.systems.archive import surt as ours

    pairs = [(u, ours(u), outcome(theirs, u)) for u in urls]
    differ = [row for row in pairs if row[2] is not None and row[1] != row[2]]
    refused = sum(theirs is None for _, _, theirs in pairs)
    return {
        "same": len(urls) - len(differ) - refused,
        "refused": refused,
        "differ": len(differ),
        "examples": differ[:3],
    }


def beside_w3lib(urls):
    """Whether urlkey.compat.w3lib gives what w3lib gives, refusals included."""
    try:
        from w3lib.url import canonicalize_url as theirs
    except ImportError:
        return {"missing": "w3lib"}
    from urlkey.compat.w3lib import canonicalize_url as ours

    differ = [u for u in urls if outcome(ours, u) != outcome(theirs, u)]
    return {"same": len(urls) - len(differ), "differ": len(differ), "examples": differ[:3]}


def beside_can_ada(urls):
    """How urlkey.href and can_ada agree: both accept, one alone does, both accept and differ."""
    try:
        from can_ada import parse
    except ImportError:
        return {"missing": "can_ada"}
    from urlkey import href

    pairs = [(u, outcome(href, u), outcome(lambda x: str(parse(x)), u)) for u in urls]
    differ = [row for row in pairs if None not in row and row[1] != row[2]]
    return {
        "both": sum(None not in row for row in pairs),
        "only_urlkey": sum(b is None and a is not None for _, a, b in pairs),
        "only_can_ada": sum(a is None and b is not None for _, a, b in pairs),
        "differ": len(differ),
        "examples": differ[:3],
    }


def across(record):
    """Problems between parts: the core alone and Python must make the same keys."""
    calls, core = record.get("calls", {}), record.get("core", {})
    return [
        f"{corpus}: the core's keys are not those of Python"
        for corpus in calls
        if isinstance(calls[corpus], dict) and isinstance(core.get(corpus), dict)
        if core[corpus].get("keys_sha256") != calls[corpus].get("answers", {}).get("keys_sha256")
    ]


def report(facts):
    """What was checked, as lines of text."""
    out = []
    if "policy" in facts:
        out.append(
            f"Policy `{facts['policy'][:12]}`; {facts['refused']} URLs refused, {facts['unchanged']:,} unchanged."
        )
    beside = facts.get("beside_can_ada", {})
    if "both" in beside:
        out.append(f"`href` beside can_ada: both accept {beside['both']:,}, of which {beside['differ']} differ.")
    beside = facts.get("beside_w3lib", {})
    if "same" in beside:
        out.append(f"`compat.w3lib` beside w3lib: {beside['same']:,} the same, {beside['differ']} not.")
    beside = facts.get("beside_surt", {})
    if "same" in beside:
        out.append(f"`surt` beside the package: {beside['same']:,} the same, {beside['differ']} not.")
    if "found" in facts:
        named = ", ".join(f"{dialect} {count:,}" for dialect, count in facts["found"].items())
        out.append(f"Found in 20,000 URLs, by 100 patterns as by 100,000: {named}.")
    return out
