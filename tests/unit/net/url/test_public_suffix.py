"""The sites of hosts."""

from itertools import product

import pytest

from gossamer.net.url.public_suffix import SiteRule, is_same_site, site

STANFORD = ["www", "suif", "theory", "vision", "weather", "www.cs"]


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("example.org", "example.org"),
        ("a.b.example.org:8080", "example.org"),
        ("WWW.Example.CO.UK.", "example.co.uk"),
        ("co.uk", "co.uk"),
        ("joe.github.io", "joe.github.io"),
        ("a.joe.github.io", "joe.github.io"),
        ("www.city.kobe.jp", "city.kobe.jp"),
        ("a.b.xn--55qx5d.cn", "b.xn--55qx5d.cn"),
        ("a.b.unlisted", "b.unlisted"),
        ("localhost:80", "localhost"),
        ("127.0.0.1:80", "127.0.0.1"),
        ("[2001:db8::1]:80", "[2001:db8::1]"),
        ("[2001:db8::1]", "[2001:db8::1]"),
        ("::ffff:127.0.0.1", "::ffff:127.0.0.1"),
        ("a..org", "a..org"),
        ("", ""),
    ],
)
def test_site_by_public_suffix(host: str, expected: str) -> None:
    assert site(host) == expected


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("example.org", "example.org"),
        ("www.example.org", "example.org"),
        ("www1.a.example.org:80", "example.org"),
        ("wwwproxy.a.b.example.org", "b.example.org"),
        ("a.www.example.org", "www.example.org"),
        ("WWW.example.co.uk.", "co.uk"),
        ("www.org", "org"),
        ("www", "www"),
        ("127.0.0.1:80", "127.0.0.1"),
        ("[::1]:80", "[::1]"),
    ],
)
def test_site_by_name(host: str, expected: str) -> None:
    assert site(host, rule="name") == expected


def test_hosts_of_a_university_are_one_site_by_both_rules() -> None:
    hosts = [f"{name}.stanford.edu" for name in STANFORD]
    for a, b in product(hosts, hosts):
        assert is_same_site(a, b, "suffix")
        assert is_same_site(a, b, "name")
    assert not is_same_site("www.stanford.edu", "www.mit.edu", "suffix")
    assert not is_same_site("www.stanford.edu", "www.mit.edu", "name")


def test_names_are_compared_as_strings_as_in_the_source() -> None:
    assert is_same_site("trier.de", "uni-trier.de", "name")
    assert not is_same_site("trier.de", "uni-trier.de", "suffix")
    # Not transitive: the third name shares an ending with each of the others.
    assert is_same_site("a.x.example.org", "example.org", "name")
    assert is_same_site("b.y.example.org", "example.org", "name")
    assert not is_same_site("a.x.example.org", "b.y.example.org", "name")


@pytest.mark.parametrize("rule", ["suffix", "name"])
def test_addresses_are_compared_as_a_whole(rule: SiteRule) -> None:
    assert is_same_site("10.0.0.1:80", "10.0.0.1:8080", rule)
    assert not is_same_site("10.0.0.1", "110.0.0.1", rule)
    assert not is_same_site("[::1]", "[2001::1]", rule)


def test_two_hosts_are_one_site_exactly_if_their_sites_are_equal() -> None:
    labels = ["", "www.", "a.b."]
    names = [
        "example.org",
        "example.co.uk",
        "co.uk",
        "uk",
        "joe.github.io",
        "city.kobe.jp",
        "localhost",
        "a..org",
    ]
    hosts = [label + name for label in labels for name in names] + [
        "127.0.0.1",
        "10.0.0.1:80",
        "[::1]:80",
        "::1",
        "",
    ]
    for a, b in product(hosts, hosts):
        assert is_same_site(a, b) == (site(a) == site(b)), (a, b)
