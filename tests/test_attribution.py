"""Affiliate tracking: whose every parameter is, the page behind a paid link, the link that is paid."""

import doctest
import json

import pytest

import command
import suites
import urlkey
import urlkey.systems.attribution as attribution_module
import verdicts
from urlkey.systems.attribution import attribution, page_key, paid_link
from verdicts import Row, differ

AWIN = "https://www.awin1.com/cread.php?awinmid=7&awinaffid=42&clickref=Abc&ued="
SHOP = "https%3A%2F%2Fshop.example%2Fp%3Fgclid%3DCj0%26id%3D3"


def hosts_of(pattern: str) -> list[str]:
    """Hosts that a pattern of the list means: a name, `google.*` under any public suffix, `*.pxf.io` below."""
    if pattern == "*":
        return ["site.example"]
    if pattern.endswith(".*"):
        return [f"{pattern[:-1]}com", f"www.{pattern[:-1]}co.uk"]
    return [pattern.replace("*", "shop"), f"www.{pattern.removeprefix('*.')}"]


def urls_of(row: Row, host: str) -> list[str]:
    """The parameter in the query, in the fragment, in a route, and in the link of an app."""
    if row["name"] == "/ref=":
        return [f"https://{host}/x/ref=sR_1"]
    if row["match"] == "path":
        return [f"https://{host}/(S(lit3py55t21z5v55vlm25s55))/x.aspx"]
    field = f"{row['name']}{'x' * (row['match'] == 'prefix')}=Va+l%2b1"
    urls = [
        f"https://{host}/p?a=1&{field}&zz=2",
        f"https://{host}/p#{field}",
        f"https://{host}/#/route?b&{field.upper()}",
    ]
    return [*urls, f"myapp://x?a&{field}"] if row["hosts"] == ["*"] else urls


def is_told(row: Row):
    for host in [host for pattern in row["hosts"] for host in hosts_of(pattern)]:
        for url in urls_of(row, host):
            told = {(p.owner, p.kind) for p in attribution(url).params}
            if told != {(row["owner"], row["kind"])}:
                return sorted(told), [row["owner"], row["kind"], url]
    pattern = row["hosts"][0]
    if pattern == "*" or row["match"] == "path":
        return None
    elsewhere = f"https://not{pattern.removeprefix('*.').replace('*', 'com')}/?{row['name']}=1"
    owners = attribution(elsewhere).owners
    return differ(row["owner"] in owners, False)


def test_every_parameter_of_the_list_is_told_with_its_owner():
    rows = suites.shared_list("domains/tracking_params.json", "params")
    verdicts.hold("domains/tracking_params.owners", rows, is_told)


def test_verified_and_risk_are_those_of_the_list():
    ref, gclid = (attribution(f"https://a.example/?{name}=1").params[0] for name in ("ref", "gclid"))
    assert (ref.verified, ref.risk, ref.kind) == (True, True, "affiliate")
    assert (gclid.verified, gclid.risk, gclid.kind) == (True, False, "click-id")
    assert gclid.rule.startswith("rules/tracking.toml:")
    assert not attribution("https://a.example/?pk_x=1").params[0].verified


def test_values_keep_their_case_and_are_decoded_once():
    told = attribution("https://a.example/?GCLID=AbC%2525+d&gclid=x&gclid=x")
    assert told.owners == {"Google Ads": {"GCLID": ["AbC%25 d"], "gclid": ["x"]}}
    assert [param.value for param in told.params] == ["AbC%25 d", "x", "x"]


def test_one_link_says_who_is_paid_and_which_page():
    told = attribution(AWIN + SHOP)
    assert told.page_key == "https://shop.example/p?id=3"
    assert told.owners["Awin"] == {"awinmid": ["7"], "awinaffid": ["42"], "clickref": ["Abc"]}
    assert told.owners["Google Ads"] == {"gclid": ["Cj0"]}
    assert told.kinds == {"affiliate", "click-id"}
    assert told.is_paid
    assert [hop.rule for hop in told.chain] == ["awin"]
    assert [param.url for param in told.params] == [AWIN + SHOP] * 3 + ["https://shop.example/p?gclid=Cj0&id=3"]


