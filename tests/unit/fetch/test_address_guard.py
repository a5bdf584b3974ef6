import pytest

from gossamer.errors import BadInput
from gossamer.fetch.address_guard import METADATA, check_address

# Documented by the clouds themselves or by cloud-init; the first two are public addresses.
CLOUDS = [
    *("168.63.129.16", "192.80.8.124", "169.254.169.254", "169.254.170.2", "169.254.170.23", "169.254.42.42"),
    *("169.254.0.23", "169.254.10.10", "100.100.100.200", "192.0.0.192", "fd00:ec2::254", "fd00:ec2::23"),
    *("fd20:ce::254", "fd00:42::42", "fd00:a9fe:a9fe::1", "fd00:c1::a9fe:a9fe", "fd00:100::100:200"),
    "fe80::a9fe:a9fe",
]
PUBLIC = [
    "168.63.129.15",
    "192.80.8.125",
    "2a00:1450::5efe:8.8.8.8",
    "8.8.8.8",
    "1.1.1.1",
    "93.184.216.34",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "169.253.255.255",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2a00:1450:4001:82a::200e",
    "2001:4860:4860::8888",
    "2003::1",
    "::ffff:8.8.8.8",
    "::ffff:808:808",
    "64:ff9b::8.8.8.8",
    "2002:808:808::1",
]
PRIVATE = {
    "0.0.0.0": "this network",  # noqa: S104 - not to bind to
    "0.1.2.3": "this network",
    "10.0.0.1": "private",
    "100.64.0.1": "shared among a provider's customers",
    "100.127.255.255": "shared among a provider's customers",
    "127.0.0.1": "loopback",
    "127.255.255.254": "loopback",
    "169.254.169.254": METADATA,
    "169.254.1.1": "link-local",
    "172.16.0.1": "private",
    "172.31.255.255": "private",
    "192.0.0.8": "reserved for protocols",
    "192.0.2.1": "for documentation",
    "192.168.1.1": "private",
    "198.18.0.1": "for benchmarks",
    "198.19.255.255": "for benchmarks",
    "198.51.100.7": "for documentation",
    "203.0.113.9": "for documentation",
    "224.0.0.1": "multicast",
    "239.255.255.255": "multicast",
    "240.0.0.1": "reserved",
    "255.255.255.255": "broadcast",
    "::": "unspecified",
    "::1": "loopback",
    "0:0:0:0:0:0:0:1": "loopback",
    "fc00::1": "private",
    "fd12:3456:789a::1": "private",
    "fe80::1": "link-local",
    "febf:ffff::1": "link-local",
    "fec0::1": "site-local",
    "ff02::1": "multicast",
    "2001:db8::1": "for documentation",
    "3fff::1": "for documentation",
    "2001:10::1": "reserved for protocols",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2": "Teredo",
    "64:ff9b:1::1": "reserved",
    "100::1": "reserved",
    "4000::1": "reserved",
    # Forms of private IPv4 addresses.
    "::ffff:127.0.0.1": "loopback",
    "::ffff:7f00:1": "loopback",
    "::FFFF:169.254.169.254": METADATA,
    "::ffff:10.0.0.1": "private",
    "::ffff:0.0.0.0": "this network",
    "64:ff9b::10.0.0.1": "private",
    "64:ff9b::a9fe:a9fe": METADATA,
    "2002:7f00:1::1": "loopback",
    "2002:c0a8:101::": "private",
    "2002:a9fe:a9fe::1": METADATA,
    "2a00:1450::5efe:10.0.0.1": "private",
    "2a00:1450::200:5efe:127.0.0.1": "loopback",
    "2a00:1450::5efe:168.63.129.16": METADATA,
    "::127.0.0.1": "reserved",
    "::8.8.8.8": "reserved",
    "::ffff:0:10.0.0.1": "reserved",
}
ODD = [
    "",
    "localhost",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "010.8.8.8",
    "8.8.8.8 ",
    "8.8.8",
    "8.8.8.8.8",
    "256.1.1.1",
    "[::1]",
    "[2606:4700:4700::1111]",
    "fe80::1%eth0",
    "2606:4700:4700::1111%1",
    "8.8.8.8%0",
    "8.8.8.8\n",
    "8.8.8.8:80",
    "8.8.8.8/8",
    "１.１.１.１",
    "::ffff:1.2.3",
    ":::",
    "\0",
    "\ud800",
    "1" * 100_000,
]


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_pass(address: str) -> None:
    assert check_address(address, ()) is None


@pytest.mark.parametrize("address", PRIVATE)
def test_other_addresses_are_refused_with_a_reason(address: str) -> None:
    assert check_address(address, ()) == PRIVATE[address]


@pytest.mark.parametrize("address", CLOUDS)
def test_metadata_of_clouds_is_allowed_by_its_own_address_only(address: str) -> None:
    assert check_address(address, ()) == METADATA
    assert check_address(address, ("0.0.0.0/0", "::/0", "169.254.0.0/16", "fc00::/7")) == METADATA
    assert check_address(address, (address,)) is None
    if "." in address:
        for form in ("::ffff:{}", "64:ff9b::{}"):
            assert check_address(form.format(address), ("::/0",)) == METADATA
            assert check_address(form.format(address), (address,)) is None


@pytest.mark.parametrize("address", ODD)
def test_anything_but_a_plain_address_is_refused(address: str) -> None:
    assert check_address(address, ()) == "not an address"
    assert check_address(address, ("0.0.0.0/0", "::/0")) == "not an address"


def test_allowing_a_network_allows_no_other() -> None:
    loopback = ("127.0.0.0/8",)
    assert check_address("127.3.2.1", loopback) is None
    assert check_address("::ffff:127.0.0.1", loopback) is None
    for other in ("::1", "10.0.0.1", "169.254.169.254", "0.0.0.0", "::", "2002:a00:1::"):  # noqa: S104
        assert check_address(other, loopback) is not None
    assert check_address("8.8.8.8", loopback) is None


def test_single_addresses_can_be_allowed_with_and_without_brackets() -> None:
    assert check_address("10.1.2.3", ("10.1.2.3",)) is None
    assert check_address("10.1.2.4", ("10.1.2.3",)) == "private"
    assert check_address("::1", ("::1",)) is None
    assert check_address("::1", ("[::1]",)) is None
    assert check_address("fd00::5", ("::1", "fd00::/8")) is None
    assert check_address("127.0.0.1", ("::1",)) == "loopback"


@pytest.mark.parametrize("wrong", ["", "localhost", "10.0.0.0/33", "10.0.0.1/8", "127.0.0.0/8,::1", "::1%lo"])
def test_the_error_for_a_malformed_network_names_it(wrong: str) -> None:
    for address in ("8.8.8.8", "127.0.0.1", "odd"):
        with pytest.raises(BadInput, match="is not a network") as caught:
            check_address(address, ("10.0.0.0/8", wrong))
        assert repr(wrong) in str(caught.value)
