"""Real crawls by Scrapy of the shop of examples/scrapy, on loopback: what is fetched and found, what a kill leaves.

Each crawl is a process of its own, as Scrapy's reactor wants it."""

import json
import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

import urlkey
from urlkey.scrapy.journal import Journal
from urlkey.store import Store

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "scrapy"
sys.path.insert(0, str(EXAMPLE))

import shop  # noqa: E402

PRODUCTS = 12
ROUNDS = int(os.environ.get("URLKEY_FAULT_ROUNDS", "1"))
TAGGED = {product for product in range(PRODUCTS) if shop.has_tag(product)}


@contextmanager
def serving() -> Iterator[shop.Server]:
    # Fewer pages of lists than in the example.
    with pytest.MonkeyPatch.context() as patched, shop.Server(PRODUCTS) as made:
        patched.setattr(shop, "CATEGORIES", 4)
        threading.Thread(target=made.serve_forever, args=(0.01,), daemon=True).start()
        yield made
        made.shutdown()


@pytest.fixture
def server() -> Iterator[shop.Server]:
    with serving() as made:
        yield made


class Done(NamedTuple):
    """A crawl that has ended: the server, Scrapy's statistics, the folder of what it wrote."""

    server: shop.Server
    stats: dict[str, object]
    folder: Path


@pytest.fixture(scope="module")
def done(tmp_path_factory) -> Iterator[Done]:
    """A first crawl with the add-on."""
    folder = tmp_path_factory.mktemp("first")
    with serving() as server:
        options = ("--store", str(folder / "store.db"), "--observations", str(folder / "seen.jsonl"))
        yield Done(server, crawl(server, folder, *options), folder)


def start(server: shop.Server, folder: Path, *options: str) -> subprocess.Popen[str]:
    """Begins a crawl of the server."""
    command = [sys.executable, str(EXAMPLE / "crawl.py"), server.base, "--items", str(folder / "items.jsonl"), *options]
    return subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True)


def crawl(server: shop.Server, folder: Path, *options: str) -> dict[str, object]:
    """A whole crawl; returns Scrapy's statistics."""
    process = start(server, folder, "--stats", str(folder / "stats.json"), *options)
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    assert "Traceback" not in errors, errors
    return json.loads((folder / "stats.json").read_text())


def found(folder: Path) -> set[int]:
    """The products that crawls found."""
    return {json.loads(line)["product"] for line in (folder / "items.jsonl").read_text().splitlines()}


def fetched_products(server: shop.Server) -> Counter[int]:
    """How often each product was asked for."""
    items = Counter[int]()
    for target, count in server.asked.items():
        number = target.partition("?")[0].partition(";")[0].rpartition("item-")[2]
        if number.isdigit() and int(number) < PRODUCTS:
            items[int(number)] += count
    return items


def keys(server: shop.Server) -> Counter[str]:
    """What was asked for, by key."""
    asked = Counter[str]()
    for target, count in server.asked.items():
        asked[urlkey.key(server.base + target)] += count
    return asked


def test_keys_bring_a_product_from_24_spellings_to_8(done):
    assert {len(shop.spellings(product)) for product in range(PRODUCTS)} == {24}
    assert fetched_products(done.server) == dict.fromkeys(range(PRODUCTS), 8)
    assert found(done.folder) == set(range(PRODUCTS))
    assert done.stats["finish_reason"] == "finished"
    # The start page is requested twice, as by Scrapy itself: `dont_filter` is not remembered.
    again = {key: count for key, count in keys(done.server).items() if count > 1}
    assert again == {done.server.base + "/": 2}


def test_robots_txt_and_original_urls_are_as_without_the_addon(done):
    asked = done.server.asked
    assert asked["/robots.txt"] == 1
    assert not any(target.startswith(shop.DISALLOWED) for target in asked)
    # What was requested is what pages say, not a key: tracking and session ids are in it.
    assert any("utm_source=" in target for target in asked)
    assert any("PHPSESSID=" in target or ";jsessionid=" in target for target in asked)


def test_a_calendar_without_end_is_left(done):
    assert done.stats["urlkey/traps/calendar"] >= 1
    months = {target.rpartition("=")[2] for target in done.server.asked if target.startswith("/calendar?month=")}
    # Three years that are none of a trap's, and the allowance.
    assert len(months) <= 36 + 20


def test_the_store_knows_every_spelling_and_what_was_fetched(done):
    base = done.server.base
    with Store.open(done.folder / "store.db") as store:
        entry = store.get(base + shop.address(3))
        assert entry.fetch.status == 200
        assert len(entry.spellings) >= len(shop.SOURCES)
        assert entry.count >= len(entry.spellings)
        moved = store.edges(base + "/old/0", kind="redirect-permanent")
        assert [edge.to_key for edge in moved if edge.from_key.endswith("/old/0")] == [base + shop.address(0)]
        assert store.resolve(base + "/old/0") == store.resolve(base + shop.address(0))
        # A temporary redirect says nothing of the kind, nor does a tag that leads home from what is gone.
        for alone in (base + "/today", base + "/lamps/0/item-900?sort=name"):
            assert store.resolve(alone) == alone
        # A tag that gives the category for the page says only that those that have it are one, if they answer the same.
        category = f"{base}{shop.category('lamps', 1)}?page=1&sort=name"
        assert store.edges(base + shop.address(1), kind="canonical")[0].to_key == category
        assert store.resolve(category) == category
        assert "/item-001?" in store.resolve(base + shop.address(1))
        store.verify()