def test_generic_names_count_where_their_owner_is():
    assert attribution("https://www.amazon.co.uk/dp/B0?tag=me-21").is_paid
    assert attribution("https://notamazon.com/dp/B0?tag=me-21").params == ()
    assert not attribution("https://a.example/?ref=x&utm_source=y").is_paid
    assert page_key("https://a.example/?ref=x&tag=y") == "https://a.example/?ref=x&tag=y"


@pytest.mark.parametrize(
    ("url", "page", "owners"),
    [
        ("https://a.example/x#utm_source=n&utm_medium=e", "https://a.example/x", {"Google Analytics"}),
        ("https://a.example/#/item?gclid=Z&id=3", "https://a.example/#/item?id=3", {"Google Ads"}),
        (
            "https://www.google.com/url#/x?q=http://b.example/&gclid=Z",
            "https://www.google.com/url#/x?q=http://b.example/",
            {"Google Ads"},
        ),
        ("https://a.example/#!/item?gclid=Z", "https://a.example/#!/item", {"Google Ads"}),
        ("myapp://cart/7?gclid=Abc", None, {"Google Ads"}),
        ("myapp:cart?fbclid=Abc#x", None, {"Meta"}),
        ("mailto:a@b.example?subject=x", None, set()),
        (
            "intent://shop.example/p?id=1&gclid=1#Intent;scheme=https;package=x;"
            "S.browser_fallback_url=https%3A%2F%2Fshop.example%2Fq%3Ffbclid%3D2;S.utm_source=m;end",
            "https://shop.example/p?id=1",
            {"Google Ads", "Meta", "Google Analytics"},
        ),
        (
            "intent://cart#Intent;scheme=myapp;S.browser_fallback_url=https%3A%2F%2Fshop.example%2Fq%3Ffbclid%3D2;end",
            "https://shop.example/q",
            {"Meta"},
        ),
        (
            "https://x.app.link/a?$deeplink_path=product%2F1%3Fgclid%3DQ"
            "&%24fallback_url=https%3A%2F%2Fshop.example%2Fp%3Ffbclid%3Dx",
            "https://shop.example/p",
            {"Google Ads", "Meta"},
        ),
        (
            "https://x.onelink.me/abc?af_dp=myapp%3A%2F%2Fshop%3Fgclid%3D1&af_web_dp="
            "https%3A%2F%2Fwww.google.com%2Furl%3Fq%3Dhttps%253A%252F%252Fshop.example%252F%253Ffbclid%253D1",
            "https://shop.example/",
            {"Google Ads", "Meta"},
        ),
        (
            "https://www.google.com/url?q=https%3A%2F%2Fshop.example%2F%3Fmsclkid%3Dx%23utm_source%3Dy",
            "https://shop.example/",
            {"Microsoft Advertising", "Google Analytics"},
        ),
    ],
    ids=lambda value: value[:50] if isinstance(value, str) else None,
)
def test_links_are_read_wherever_they_hide(url, page, owners):
    told = attribution(url)
    assert told.page_key == page
    assert {p.owner for p in told.params if p.owner in owners or p.verified} >= owners
    if page is not None:
        assert urlkey.key(page, policy="affiliate") == page


def test_two_affiliates_share_a_page_key():
    links = [AWIN + SHOP, "https://shop.example/p?id=3&irclickid=9", "https://go.skimresources.com/?id=1X&url=" + SHOP]
    assert {page_key(link) for link in links} == {"https://shop.example/p?id=3"}


