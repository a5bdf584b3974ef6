"""URLs: canonical form, refusals, ids, hosts, and the links of a page."""

import pytest

from gossamer.errors import BadUrlReason
from gossamer.net import url as url_module
from gossamer.net.url import (
    DEFAULT_RULES,
    BadUrl,
    UrlRules,
    canonical,
    host,
    page_id,
    site,
    spans_hosts,
    spans_sites,
)
from gossamer.net.url.resolve_links import LinkResolver

BASE = "http://example.org/dir/sub/page.html?q=1"

SPELLINGS = {
    # case, ports, fragments, white space
    "HTTP://Example.ORG": "http://example.org/",
    "http://example.org:80/a": "http://example.org/a",
    "https://example.org:443/a": "https://example.org/a",
    "http://example.org:443/a": "http://example.org:443/a",
    "http://example.org:8080/A": "http://example.org:8080/A",
    "http://example.org/a#b": "http://example.org/a",
    "http://example.org/a?b#": "http://example.org/a?b",
    " \x01http://example.org/a\tb\r\nc \n": "http://example.org/abc",
    "http://example.org/a#\x01b": "http://example.org/a",
    # hosts
    "http://@example.org/": "http://example.org/",
    "http:example.org": "http://example.org/",
    "http:///example.org": "http://example.org/",
    "http:\\\\example.org\\a\\b": "http://example.org/a/b",
    "http://M\u00fcller.de/": "http://xn--mller-kva.de/",
    "http://\uff25xample.org/": "http://example.org/",
    "http://example.org./": "http://example.org./",
    "http://0x7f.1/": "http://127.0.0.1/",
    "http://2130706433/": "http://127.0.0.1/",
    "http://[0:0::1]:80/": "http://[::1]/",
    # dots
    "http://example.org/a/./b/../c": "http://example.org/a/c",
    "http://example.org/../../a": "http://example.org/a",
    "http://example.org/a/%2e/b/.%2E/c/%2e%2e": "http://example.org/a/",
    "http://example.org/a//b": "http://example.org/a//b",
    # percent-encoding
    "http://example.org/%7ejoe/%c3%a9%2f": "http://example.org/~joe/%C3%A9%2F",
    "http://example.org/%61%2Eb%2e%2e": "http://example.org/a.b..",
    "http://example.org/\u00e9 \"<>`{}": "http://example.org/%C3%A9%20%22%3C%3E%60%7B%7D",
    "http://example.org/?\u00e9 \"<>'%61": "http://example.org/?%C3%A9%20%22%3C%3E%27a",
    "http://example.org/it's?it's": "http://example.org/it's?it%27s",
    "http://example.org/%2561": "http://example.org/%2561",
    "http://example.org/100%": "http://example.org/100%",
    "http://example.org/%%36%31%4%31%zz%61": "http://example.org/%%36%31%4%31%zza",
    "http://example.org/?a=%26%3d%2B%23": "http://example.org/?a=%26%3D%2B%23",
    "http://example.org/\ud83d\ude00\ud800": "http://example.org/%F0%9F%98%80%EF%BF%BD",
    # session ids and tracking
    "http://example.org/a;jsessionid=AB.c!1?b=2": "http://example.org/a?b=2",
    "http://example.org/a;JSESSIONID=1;v=2/b;v=3;sid=4": "http://example.org/a;v=2/b;v=3",
    "http://example.org/..;sid=1/a": "http://example.org/..;sid=1/a",
    "http://example.org/a;sid": "http://example.org/a;sid",
    "http://a;sid=1/": "http://a;sid=1/",
    "http://example.org/?b=2&PHPSESSID=x&a=1": "http://example.org/?b=2&a=1",
    "http://example.org/?sid=1": "http://example.org/",
    "http://example.org/?sid=1#a": "http://example.org/",
    "http://example.org/?ASPSESSIONIDQABC=1&CFID=2&CFTOKEN=3&x": "http://example.org/?x",
    "http://example.org/?utm_source=a&UTM_Medium=b&%75tm%5fid=c&q": "http://example.org/?q",
    "http://example.org/?gclid=a&fbclid&msclkid=&mc_cid=1&mc_eid=2&yclid=3&dclid=4&igshid=5&_ga=6": "http://example.org/",
    "http://example.org/?side=1&sidx=2&asid=3&utm=4&q=sid&sid%3D=5": "http://example.org/?side=1&sidx=2&asid=3&utm=4&q=sid&sid%3D=5",
    "http://example.org/?PHPSESSID=1;topic=2;b&sid=3;utm_id=4;c=5": "http://example.org/?topic=2;b&c=5",
    "http://example.org/?q=1;sid=2&sid=3;4": "http://example.org/?q=1;sid=2",
    # queries as they are
    "http://example.org/?": "http://example.org/?",
    "http://example.org?": "http://example.org/?",
    "http://example.org/?b&a=&&c=d?/": "http://example.org/?b&a=&&c=d?/",
    "http://example.org/?&sid=1": "http://example.org/",
    "http://example.org/?C=N;O=D": "http://example.org/?C=N;O=D",
    # left to options
    "http://www.example.org/dir/index.html": "http://www.example.org/dir/index.html",
    "http://example.org/dir/": "http://example.org/dir/",
}  # fmt: skip

