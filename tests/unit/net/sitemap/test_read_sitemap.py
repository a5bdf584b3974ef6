"""Sitemaps in every form, valid and hostile."""

import gzip
import time
import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from gossamer.net.sitemap.read_sitemap import MAX_BYTES, MAX_URLS, Sitemap, SitemapEntry, read
from gossamer.net.url import canonical

URL = "https://example.org/maps/sitemap.xml"

URLSET = """<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:xhtml="http://www.w3.org/1999/xhtml">
  <url>
    <loc> https://example.org/a?x=1&amp;y=2 </loc>
    <lastmod>2030-06-25T15:00:00Z</lastmod>
    <changefreq>Daily</changefreq>
    <priority>0.8</priority>
    <image:image><image:loc>https://example.org/picture.png</image:loc></image:image>
    <xhtml:link rel="alternate" hreflang="de" href="https://example.org/de"/>
  </url>
  <url><loc>/é</loc><lastmod>yesterday</lastmod><changefreq>often</changefreq><priority>7</priority></url>
  <url><loc>mailto:a@example.org</loc></url>
  <url><lastmod>2030-06-25</lastmod></url>
</urlset>
"""
MOMENT = datetime(2030, 6, 25, 15, tzinfo=UTC)
A = SitemapEntry("https://example.org/a?x=1&y=2", MOMENT, "daily", 0.8)
E_ACUTE = SitemapEntry("https://example.org/%C3%A9")
EXPECTED = Sitemap(kind="urlset", entries=(A, E_ACUTE), bad=2)


def locs(sitemap: Sitemap) -> list[str]:
    return [entry.loc for entry in sitemap.entries]


def urlset(*locations: str) -> bytes:
    return f"<urlset>{''.join(f'<url><loc>{loc}</loc></url>' for loc in locations)}</urlset>".encode()


@pytest.mark.parametrize(
    "body",
    [
        URLSET.encode(),
        b"\xef\xbb\xbf" + URLSET.encode(),
        b"\n\n  \xef\xbb\xbf" + URLSET.encode(),
        URLSET.replace("UTF-8", "UTF-16").encode("utf-16"),
        URLSET.replace("UTF-8", "ISO-8859-1").encode("latin-1"),
        URLSET.replace(' encoding="UTF-8"', "").encode(),
        URLSET.replace("\n", "\r\n").encode(),
        gzip.compress(URLSET.encode(), mtime=0),
        gzip.compress(URLSET.encode(), mtime=0) + b"garbage",
        URLSET.replace("<url", "<sm:url")
        .replace("</url", "</sm:url")
        .replace("xmlns=", "xmlns:sm=")
        .encode(),
        URLSET.replace("<loc>/é</loc>", "<loc><![CDATA[/é]]></loc>").encode(),
        URLSET.replace(' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"', "").encode(),
        ("<!DOCTYPE urlset>" + URLSET[URLSET.index("<urlset") :]).encode(),
    ],
)
@pytest.mark.parametrize("content_type", [None, "application/gzip", "text/html"])
def test_a_sitemap_is_read_in_every_encoding_and_packing(body: bytes, content_type: str | None) -> None:
    assert read(body, URL, content_type) == EXPECTED


def test_prefixed_fields_are_found() -> None:
    body = b"<s:urlset><s:url><s:loc>http://a/1</s:loc><i:loc>http://a/2</i:loc></s:url></s:urlset>"
    assert locs(read(body)) == ["http://a/1"]


def test_relative_locations_without_a_base_are_bad() -> None:
    assert read(URLSET.encode()).bad == 3
    assert read(URLSET.encode(), "not a url").bad == 3


def test_an_index_lists_sitemaps_and_no_pages() -> None:
    body = b"""<sitemapindex><sitemap><loc>/b.xml.gz</loc><lastmod>2030-06-25T15:00:00Z</lastmod></sitemap>
        <sitemap><loc>https://example.org/c.xml</loc></sitemap></sitemapindex>"""
    sitemaps = (
        SitemapEntry("https://example.org/b.xml.gz", MOMENT),
        SitemapEntry("https://example.org/c.xml"),
    )
    assert read(body, URL) == Sitemap(kind="index", sitemaps=sitemaps)


def test_rss() -> None:
    body = b"""<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><link>https://example.org/</link>
        <atom:link href="https://example.org/feed" rel="self"/>
        <item><title>a &nbsp; b</title><link>https://example.org/1</link>
          <atom:link href="https://example.org/other"/><pubDate>Tue, 25 Jun 2030 15:00:00 GMT</pubDate></item>
        <item><guid>https://example.org/2</guid></item>
        <item><guid isPermaLink="false">https://example.org/3</guid></item>
        <item><guid>four</guid></item>
        <item><link><![CDATA[ /5?a&b ]]></link></item></channel></rss>"""
    found = read(body, URL)
    assert (found.kind, found.bad, found.error) == ("rss", 2, "")
    assert locs(found) == [f"https://example.org/{page}" for page in ("1", "2", "5?a&b")]
    assert found.entries[0].lastmod == MOMENT