@pytest.mark.parametrize(
    ("given", "paid"),
    [
        (AWIN + SHOP + "&utm_source=x", AWIN + SHOP),
        (
            "https://clk.tradedoubler.com/click?p=1&utm_medium=m&a=2&epi=B&url=https://shop.example/",
            "https://clk.tradedoubler.com/click?p=1&a=2&epi=B&url=https://shop.example/",
        ),
        (
            "https://www.awin1.com/awclick.php?mid=1&clickref=b&a=2&p=https://shop.example/?x",
            "https://www.awin1.com/awclick.php?mid=1&clickref=b&a=2&p=https://shop.example/?x",
        ),
        (
            "https://shop.example/?b=%7e1&gclid=x&a=2&awc=3&utm_id=4&tag=T",
            "https://shop.example/?b=%7e1&gclid=x&a=2&awc=3&tag=T",
        ),
        ("https://shop.example/?utm_source=x", "https://shop.example/"),
        ("https://shop.example/#utm_source=x", "https://shop.example/#utm_source=x"),
        ("myapp://x?utm_source=y", "myapp://x?utm_source=y"),
        (
            f"https://b.s3.amazonaws.com/x?utm_source=y&X-Amz-Signature={'0' * 64}",
            f"https://b.s3.amazonaws.com/x?utm_source=y&X-Amz-Signature={'0' * 64}",
        ),
    ],
)
def test_a_paid_link_keeps_all_that_is_paid_in_its_order(given, paid):
    assert paid_link(given) == paid
    assert paid_link(paid) == paid


def test_no_click_or_affiliate_id_of_the_list_is_lost_on_the_way_to_a_paid_link():
    for row in suites.shared_list("domains/tracking_params.json", "params"):
        if row["kind"] in ("click-id", "affiliate") and row["match"] == "exact":
            for host in [host for pattern in row["hosts"] for host in hosts_of(pattern)]:
                url = f"https://{host}/?z=1&{row['name']}=V&a=2"
                assert paid_link(url) == urlkey.href(url)


def test_links_in_links_end():
    url = "https://x.app.link/?$fallback_url=" * 200 + "https://a.example/"
    assert len(attribution(url).links) <= 32
    wide = "https://x.app.link/?" + "&".join(f"$fallback_url=https://a{i}.example/" for i in range(500))
    assert len(attribution(wide).links) <= 32


def test_bytes_and_errors():
    assert attribution(b"https://a.example/?gclid=\xff").params[0].value == "\ufffd"
    with pytest.raises(urlkey.UrlKeyError):
        attribution("no url")


def test_the_examples_of_the_docstrings_run():
    results = doctest.testmod(attribution_module)
    assert results.failed == 0
    assert results.attempted > 8


# --- the command


def test_the_command_shows_a_table_for_eyes():
    run = command.urlkey("attribution", AWIN + SHOP)
    shown = run.stdout.decode()
    assert "page  https://shop.example/p?id=3" in shown
    assert "affiliate (awin) https://shop.example/p?gclid=Cj0&id=3" in shown
    assert "Google Ads  click-id   gclid      Cj0  (inside)" in shown
    assert run.returncode == 0


def test_the_command_gives_one_object_a_line():
    lines = [AWIN + SHOP, "no url", "https://a.example/"]
    run = command.urlkey("attribution", "--json", stdin="\n".join(lines).encode())
    told = [json.loads(line) for line in run.stdout.splitlines()]
    assert [row["input"] for row in told] == lines
    assert told[0]["owners"]["Awin"]["clickref"] == ["Abc"]
    assert told[0]["paid"] is True
    assert told[1]["error"]["code"] == "missing-scheme-non-relative-URL"
    assert told[2]["params"] == []
    assert command.urlkey("attribution", "--strict", "no url").returncode == 1


def test_the_command_gives_page_keys_line_by_line():
    run = command.urlkey("attribution", "--key", stdin=f"{AWIN}{SHOP}\nmyapp://x\nhttps://a.example".encode())
    assert run.stdout == b"https://shop.example/p?id=3\n\nhttps://a.example/\n"


def test_secrets_are_not_shown_to_eyes():
    url = "https://a.example/?utm_source=me%40b.example&token=t0p"
    assert b"b.example" not in command.urlkey("attribution", url).stdout.replace(b"a.example", b"")
    assert b"me@b.example" in command.urlkey("attribution", "--show-secrets", url).stdout
