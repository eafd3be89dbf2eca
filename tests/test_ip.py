"""What sort of address an address is: the registries of IANA, odd spellings read by the host parser first, and
addresses inside others."""

import ipaddress
import pickle

import pytest

import suites
import urlkey
import verdicts
from verdicts import NotApplicable, Row, differ

UNSPECIFIED = {"N/A": None, None: None}


def code(text) -> str:
    with pytest.raises(urlkey.UrlKeyError) as caught:
        urlkey.classify_ip(text)
    assert caught.value.input == text
    return caught.value.code


def read(host: str) -> urlkey.IpClass | str:
    """The class of a spelling as browsers read it; 'error' where it is no host, 'name' where it is one."""
    try:
        hostname = urlkey.parse(f"http://{host}/").hostname
    except urlkey.UrlKeyError:
        return "error"
    try:
        return urlkey.classify_ip(hostname)
    except urlkey.UrlKeyError as error:
        assert error.code == "not-an-IP-address"
        return "name"


def is_classed(row: Row):
    if "%25" in row["host"] and row["ip"]:
        raise NotApplicable("a zone id, which the URL Standard rejects")
    found = read(row["host"])
    if isinstance(found, str):
        return differ(found, {"not-an-ip": "name"}.get(row["class"], row["class"]))
    inner = found.embedded[0] if found.embedded else None
    ours = [found.address, found.class_, found.block, inner and inner.address, inner and inner.class_]
    return differ(ours, [row.get(field) for field in ("ip", "class", "block", "embedded_ipv4", "embedded_class")])


def test_spellings_of_addresses_are_read_and_classed():
    rows = suites.shared_list("domains/private_forms.json", "vectors")
    verdicts.hold("domains/private_forms.class", rows, is_classed)


def test_what_is_not_public_is_not_global():
    for row in suites.shared_list("domains/private_forms.json", "vectors"):
        found = read(row["host"])
        if isinstance(found, urlkey.IpClass):
            through = row["block"] == "64:ff9b::/96" and row["embedded_class"] == "public"
            assert found.is_global == (through or row["class"] == found.class_ == "public"), row["host"]


def of_the_block_alone(block: str, others: list[str]) -> str:
    """The first address that is in this block and in no smaller one."""
    network = ipaddress.ip_network(block)
    inside = [ipaddress.ip_network(other) for other in others if other != block]
    inside = [other for other in inside if other.version == network.version and other.subnet_of(network)]
    address = network.network_address
    while holder := next((other for other in inside if address in other), None):
        address = holder.broadcast_address + 1
    assert address in network
    return str(address)


def is_in_the_table(others: list[str]):
    def judge(row: Row):
        found = urlkey.classify_ip(of_the_block_alone(row["block"], others))
        last = urlkey.classify_ip(ipaddress.ip_network(row["block"]).broadcast_address)
        ours = [found.block, found.name, found.globally_reachable, found.class_, last.is_global and found.is_global]
        reachable = UNSPECIFIED.get(row["globally_reachable"], row["globally_reachable"])
        theirs = [row["block"], row["name"], reachable, row["class"], reachable is True and found.is_global]
        return differ(ours, theirs)

    return judge


@pytest.mark.parametrize("part", ["iana_ipv4", "iana_ipv6", "additions_not_in_the_special_registries"])
def test_the_tables_of_iana(part):
    document = [suites.shared_list("domains/private_forms.json", name) for name in ("iana_ipv4", "iana_ipv6")]
    rows = suites.shared_list("domains/private_forms.json", part)
    others = [row["block"] for table in document for row in table]
    verdicts.hold(f"domains/private_forms.{part}", rows, is_in_the_table(others))