RELATIVE = {
    "": BASE,
    "#top": BASE,
    "?": "http://example.org/dir/sub/page.html?",
    "?r=2": "http://example.org/dir/sub/page.html?r=2",
    "next.html#a": "http://example.org/dir/sub/next.html",
    "next.html #a": "http://example.org/dir/sub/next.html%20",
    "next.html ": "http://example.org/dir/sub/next.html",
    "next.css?2022.1": "http://example.org/dir/sub/next.css?2022.1",
    "next.css?sid=2022.1#x": "http://example.org/dir/sub/next.css",
    "a/b/": "http://example.org/dir/sub/a/b/",
    "./a": "http://example.org/dir/sub/a",
    ".": "http://example.org/dir/sub/",
    "..": "http://example.org/dir/",
    "../": "http://example.org/dir/",
    "../a": "http://example.org/dir/a",
    "../../a": "http://example.org/a",
    "../../../../a": "http://example.org/a",
    "a/../b": "http://example.org/dir/sub/b",
    "/": "http://example.org/",
    "/a/b.html": "http://example.org/a/b.html",
    "//other.example/a": "http://other.example/a",
    "http:a": "http://example.org/dir/sub/a",
    "https://other.example": "https://other.example/",
    "https://other.example/a#b": "https://other.example/a",
    "HTTPS://Other.example/": "https://other.example/",
    "http-errors.html": "http://example.org/dir/sub/http-errors.html",
    "a:b": None,
    "mailto:joe@example.org": None,
    "JavaScript:void(0)": None,
    "//": None,
    "//user@other.example/": None,
    "a\x00b": None,
}  # fmt: skip

REFUSALS: dict[str, BadUrlReason] = {
    "": "scheme",
    "a/b": "scheme",
    "//example.org/": "scheme",
    "www.example.org": "scheme",
    "example.org:80/": "scheme",
    "javascript:alert(1)": "scheme",
    "mailto:joe@example.org": "scheme",
    "data:text/html,x": "scheme",
    "data:," + "x" * 1_000_000: "scheme",
    "ftp://example.org/": "scheme",
    "file:///etc/passwd": "scheme",
    "ws://example.org/": "scheme",
    "ftp://[": "scheme",
    "http:": "no host",
    "http://": "no host",
    "http:///": "no host",
    "http://?a": "no host",
    "http://#a": "no host",
    "http://:80/": "no host",
    "http://joe@/": "no host",
    "http://joe@example.org/": "user info",
    "http://:secret@example.org/": "user info",
    "http://joe:secret@example.org/": "user info",
    "http://example.org/" + "a" * DEFAULT_RULES.max_length: "too long",
    "http://example.org/?" + "a" * 1_000_000: "too long",
    "http://example.org/" + "\u00e9" * 400: "too long",
    "http://example.org/a\x00b": "control characters",
    "http://exa\x00mple.org/": "control characters",
    "http://example.org/a\x1fb": "control characters",
    "http://example.org/\x7f": "control characters",
    "http://example.org:65536/": "syntax",
    "http://example.org:x/": "syntax",
    "http://exa mple.org/": "syntax",
    "http://[::1/": "syntax",
    "http://1.2.3.4.5/": "syntax",
    "http://%zz/": "syntax",
}  # fmt: skip


