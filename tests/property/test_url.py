"""Properties of canonical URLs, for any spelling."""

import re
from itertools import product
from time import process_time

import pytest
from ada_url import URL, join_url
from hypothesis import example, given
from hypothesis import strategies as st

from gossamer.net.url import (
    DEFAULT_RULES,
    BadUrl,
    UrlRules,
    canonical,
    host,
    page_id,
    spans_hosts,
    spans_sites,
)
from gossamer.net.url.resolve_links import LinkResolver

HOSTS = [
    "example.org",
    "EXAMPLE.org",
    "www.example.org",
    "www.www.example.co.uk",
    "a.b-c.example.org.",
    "xn--mller-kva.de",
    "müller.de",
    "xn--a.org",
    "ab--c.org",
    "under_score.org",
    ".0;sid=",
    "a..org",
    "www..org",
    "x" * 70 + ".org",
    "localhost",
    "127.0.0.1",
    "255.249.199.10",
    "256.0.0.1",
    "1.2.3.4.5",
    "01.2.3.4",
    "1.2.3",
    "1.2.3.4.",
    "1.2.3.4a",
    "0x7f.1",
    "1.2.3.4.5",
    "a.0x",
    "a.1",
    "[::1]",
    "[::1",
    "user@example.org",
    "user:secret@example.org",
    "@example.org",
    "",
    "a b.org",
    "%65xample.org",
]
PORTS = ["", "", "", ":", ":80", ":443", ":8080", ":080", ":60000", ":65535", ":65536", ":99999", ":x"]
PIECES = [
    *[
        "/",
        "//",
        "\\",
        ".",
        "..",
        "./",
        "../",
        "/..",
        "%2e",
        "%2E%2e",
        ".%2e",
        "a",
        "b.html",
        "dir",
        "index.html",
    ],
    *[
        "%",
        "%4",
        "%41",
        "%7e",
        "%c3%a9",
        "%2F",
        "%25",
        "%2541",
        "%00",
        "1",
        "A",
        "é",
        "\u3000",
        "\ud800",
        "|",
        "[x]",
    ],
    *[" ", "\t", "\n", "\x00", "\x7f", '"', "'", "<", "{", "^", "~", ":", "@", "!", "(", ")", "*", "+", ","],
    *[
        ";",
        ";sid=1",
        ";jsessionid=AB.c1",
        "..;sid=1",
        ";x=1",
        "=",
        "?",
        "&",
        "#",
        "#top",
        "?q=1",
        "?sid=1",
        "&sid=2",
    ],
    *["?utm_source=x", "&UTM_id", "&%75tm_x=1", "&a=b", "&&", "?&sid=", "?'", "?C=N;O=D", ";q=1", "&sid=3;"],
]
SCHEMES = [
    "http://",
    "https://",
    "HTTP://",
    "http:",
    "https:/",
    "http:///",
    "//",
    "ftp://",
    "file:///",
    "mailto:",
]

tails = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)
absolute = st.builds(
    "{}{}{}{}".format, st.sampled_from(SCHEMES), st.sampled_from(HOSTS), st.sampled_from(PORTS), tails
)
ordinary = st.builds(
    "{}{}{}/{}".format,
    st.sampled_from(SCHEMES[:2]),
    st.sampled_from(HOSTS[:3]),
    st.sampled_from(PORTS[:7]),
    tails,
)
urls = st.one_of(ordinary, absolute, tails, st.text(), st.text().map("http://example.org/".__add__))
bases = st.one_of(ordinary, ordinary, absolute, st.text(max_size=3))
rule_sets = st.builds(
    UrlRules,
    dropped_parameters=st.sampled_from([DEFAULT_RULES.dropped_parameters, (), ("a", "x", "q*")]),
    drop_end_slash=st.booleans(),
    drop_index_page=st.booleans(),
    drop_www=st.booleans(),
    max_length=st.sampled_from([40, DEFAULT_RULES.max_length]),
)
UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")


def canonical_or_none(url: str, base: str | None = None, rules: UrlRules = DEFAULT_RULES) -> str | None:
    """Return the canonical form, or None if the URL is refused."""
    try:
        return canonical(url, base, rules=rules)
    except BadUrl:
        return None


