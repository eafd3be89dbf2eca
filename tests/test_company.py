"""Companies by their websites, mail addresses and profiles."""

import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

import suites
import verdicts
from command import urlkey as command
from urlkey.systems import company
from urlkey.systems.company import NO_KEY_REASONS, CompanyKey, company_key, company_keys, profile_id
from verdicts import Row, differ


def host_is(row: Row):
    keys = [company_key(spelling) for spelling in spellings(row["host"])]
    ours = {(found.registrable_icann, found.registrable_full) for found in keys}
    return differ(sorted(map(list, ours)), [[row["registrable_icann"], row["registrable_full"]]])


def spellings(host: str) -> list[str]:
    if host[0].isdigit():
        return [host, f"http://{host}/a"]
    return [host, f"{host}.", host.upper(), f"https://{host}:8443/", f"//{host}/", f"{host}:80", f"https://u:p@{host}/"]


def test_registrable_domains_are_those_of_the_shared_suite():
    verdicts.hold("domains/domain_keys.hosts", suites.shared_list("domains/domain_keys.json", "hosts"), host_is)


def test_keys_of_mail_addresses_are_those_of_the_shared_suite():
    rows = suites.shared_list("domains/domain_keys.json", "email")
    verdicts.hold("domains/domain_keys.email", rows, lambda row: differ(company_key(row["address"]).key, row["key"]))


def test_profiles_are_those_of_the_shared_suite():
    rows = suites.shared_list("domains/social.json", "vectors")
    profiles = [row for row in rows if row["platform"] == "crunchbase" or "linkedin.com/" in row["input"]]
    for row in profiles:
        found = profile_id(row["input"])
        expected = None if row["kind"] == "post" else (row["platform"], row["kind"], row["id"], row["canonical"])
        assert (found and (found.platform, found.kind, found.id, found.canonical)) == expected
        assert company_key(row["input"]).reason == "platform-page"
    assert len(profiles) >= 8


KEYS = [
    ("https://www.acme.com/about?x=1", "acme.com"),
    ("acme.com", "acme.com"),
    ("ACME.COM.", "acme.com"),
    ("shop.acme.co.uk:8080/x", "acme.co.uk"),
    ("//m.acme.de/", "acme.de"),
    ("ftp://ftp.acme.com/x", "acme.com"),
    ("foo://acme.com/x", "acme.com"),
    ("user@acme.com/path", "acme.com"),
    ("www.ck", "www.ck"),
    ("foo.city.kawasaki.jp", "city.kawasaki.jp"),
    ("müller.de", "xn--mller-kva.de"),
    ("XN--MLLER-KVA.de", "xn--mller-kva.de"),
    ("acme.onmicrosoft.com", "acme.onmicrosoft.com"),
    ("jane@acme.mail.onmicrosoft.com", "acme.onmicrosoft.com"),
    ("https://acme.zendesk.com/hc/en-us", "acme.zendesk.com"),
    ("a.acme.zendesk.com", "acme.zendesk.com"),
    ("zendesk.com", "zendesk.com"),
    ("support.zendesk.com", "zendesk.com"),
    ("https://acme.wd5.myworkdayjobs.com/en-US/jobs", "acme.wd5.myworkdayjobs.com"),
    ("https://acme.medium.com/a-story-abc123def456", "acme.medium.com"),
    ("https://acme.github.io/x", "acme.github.io"),
    ("https://www.linkedin.com/", "linkedin.com"),
    ("jane@linkedin.com", "linkedin.com"),
    ("yahoo.com", "yahoo.com"),
    ("jane@acme.com", "acme.com"),
    ("Jane Doe <Jane.Doe@MAIL.Acme.com>", "acme.com"),
    ('"Doe, Jane @ Acme" <jane@acme.com>', "acme.com"),
    ('"a@b"@acme.com', "acme.com"),
    (r'"a\"@b"@acme.com', "acme.com"),
    ("jane@acme.com (Jane, at work)", "acme.com"),
    ("Jane (jane@acme.com)", "acme.com"),
    (" <jane@acme.com>, ", "acme.com"),
    ("a/b@acme.com", "acme.com"),
    ("mailto:jane@acme.com?subject=a@b.com", "acme.com"),
    ("MAILTO:Jane%20Doe%20%3Cjane@acme.com%3E", "acme.com"),
    ("jane@acme.com.", "acme.com"),
    ("jane@bücher.example", "xn--bcher-kva.example"),
    ("acme.com?mail=jane@other.example", "acme.com"),
    ("acme.com#jane@other.example", "acme.com"),
    ("*.acme.com", "acme.com"),
    ("_dmarc.acme.com", "acme.com"),
    ("https://acme.blogspot.co.uk/", "acme.blogspot.com"),
    ("apply.workable.com", "workable.com"),
    ("wordpress.com", "wordpress.com"),
    ("acme.wordpress.com/about", "acme.wordpress.com"),
    ("https://www.google.com/url?q=https://www.acme.com/about&sa=D", "acme.com"),
    ("https://l.facebook.com/l.php?u=https%3A%2F%2Facme.zendesk.com%2F&h=x", "acme.zendesk.com"),
    (
        "https://www.google.com/url?q=https%3A%2F%2Fl.facebook.com%2Fl.php%3Fu%3Dhttps%253A%252F%252Facme.co.uk",
        "acme.co.uk",
    ),
    ("https://www.google.com/url?q=https://acme.com&q=https://other.example", "google.com"),
    ("https://www.google.com/", "google.com"),
]


