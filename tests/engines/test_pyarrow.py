"""urlkey.pyarrow: compute functions."""

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pytest
from urls import ROWS, keys

import urlkey
import urlkey.pyarrow


@pytest.fixture(scope="module", autouse=True)
def registered():
    return urlkey.pyarrow.register()


def test_arrays_chunks_and_scalars():
    for made in (pa.array(ROWS), pa.chunked_array([ROWS[:4], ROWS[4:], []])):
        assert pc.call_function("urlkey_key", [made]).to_pylist() == keys(ROWS)
    assert pc.call_function("urlkey_key", [pa.scalar("HTTP://a.example")]).as_py() == "http://a.example/"
    assert pc.call_function("urlkey_key", [pa.scalar(None, pa.string())]).as_py() is None


def test_every_function(registered):
    url = "https://www.shop.co.uk:8443/?b&a"
    made = [pc.call_function(name, [pa.array([url, None, "bad"])]).to_pylist() for name in registered]
    assert [row[0] for row in made] == [urlkey.key(url), urlkey.digest(url), None, "www.shop.co.uk:8443", "shop.co.uk"]
    assert [row[1] for row in made] == [None] * 5
    assert [row[2] for row in made] == [None, None, "missing-scheme-non-relative-URL", None, None]


def test_expressions_of_a_dataset():
    crawl = ds.dataset(pa.table({"url": ["http://a.example?", "http://b.example", "bad"], "n": [1, 2, 3]}))
    key = pc.Expression._call("urlkey_key", [pc.field("url")])
    made = crawl.to_table(columns={"key": key, "n": pc.field("n")}, filter=key.is_valid())
    assert made.to_pydict() == {"key": ["http://a.example/", "http://b.example/"], "n": [1, 2]}


def test_registering_again_is_allowed_under_the_same_policy(registered):
    assert urlkey.pyarrow.register() == registered
    with pytest.raises(ValueError, match="give another prefix"):
        urlkey.pyarrow.register(policy="fold")
    with pytest.raises(ValueError, match="give another prefix"):
        urlkey.pyarrow.register(type=pa.large_string())


def test_other_policies_and_types():
    urlkey.pyarrow.register(policy="fold", type=pa.large_string(), prefix="fold_")
    made = pc.call_function("fold_key", [pa.array(["http://www.a.example"], pa.large_string())])
    assert made.type == pa.large_string()
    assert made.to_pylist() == ["https://a.example/"]
    digest = pc.call_function("fold_digest", [pa.array(["http://www.a.example"], pa.large_string())])
    assert digest.to_pylist() == [urlkey.digest("http://www.a.example", policy="fold")]
