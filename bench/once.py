"""once.py PART CORPUS MOST ENGINE COUNT: one engine over COUNT URLs, for callgrind.

MOST URLs are read whatever COUNT is, so that two runs differ only in the calls.
"""

import sys

import calls
import corpora


def main(part, corpus, most, name, count):
    config = corpora.settings()
    engine = next(e for e in config[part]["engine"] if e["name"] == name)
    path = next(c["path"] for c in config["corpus"] if c["name"] == corpus)
    urls = [row.decode() for row in corpora.lines(path, int(most))]
    run = calls.compiled(engine)
    # What is built at first use (ada unpacks its IDNA tables) is not a cost of a URL.
    run(["https://b\u00fccher.example/", *urls[:10]])
    run(urls[: int(count)])


if __name__ == "__main__":
    main(*sys.argv[1:])