@pytest.mark.parametrize(("text", "key"), KEYS)
def test_the_key_of(text, key):
    found = company_key(text)
    assert (found.key, found.reason) == (key, None)


NO_KEYS = [
    ("192.168.0.1", "ip-address"),
    ("http://0x7f.1/", "ip-address"),
    ("[::1]:80", "ip-address"),
    ("2001:db8::1", "ip-address"),
    ("jane@[192.0.2.1]", "ip-address"),
    ("jane@[IPv6:2001:db8::1]", "ip-address"),
    ("localhost", "single-label"),
    ("http://intranet/x", "single-label"),
    ("co.uk", "public-suffix"),
    ("jane@github.io", "public-suffix"),
    ("foo.ck", "public-suffix"),
    ("printer.local", "reserved-name"),
    ("db.prod.internal", "reserved-name"),
    ("gmail.com", "free-mail"),
    ("jane@googlemail.com", "free-mail"),
    ("jane@yahoo.co.uk", "free-mail"),
    ("Jane <jane@hotmail.fr>", "free-mail"),
    ("jane@vip.qq.com", "free-mail"),
    ("1+jane@users.noreply.github.com", "free-mail"),
    ("https://www.linkedin.com/company/acme", "platform-page"),
    ("linkedin.com/in/jane", "platform-page"),
    ("https://www.facebook.com/acme", "platform-page"),
    ("medium.com/@jane", "platform-page"),
    ("https://en.wikipedia.org/wiki/Acme", "platform-page"),
    ("https://github.com/acme", "platform-page"),
    ("https://apply.workable.com/acme/", "platform-page"),
    ("https://us02web.zoom.us/j/123", "platform-page"),
    ("https://raw.githubusercontent.com/acme/x/main/README", "platform-page"),
    ("https://wordpress.com/acme", "platform-page"),
    ("https://substack.com/@acme", "platform-page"),
    ("https://www.google.com/url?q=https%3A%2F%2Fwww.facebook.com%2Facme", "platform-page"),
    ("https://www.google.com/url?q=http%3A%2F%2F192.0.2.7%2F", "ip-address"),
    ("https://bit.ly/3abc", "short-link"),
    ("jane@acme.com, bob@other.com", "several-addresses"),
    ("Jane <jane@acme.com>; Bob <bob@other.com>", "several-addresses"),
    ("", "no-host"),
    ("@", "no-host"),
    ("jane@", "no-host"),
    ("jane@acme..com", "no-host"),
    ("acme com", "no-host"),
    ("acme.com;other.com", "no-host"),
    ("acme.com;www.other.com", "no-host"),
    ("http://", "no-host"),
    ("javascript:void(0)", "no-host"),
    ("urn:isbn:0", "no-host"),
    ("\ud800", "no-host"),
]


@pytest.mark.parametrize(("text", "reason"), NO_KEYS)
def test_there_is_no_key_of(text, reason):
    found = company_key(text)
    assert (found.key, found.reason) == (None, reason)


def test_every_reason_is_met():
    assert {reason for _, reason in NO_KEYS} == set(NO_KEY_REASONS)


def test_a_tenant_is_what_one_customer_has_below_a_shared_domain():
    found = company_key("https://shop.acme.myshopify.com/")
    assert (found.registrable_icann, found.registrable_full, found.tenant) == (
        "myshopify.com",
        "acme.myshopify.com",
        "acme.myshopify.com",
    )
    found = company_key("acme.atlassian.net")
    assert (found.registrable_icann, found.registrable_full, found.tenant) == (
        "atlassian.net",
        "atlassian.net",
        "acme.atlassian.net",
    )
    assert company_key("acme.com").tenant is None


def test_a_batch_has_a_row_for_each_text():
    texts = [text for text, _ in KEYS + NO_KEYS]
    assert company_keys(iter(texts)) == [company_key(text) for text in texts]
    assert company_keys([b"\xff", b"acme.com"])[1].key == "acme.com"
    with pytest.raises(TypeError):
        company_keys([7])


def test_a_record_is_a_value():
    found = company_key("acme.com")
    assert pickle.loads(pickle.dumps(found)) == found
    assert repr(found) == (
        "CompanyKey(registrable_icann='acme.com', registrable_full='acme.com',"
        " tenant=None, key='acme.com', reason=None)"
    )
    assert isinstance(profile_id("https://www.crunchbase.com/person/karl-lorey"), company.ProfileId)


@given(st.text(max_size=60) | st.from_regex(r"[a-z@<>\"./:\[\], ]{0,40}", fullmatch=True))
def test_any_text_has_a_key_or_a_reason(text):
    found = company_key(text)
    assert isinstance(found, CompanyKey)
    assert (found.key is None) is (found.reason is not None)
    if found.key is not None:
        assert company_key(found.key).key == found.key


def test_the_command_gives_a_line_for_each_line():
    run = command("company", stdin=b"https://www.acme.co.uk/\njane@gmail.com\n\njane@acme.zendesk.com\n")
    assert (run.returncode, run.stderr) == (0, b"")
    assert run.stdout.decode() == "acme.co.uk\t\n\tfree-mail\n\tno-host\nacme.zendesk.com\t\n"


def test_the_command_writes_json():
    run = command("company", "--json", "--strict", "https://fr.linkedin.com/company/Acme/about/")
    assert run.returncode == 1
    assert json.loads(run.stdout)["profile"]["canonical"] == "https://www.linkedin.com/company/acme"
