"""Part `start`: what a process costs that does next to nothing, in turn, by the clock on the wall."""

from statistics import median

import corpora
import processes
import programs
import stats


def measure(config, quick, rng, say):
    """The part's record: milliseconds by command."""
    part = corpora.scaled(config["start"], quick)
    engines, missing = programs.installed(part["engine"], "start", say)
    commands = {engine["name"]: programs.argv(engine) for engine in engines}
    say(f"start: {part['rounds']} rounds")
    runs = {name: [] for name in commands}
    for name, argv in commands.items():
        if processes.run(argv)["status"]:  # also fills the file cache
            raise SystemExit(f"start: {name} failed")
    for _ in range(part["rounds"]):
        for name in rng.sample(list(commands), len(commands)):
            runs[name].append(processes.run(commands[name]))
    times = {name: [1000 * run["wall"] for run in done] for name, done in runs.items()}
    record = stats.summarize(times, lambda name: "urlkey" in name)
    for name, done in runs.items():
        record[name]["cpu"] = round(1000 * median(run["cpu"] for run in done), 2)
        record[name]["peak"] = round(max(run["peak"] for run in done), 1)
    return {**record, "unit": "ms", "missing": missing, "problems": []}


def report(record):
    """Markdown lines."""
    base = record["python -c pass"]["median"]
    rows = []
    for name, row in stats.by_corpus(record):
        times = [f"{row[column]:.1f}" for column in ("median", "min", "cpu")]
        rows.append((name, *times, f"{row['median'] / base:.2f}"))
    return [*stats.table(["ms", "wall", "min", "CPU", "x python -c pass"], rows), ""]