def test_rdf() -> None:
    body = b"""<rdf:RDF xmlns:rdf="r" xmlns="http://purl.org/rss/1.0/"><channel><link>https://example.org/</link>
        </channel><item rdf:about="x"><link>/1</link><dc:date>2030-06-25T15:00:00Z</dc:date></item></rdf:RDF>"""
    assert read(body, URL) == Sitemap(kind="rss", entries=(SitemapEntry("https://example.org/1", MOMENT),))


def test_atom() -> None:
    body = b"""<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://example.org/"/>
        <entry><link rel="edit" href="/edit"/><link href="/1"/><link href="/1b"/>
          <published>2029-01-01</published><updated>2030-06-25T15:00:00Z</updated></entry>
        <entry><link rel="alternate" href="/2"/><published>2030-06-25T15:00:00Z</published></entry>
        <entry><id>urn:x</id></entry></feed>"""
    entries = (SitemapEntry("https://example.org/1", MOMENT), SitemapEntry("https://example.org/2", MOMENT))
    assert read(body, URL) == Sitemap(kind="atom", entries=entries, bad=1)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_list_of_lines(end: str) -> None:
    body = end.join(
        ["\ufeffhttps://example.org/a", "", "  HTTPS://example.org/b ", "word", "https://example.org/é"]
    )
    expected = ["https://example.org/a", "https://example.org/b", "https://example.org/%C3%A9"]
    for packed in (body.encode(), gzip.compress(body.encode())):
        found = read(packed, URL)
        assert (found.kind, locs(found), found.bad) == ("text", expected, 1)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"   \n",
        b"<!DOCTYPE html><html><body><p>Not found</body></html>",
        b"<html><body><loc>http://a/</loc></body></html>",
        b"<!doctype html><title>x</title>",
        b'{"url": "http://a/"}',
        b"User-agent: *\nDisallow: /",
        b"see http://a/",
        b"<",
        b"<?xml",
        b"\x89PNG\r\n\x1a\n\0\0",
        bytes(range(256)),
        gzip.compress(b"hello", mtime=0),
    ],
)
def test_other_documents_are_unknown_and_empty(body: bytes) -> None:
    found = read(body, URL)
    assert (found.kind, found.entries, found.sitemaps, found.bad) == ("unknown", (), (), 0)


@pytest.mark.parametrize(
    ("tail", "error"),
    [
        ("", "no element found"),
        ("<url><loc>http://a/3", "no element found"),
        ("<url></loc></urlset>", "mismatched tag"),
        ("</urlset>more", "junk after document element"),
        ("<url <", "not well-formed"),
        ("&#0;", "invalid character number"),
    ],
)
def test_broken_xml_is_read_up_to_the_fault(tail: str, error: str) -> None:
    body = b"<urlset><url><loc>http://a/1</loc></url><url><loc>http://a/2</loc></url>" + tail.encode()
    found = read(body)
    assert locs(found) == ["http://a/1", "http://a/2"]
    assert error in found.error
    assert not found.truncated