@pytest.mark.parametrize(("url", "form"), SPELLINGS.items())
def test_canonical_form(url: str, form: str) -> None:
    assert canonical(url) == form
    assert canonical(form) == form
    assert canonical(url, "https://elsewhere.example/") == form


@pytest.mark.parametrize(("link", "form"), RELATIVE.items())
def test_links_of_a_page(link: str, form: str | None) -> None:
    resolve = LinkResolver(BASE).resolve
    assert [resolve(link), resolve(link)] == [form, form]
    if form is None:
        with pytest.raises(BadUrl):
            canonical(link, BASE)
    else:
        assert canonical(link, BASE) == form


@pytest.mark.parametrize(("url", "reason"), REFUSALS.items(), ids=[url[:40] for url in REFUSALS])
def test_refusals_have_a_reason(url: str, reason: BadUrlReason) -> None:
    with pytest.raises(BadUrl) as caught:
        canonical(url)
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    ("link", "reason"), [("//", "no host"), ("//:80/", "no host"), ("//a:x/", "syntax"), ("a:b", "scheme")]
)
def test_refusals_of_links_have_a_reason(link: str, reason: BadUrlReason) -> None:
    with pytest.raises(BadUrl) as caught:
        canonical(link, BASE)
    assert caught.value.reason == reason


def test_the_length_limit_applies_to_the_url_as_sent() -> None:
    start = "http://example.org/"
    longest = start + "a" * (DEFAULT_RULES.max_length - len(start))
    assert canonical(longest + "#" + "b" * 10_000) == longest
    with pytest.raises(BadUrl, match="too long"):
        canonical(longest + "a")
    with pytest.raises(BadUrl, match="too long"):
        canonical(longest + "?sid=1")
    page = longest[:-4]
    assert [LinkResolver(page).resolve(link) for link in ("#x", "/a", "a" * 2_000, "../" + "a" * 2_064)] == [
        page,
        start + "a",
        start + "a" * 2_000,
        start + "a" * 2_064,
    ]
    assert LinkResolver(page).resolve("a" * 2_065) is None


@pytest.mark.parametrize("base", ["", "page.html", "http://", "\ud800", "mailto:joe@example.org"])
def test_an_invalid_base_affects_only_relative_links(base: str) -> None:
    assert canonical("http://example.org/a b", base) == "http://example.org/a%20b"
    assert LinkResolver(base).resolve("http://example.org/a") == "http://example.org/a"
    assert LinkResolver(base).resolve("a") is None
    with pytest.raises(BadUrl):
        canonical("a", base)


def test_a_bad_base_is_refused_with_the_link() -> None:
    with pytest.raises(BadUrl, match="scheme"):
        canonical("a.html", "file:///dir/page.html")
    with pytest.raises(BadUrl, match="user info"):
        canonical("a.html", "http://joe@example.org/")
    assert LinkResolver("http://joe@example.org/").resolve("a.html") is None
    assert LinkResolver("http://EXAMPLE.org/a;sid=1/b").resolve("c") == "http://example.org/a/c"


