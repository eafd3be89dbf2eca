"""Medians and paired ratios of interleaved samples."""

from statistics import median


def summarize(samples, own):
    """{engine: {median, min, faster_than?}} of {engine: [time of each round]}.

    A ratio is the median of the ratios of each round, so that a slow moment of the machine, which both
    engines of a round share, cancels out. Engines for which `own(name)` holds get ratios to all others.
    """
    out = {}
    for name, times in samples.items():
        row = out[name] = {"median": round(median(times), 4), "min": round(min(times), 4)}
        if own(name):
            row["faster_than"] = {
                other: round(median(b / a for a, b in zip(times, theirs, strict=True)), 3)
                for other, theirs in samples.items()
                if other != name
            }
    return out


def lookup(record, path):
    """The figure at `path` in a record, or None. `time_of` reads `faster_than` upside down."""
    inverse = "time_of" in path
    for step in ("faster_than" if step == "time_of" else step for step in path):
        if not isinstance(record, dict) or step not in record:
            return None
        record = record[step]
    return round(1 / record, 3) if inverse and record else record


def table(head, rows):
    """Lines of a Markdown table."""
    rule = ["---"] + ["---:"] * (len(head) - 1)
    return ["| " + " | ".join(map(str, row)) + " |" for row in [head, rule, *rows]]


def by_corpus(record):
    """(name, figures) of the corpora in a part's record."""
    return [item for item in record.items() if isinstance(item[1], dict) and item[0] != "versions"]


def speeds(corpus, figures, base):
    """A Markdown table of engines, fastest first, with their ratio to the engine `base`."""
    engines = {name: row for name, row in figures.items() if isinstance(row, dict) and "median" in row}
    ratios = engines.get(base, {}).get("faster_than", {})
    rows = []
    for name, row in sorted(engines.items(), key=lambda item: item[1]["median"]):
        ratio = f"{ratios[name]:.2f}" if name in ratios else ""
        count = f"{row['instructions']:,}" if row.get("instructions") else ""
        rows.append((name, f"{row['median']:,.0f}", f"{row['min']:,.0f}", ratio, count, f"{row['refused']:.2%}"))
    head = [f"{corpus}, ns per URL", "median", "min", f"x {base}", "instructions", "refused"]
    return [*table(head, rows), ""]