def test_truncated_gzip_is_read_up_to_its_end() -> None:
    body = gzip.compress(urlset(*(f"http://a/{number * number}" for number in range(1_000))))
    found = read(body[: len(body) // 2])
    assert 100 < len(found.entries) < 1_000
    assert found.error == "gzip ends early"


@pytest.mark.parametrize(
    ("loc", "expected"),
    [
        ("http://a/?x=1&y=2", "http://a/?x=1&y=2"),
        ("http://a/?x=1&copy=2", "http://a/?x=1&copy=2"),
        ("http://a/?x=1&amp;y=2", "http://a/?x=1&y=2"),
        ("http://a/?x=1&#38;y=2", "http://a/?x=1&y=2"),
        ("<![CDATA[http://a/?x=1&y=2]]>", "http://a/?x=1&y=2"),
        ("<![CDATA[http://a/?x=&amp;]]>", "http://a/?x=&amp;"),
        ("http://a/\x01\x0b1", "http://a/1"),
    ],
)
def test_unescaped_ampersands_and_control_characters_are_repaired(loc: str, expected: str) -> None:
    found = read(urlset(loc, "http://a/after?x&y"))
    assert locs(found) == [expected, "http://a/after?x&y"]
    assert not found.error


@pytest.mark.parametrize("shift", range(12))
def test_pieces_may_end_anywhere(shift: int) -> None:
    fill = "x" * (65_536 - 40 - shift)
    body = f"<urlset><!--{fill}--><url><loc><![CDATA[http://é/?a&b]]></loc></url><url><loc>http://a/?a&b&amp;c</loc></url></urlset>"
    found = read(body.encode())
    assert locs(found) == ["http://xn--9ca/?a&b", "http://a/?a&b&c"]
    assert not found.error


@pytest.mark.parametrize(
    "label", ["Shift_JIS", "EUC-JP", "ISO-2022-JP", "GBK", "Big5", "EUC-KR", "windows-1251"]
)
def test_any_encoding_is_decoded_across_pieces(label: str) -> None:
    letters = "д" if label == "windows-1251" else "中"
    body = f'<?xml version="1.0" encoding="{label}"?><urlset><!--{letters * 50_001}-->'.encode(label)
    body += f"<url><loc>http://a/{letters}</loc></url></urlset>".encode(label)
    assert read(body) == Sitemap(kind="urlset", entries=(SitemapEntry(canonical(f"http://a/{letters}")),))


def test_invalid_utf_8_affects_only_its_own_entry() -> None:
    body = (
        b'<?xml version="1.0" encoding="UTF-8"?>' + urlset("http://a/?").replace(b"?", b"\xe9") + b"<!-- -->"
    )
    assert len(read(body).entries) == 1


def test_the_number_of_urls_is_limited() -> None:
    body = b"http://a/\nx\n" * MAX_URLS
    found = read(body)
    assert found.truncated
    assert len(found.entries) + found.bad == MAX_URLS
    assert not read(b"http://a/\n" * MAX_URLS).truncated


def test_a_field_that_is_too_long_is_bad() -> None:
    assert read(urlset("http://a/" + "x" * 100_000, "http://a/1")).bad == 1
    assert read(b"http://a/" + b"x" * 1_000_000 + b"\nhttp://a/1").bad == 1


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.parametrize(
    "declaration",
    [
        f'<!ENTITY l0 "lol">{LAUGHS}',
        f'<!ENTITY l9 "{"x" * 50_000}">',
        '<!ENTITY % p "x">',
        f'<!ATTLIST url a CDATA "{"x" * 50_000}">',
    ],
    ids=["laughs", "quadratic", "parameter", "attribute"],
)
def test_declarations_that_could_expand_end_the_reading(declaration: str) -> None:
    body = f"<!DOCTYPE x [{declaration}]><urlset>{'<url><loc>http://a/&l9;</loc></url>' * 1_000}</urlset>"
    found = read(body.encode())
    assert (found.kind, found.entries) == ("unknown", ())
    assert "declared" in found.error


@pytest.mark.parametrize(
    "declaration",
    ['<!ENTITY x SYSTEM "file:///etc/passwd">', '<!ENTITY % x SYSTEM "file:///etc/passwd"> %x;'],
)
def test_external_entities_are_not_loaded(declaration: str) -> None:
    found = read(f"<!DOCTYPE x [{declaration}]><urlset><url><loc>http://a/&x;</loc></url></urlset>".encode())
    assert locs(found) == ["http://a/&x;"]


HOSTILE: dict[str, Callable[[], bytes]] = {
    "bomb": lambda: gzip.compress(b"<urlset>" + b" " * (60 << 20), 1),
    "depth": lambda: b"<urlset>" + b"<a>" * 1_000_000,
    "names": lambda: b"<urlset>" + b"".join(b"<a%d/>" % number for number in range(100_000)),
    "one tag": lambda: b"<urlset " + b'a="" ' * 1_000_000,
    "attributes": lambda: b"<urlset>" + b"".join(b'<a a%d="" />' % number for number in range(100_000)),
    "comment": lambda: b"<urlset><!--" + b">" * 10_000_000,
    "brackets": lambda: b"<urlset>" + b"]" * 10_000_000,
    "undecodable": lambda: b'<?xml version="1.0" encoding="EUC-JP"?><urlset>' + b"\xff&>" * 1_000_001,
    "ampersands": lambda: b"<urlset>" + b"&>" * 1_000_001,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_do_not_hang(name: str) -> None:
    body = HOSTILE[name]()
    start_s = time.process_time()
    found = read(body)
    assert time.process_time() - start_s < 30  # 0.01 to 0.4 s, unless something hangs
    assert (found.entries, found.truncated) == ((), True)
    assert found.error


@pytest.mark.slow
def test_the_number_of_tags_is_limited() -> None:
    found = read(gzip.compress(b"<urlset>" + b"<a/>" * (4 << 20), 1))
    assert (found.truncated, found.error) == (True, "too many elements")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bomb", "depth", "names", "one tag", "attributes"])
def test_hostile_files_take_little_memory(name: str) -> None:
    body = HOSTILE[name]()
    tracemalloc.start()
    try:
        read(body)
        peak_bytes = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak_bytes < 16 << 20


@pytest.mark.slow
def test_a_url_that_is_cut_by_the_limit_is_left_out() -> None:
    line = b"http://a/" + b"x" * 2_000 + b"\n"
    found = read(line * (MAX_BYTES // len(line) + 10))
    assert found.truncated
    assert (len(found.entries), found.bad) == (MAX_BYTES // len(line), 0)