def test_the_table_of_parameters_can_be_changed() -> None:
    rules = UrlRules(dropped_parameters=("ref", "Track*"))
    url = "http://example.org/a;ref=1?ref=2&sid=3&tracker=4&trac=5&REF"
    assert canonical(url, rules=rules) == "http://example.org/a?sid=3&trac=5"
    assert canonical(url, rules=UrlRules(dropped_parameters=())) == url
    assert LinkResolver("http://example.org/", rules).resolve("?sid=3&ref=1") == "http://example.org/?sid=3"


@pytest.mark.parametrize(
    ("rules", "url", "form"),
    [
        (UrlRules(drop_end_slash=True), "http://example.org/dir/?a", "http://example.org/dir?a"),
        (UrlRules(drop_end_slash=True), "http://example.org/dir//", "http://example.org/dir"),
        (UrlRules(drop_end_slash=True), "http://example.org/", "http://example.org/"),
        (UrlRules(drop_end_slash=True), "http://example.org/?a=/", "http://example.org/?a=/"),
        (UrlRules(drop_index_page=True), "http://example.org/dir/index.html?a", "http://example.org/dir/?a"),
        (UrlRules(drop_index_page=True), "http://example.org/Index.HTM", "http://example.org/"),
        (
            UrlRules(drop_index_page=True),
            "http://example.org/my-index.html",
            "http://example.org/my-index.html",
        ),
        (UrlRules(drop_www=True), "http://www.example.org:8080/", "http://example.org:8080/"),
        (UrlRules(drop_www=True), "http://www.org/", "http://www.org/"),
        (UrlRules(drop_www=True), "http://www2.example.org/", "http://www2.example.org/"),
        (
            UrlRules(drop_end_slash=True, drop_index_page=True, drop_www=True),
            "http://www.example.org/a/index.html/",
            "http://example.org/a",
        ),
    ],
)
def test_options(rules: UrlRules, url: str, form: str) -> None:
    assert canonical(url, rules=rules) == form
    assert LinkResolver("http://elsewhere.example/", rules).resolve(url) == form
    scheme_and_host, path = url[: url.index("/", 8)], url[url.index("/", 8) :]
    assert LinkResolver(scheme_and_host + "/elsewhere", rules).resolve(path) == form


def test_page_ids_are_signed_xxh3_fingerprints() -> None:
    assert page_id("") == 0x2D06800538D394C2
    assert page_id("http://h/") == -7377535290460293454


def test_hosts_have_their_port_unless_it_is_the_default() -> None:
    assert host("http://Example.org:80/a@b:1") == "example.org"
    assert host("https://example.org:80/") == "example.org:80"
    assert host("http://[::1]:8080?a") == "[::1]:8080"
    assert host("http://m\u00fcller.de/" + "a" * 10_000) == "xn--mller-kva.de"
    with pytest.raises(BadUrl, match="scheme"):
        host("mailto:joe@example.org")


def test_links_between_hosts_and_sites() -> None:
    here = "http://www.example.co.uk/"
    assert not spans_hosts(here, "HTTP://WWW.example.co.uk:80/a")
    assert not spans_hosts(here, "https://www.example.co.uk/")
    assert spans_hosts(here, "http://www.example.co.uk:8080/")
    assert spans_hosts(here, "http://example.co.uk/")
    assert not spans_sites(here, "http://example.co.uk:8080/")
    assert spans_sites(here, "http://other.co.uk/")
    assert not spans_sites(here, "http://other.co.uk/", rule="name")


def test_the_worked_example_of_the_source() -> None:
    """Schmitz 2001, section 3.2.1."""
    a, b = "http://publications.wep.uni-trier.de/index.html", "http://www1.informatik.uni-trier.de/"
    assert [site(host(a), "name"), site(host(b), "name")] == ["wep.uni-trier.de", "uni-trier.de"]
    assert spans_hosts(a, b)
    assert not spans_sites(a, b, rule="name")
    assert not spans_sites(a, b)


def test_the_public_names_can_be_imported() -> None:
    assert all(hasattr(url_module, name) for name in url_module.__all__)