@pytest.mark.parametrize(
    ("address", "inside"),
    [
        ("::ffff:10.1.2.3", ["10.1.2.3"]),
        ("::10.1.2.3", ["10.1.2.3"]),
        ("::ffff:0:10.1.2.3", ["10.1.2.3"]),
        ("64:ff9b::10.1.2.3", ["10.1.2.3"]),
        ("64:ff9b:1::10.1.2.3", ["10.1.2.3"]),
        ("2002:a01:203::1", ["10.1.2.3"]),
        ("2001:0:808:808:0:0:f5fe:fdfc", ["10.1.2.3", "8.8.8.8"]),
        ("2001:0:a01:203:0:0:f7f7:f7f7", ["8.8.8.8", "10.1.2.3"]),
        ("2a01:4f8::5efe:10.1.2.3", ["10.1.2.3"]),
    ],
)
def test_an_address_inside_is_unwrapped_and_refused(address, inside):
    found = urlkey.classify_ip(address)
    assert [inner.address for inner in found.embedded] == inside
    assert not found.is_global


def test_only_what_is_reachable_through_and_through_is_global():
    for address in ("8.8.8.8", "2a01:4f8::1", "64:ff9b::8.8.8.8", "192.0.0.9", "2001:20::1", "192.52.193.1"):
        assert urlkey.classify_ip(address).is_global, address
    for address in ("::ffff:8.8.8.8", "2002:808:808::", "2001:0:808:808::f7f7:f7f7", "64:ff9b:1::8.8.8.8"):
        assert not urlkey.classify_ip(address).is_global, address


def test_services_of_clouds_are_told_and_never_global():
    for address in ("169.254.169.254", "fd00:ec2::254", "168.63.129.16", "100.100.100.200", "192.0.0.192"):
        found = urlkey.classify_ip(address)
        assert found.service
        assert not found.is_global
    assert urlkey.classify_ip("168.63.129.16").class_ == "public"
    assert not urlkey.classify_ip("64:ff9b::168.63.129.16").is_global


NO_ADDRESSES = [
    "localhost",
    "127.1",
    "2130706433",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "127.0.0.1.",
    "1.2.3.256",
    "1.2.3.4.5",
    "1.2.3",
    "+1.2.3.4",
]
NO_ADDRESSES += ["", "127.0.0.1 ", "\uff11\uff12\uff17.0.0.1", "127.0.0.1\0", "\ud800", "a" * 100_000, "1." * 100_000]


@pytest.mark.parametrize("text", NO_ADDRESSES, ids=lambda text: ascii(text)[:40])
def test_what_only_some_readers_take_for_an_address_is_an_error(text):
    assert code(text) == "not-an-IP-address"


def test_a_zone_id_is_an_error():
    assert code("fe80::1%eth0") == code("[::1%25lo]") == "zone-id"
    assert code(ipaddress.ip_address("fe80::1%2")) == "zone-id"


@pytest.mark.parametrize("text", [":", ":::", "::1::", "1:2", "[::1", "::1]", "[]", "[127.0.0.1]", "::g", "::1/64"])
def test_a_broken_ipv6_address_is_an_error(text):
    assert code(text).startswith("IPv")


def test_addresses_of_the_standard_library_are_taken():
    for text in ("10.0.0.1", "::1", "2001:db8::1", "::ffff:127.0.0.1"):
        assert urlkey.classify_ip(ipaddress.ip_address(text)) == urlkey.classify_ip(text)


@pytest.mark.parametrize("wrong", [None, 2130706433, b"127.0.0.1", ("127.0.0.1",)])
def test_other_types_are_type_errors(wrong):
    with pytest.raises(TypeError, match="addr must be str"):
        urlkey.classify_ip(wrong)


def test_a_class_is_a_value():
    found = urlkey.classify_ip("2002:7f00:1::")
    assert pickle.loads(pickle.dumps(found)) == found == urlkey.classify_ip("[2002:7f00:1::]")
    assert hash(found) == hash(urlkey.classify_ip("2002:7f00:0001::"))
    assert repr(found) == "<IpClass 2002:7f00:1::: embeds-ipv4 in 2002::/16>"


def test_none_is_global_that_the_standard_library_knows_not_to_be():
    for number in range(0, 2**32, 2**32 // 4096 - 1):
        address = ipaddress.ip_address(number)
        assert address.is_global or not urlkey.classify_ip(address).is_global, address