def sent_to_server(url: str) -> list[str]:
    """Split a URL into its parts as a server sees them: an encoded unreserved character is that character."""
    tokens = re.findall(r"%[0-9A-Fa-f]{2}|.", url.partition("#")[0], re.DOTALL)
    decoded = [chr(int(token[1:], 16)) if len(token) == 3 else "" for token in tokens]
    return [
        char if UNRESERVED.fullmatch(char) else token.upper() if char else token
        for token, char in zip(tokens, decoded, strict=True)
    ]


@given(urls, st.none() | bases, rule_sets)
@example("http://h/%%34%31", None, DEFAULT_RULES)
@example("http://h/..;sid=1/x", None, DEFAULT_RULES)
@example("http://.0;sid=/", None, DEFAULT_RULES)
@example("http://h/index.html/index.html/", None, UrlRules(drop_end_slash=True, drop_index_page=True))
@example("http://www.www.www.org/", None, UrlRules(drop_www=True))
def test_canonical_is_idempotent_and_raises_nothing_but_bad_url(
    url: str, base: str | None, rules: UrlRules
) -> None:
    form = canonical_or_none(url, base, rules)
    if form is not None:
        assert form.isascii()
        assert len(form) <= rules.max_length
        assert canonical(form, rules=rules) == form
        assert canonical(form, "http://elsewhere.example/dir/", rules=rules) == form


@given(urls, bases)
def test_a_browser_would_fetch_the_same_page(url: str, base: str) -> None:
    form = canonical_or_none(url, base, UrlRules(dropped_parameters=()))
    if form is not None and URL.can_parse(url, base):
        assert sent_to_server(form) == sent_to_server(join_url(base, url))


@given(
    ordinary,
    st.sampled_from(["utm_source=a", "SID=1", "fbclid", "PHPSESSID=%00"]),
    st.text(alphabet="ab/?&#%"),
)
def test_dropped_parameters_and_fragments_do_not_matter(url: str, parameter: str, fragment: str) -> None:
    form = canonical_or_none(url)
    if form is not None:
        with_more = f"{form}{'&' if '?' in form else '?'}{parameter}#{fragment}"
        path, _, query = form.partition("?")
        assert canonical(with_more) == (form if query else path)


@given(bases, st.lists(urls, max_size=6), rule_sets)
def test_the_resolver_agrees_with_canonical(base: str, links: list[str], rules: UrlRules) -> None:
    resolve = LinkResolver(base, rules).resolve
    for link in [*links, *links]:
        assert resolve(link) == canonical_or_none(link, base, rules)


@given(
    st.lists(st.sampled_from(["../", "/", "a", "b.html", "?", "x=1", "#", "sid=1", " "]), max_size=6).map(
        "".join
    )
)
def test_the_resolver_agrees_with_canonical_on_ordinary_links(link: str) -> None:
    for base in (
        "http://example.org",
        "http://example.org/a/b//c;sid=1?q=/x/",
        "https://h.example:8080/%41/~u/",
    ):
        assert LinkResolver(base).resolve(link) == canonical_or_none(link, base)


@given(urls, urls)
def test_leaving_the_site_is_leaving_the_host(a: str, b: str) -> None:
    forms = [form for form in map(canonical_or_none, (a, b)) if form is not None]
    for one, other in product(forms, forms):
        for rule in ("suffix", "name"):
            assert spans_hosts(one, other) or not spans_sites(one, other, rule)
            assert spans_sites(one, other, rule) == spans_sites(other, one, rule)


@given(ordinary)
def test_the_canonical_form_has_the_same_host(url: str) -> None:
    form = canonical_or_none(url)
    if form is not None:
        assert host(form) == host(url)


@given(st.text(alphabet=st.characters(codec="ascii")))
def test_page_ids_fit_a_signed_64_bit_column(form: str) -> None:
    assert -(2**63) <= page_id(form) < 2**63


@pytest.mark.parametrize(
    "piece", ["%", "%41", "a/../", "@", ";sid=1", "&sid=1", "é", "a.", "#", ":", "/index.html"]
)
def test_very_long_urls_do_not_hang(piece: str) -> None:
    many = piece * (1_000_000 // len(piece))
    rules = UrlRules(drop_end_slash=True, drop_index_page=True, drop_www=True)
    for start in ("", "http://", "http://h/", "http://h/?", "http://www."):
        started_s = process_time()
        canonical_or_none(start + many, "http://h/", rules)
        assert process_time() - started_s < 10.0  # hundredths of a second, unless something hangs