def test_observations_are_what_every_response_shows(done):
    rows = [json.loads(line) for line in (done.folder / "seen.jsonl").read_text().splitlines()]
    assert len(rows) == sum(done.server.asked.values()) - done.server.asked["/robots.txt"]
    assert {tuple(row) for row in rows} == {("url", "fingerprint", "time", "status", "redirect", "canonical")}
    by_product: dict[str, set[str]] = {}
    for row in rows:
        if "item-0" in row["url"] and row["status"] == 200:
            by_product.setdefault(row["url"].partition("item-")[2][:3], set()).add(row["fingerprint"])
    assert len(by_product) == PRODUCTS
    assert all(len(prints) == 1 for prints in by_product.values())
    assert len(set.union(*by_product.values())) == PRODUCTS
    moved = next(row for row in rows if "/old/10" in row["url"])
    assert (moved["status"], moved["redirect"]) == (301, done.server.base + shop.address(10))
    assert moved["fingerprint"] is None


def test_plain_scrapy_fetches_more(done, server, tmp_path):
    crawl(server, tmp_path, "--plain")
    assert sum(server.asked.values()) > 2 * sum(done.server.asked.values())
    assert found(tmp_path) == set(range(PRODUCTS))


def waiting(journal: Path, base: str) -> set[str]:
    """The keys of what a job that was killed has not done."""
    opened = Journal(journal)
    try:
        return {urlkey.key(pickle.loads(data)["url"]) for _, data in opened.pending()}
    finally:
        opened.close()


@pytest.mark.skipif(os.name != "posix", reason="kills processes as POSIX does")
@pytest.mark.parametrize("concurrency", [1, 8])
def test_a_killed_crawl_resumes_without_loss_or_repeat(server, tmp_path, concurrency):
    crawl(server, tmp_path, "--concurrency", str(concurrency))
    expected, rng = set(keys(server)), random.Random(concurrency)
    for turn in range(ROUNDS):
        folder = tmp_path / str(turn)
        folder.mkdir()
        options = (
            "--jobdir",
            str(folder / "job"),
            "--store",
            str(folder / "store.db"),
            "--concurrency",
            str(concurrency),
        )
        asked, kills, under_way = Counter[str](), 0, 0
        journal = folder / "job" / "urlkey-requests.db"
        for after in rng.sample(range(5, 40), 3):
            server.asked.clear()
            process = start(server, folder, *options)
            while sum(server.asked.values()) < after and process.poll() is None:
                time.sleep(rng.random() / 100)
            process.kill()
            process.communicate()
            kills += process.returncode == -signal.SIGKILL
            fetched = keys(server)
            asked += fetched
            left = waiting(journal, server.base)
            under_way += len(set(fetched) & left)
            done = set(asked) - left
        server.asked.clear()
        stats = crawl(server, folder, *options)
        last = keys(server)
        asked += last
        assert kills == 3
        assert done
        assert stats["finish_reason"] == "finished"
        # How far the calendar is followed is counted anew by each process.
        pages = {key for key in asked if "/calendar" not in key}
        assert pages == {key for key in expected if "/calendar" not in key}
        assert found(folder) == set(range(PRODUCTS))
        own = {server.base + "/robots.txt", server.base + "/"}
        # What the journal has as done is not asked for again; what was under way, in the downloader or waiting for the
        # spider, is.
        assert not (done & set(last)) - own
        assert sum(count - 1 for key, count in asked.items() if key not in own) <= under_way
        assert waiting(journal, server.base) == set()


def test_an_ended_job_starts_anew_and_finds_nothing_new(server, tmp_path):
    options = ("--jobdir", str(tmp_path / "job"))
    crawl(server, tmp_path, *options)
    server.asked.clear()
    stats = crawl(server, tmp_path, *options)
    assert set(server.asked) == {"/", "/robots.txt"}
    assert "urlkey/resumed/request" not in stats


def again(server: shop.Server, folder: Path) -> Counter[int]:
    """Crawls once more with the same store; returns how often each product was fetched. None may be lost."""
    server.asked.clear()
    (folder / "items.jsonl").unlink(missing_ok=True)
    crawl(server, folder, "--store", str(folder / "store.db"))
    assert found(folder) == set(range(PRODUCTS))
    return fetched_products(server)


def test_every_later_crawl_of_a_store_fetches_a_product_with_a_tag_once(server, tmp_path):
    again(server, tmp_path)
    for _ in range(2):
        counts = again(server, tmp_path)
        assert {counts[product] for product in TAGGED} == {1}
        # Those with a wrong tag may be told by what they answer.
        assert {counts[product] for product in range(PRODUCTS) if product % 2 and product % shop.MOVED_EVERY != 1} == {
            8
        }


def test_no_page_is_lost_where_a_site_changes_under_its_aliases(server, tmp_path):
    again(server, tmp_path)
    # The pages that the tags name are not there any more; the tags are.
    server.shop.closed = frozenset(["lamps"])
    counts = again(server, tmp_path)
    assert all(counts[product] >= 1 for product in TAGGED)
    # The tags are gone, and the pages back.
    server.shop.closed, server.shop.tags = frozenset(), False
    again(server, tmp_path)
    # Every page is another one now.
    server.shop.year = 2
    counts = again(server, tmp_path)
    assert {counts[product] for product in range(PRODUCTS) if product % shop.MOVED_EVERY > 1} == {8}
