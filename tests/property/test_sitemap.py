"""Any bytes can be read as a sitemap, and a written sitemap is read back."""

import gzip
from datetime import UTC, datetime
from xml.sax.saxutils import escape

from hypothesis import given
from hypothesis import strategies as st

from gossamer.net.sitemap.read_sitemap import Sitemap, SitemapEntry, read
from gossamer.net.url import canonical

snippets = st.sampled_from(
    [
        b"<urlset>", b"</urlset>", b"<url>", b"</url>", b"<loc>", b"</loc>", b"http://a/", b"<sitemapindex>",
        b"<sitemap>", b"<rss>", b"<item>", b"<link>", b"<link href='http://a/'/>", b"<feed>", b"<entry>", b"&", b"&amp;",
        b"&#0;", b"<![CDATA[", b"]]>", b"<!--", b"-->", b"<!DOCTYPE x [", b"<!ENTITY a 'b'>", b"]>", b"\n", b"\0",
        b"\xef\xbb\xbf", b"\xff\xfe", b"\xe9", b"<?xml version='1.0' encoding='utf-7'?>", b"<lastmod>2030-01-01</lastmod>",
    ]
)  # fmt: skip
likely = st.lists(snippets, max_size=30).map(b"".join)
bodies = (
    st.binary(max_size=300)
    | likely
    | likely.map(gzip.compress)
    | st.binary().map(lambda b: b"\x1f\x8b\x08" + b)
)


@given(
    body=bodies,
    url=st.sampled_from(["", "https://example.org/sitemap.xml"]) | st.text(max_size=20),
    content_type=st.none()
    | st.sampled_from(["text/xml; charset=utf-16", "text/plain"])
    | st.text(max_size=30),
)
def test_any_bytes_are_read(body: bytes, url: str, content_type: str | None) -> None:
    found = read(body, url, content_type)
    assert isinstance(found, Sitemap)
    assert not (found.entries and found.sitemaps)
    for entry in found.entries + found.sitemaps:
        assert canonical(entry.loc) == entry.loc
        assert entry.lastmod is None or entry.lastmod.tzinfo is UTC


@given(body=likely, cut=st.integers(0, 400))
def test_a_longer_file_never_has_fewer_entries(body: bytes, cut: int) -> None:
    part, whole = read(b"<urlset>" + body[:cut]), read(b"<urlset>" + body)
    if part.kind == whole.kind == "urlset":
        assert whole.entries[: len(part.entries)] == part.entries


paths = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=30)
moments = st.datetimes(min_value=datetime(1990, 1, 1), max_value=datetime(2090, 1, 1), timezones=st.just(UTC))
entries = st.builds(
    SitemapEntry,
    loc=paths.map(lambda path: canonical(f"https://example.org/{path}")),
    lastmod=st.none() | moments,
    changefreq=st.none() | st.sampled_from(["always", "daily", "never"]),
    priority=st.none() | st.floats(0, 1),
)


def to_xml(entry: SitemapEntry) -> str:
    fields = {
        "loc": escape(entry.loc),
        "lastmod": entry.lastmod and entry.lastmod.isoformat(),
        "changefreq": entry.changefreq,
        "priority": entry.priority,
    }
    inner = "".join(f"<{name}>{value}</{name}>" for name, value in fields.items() if value is not None)
    return f"<url>{inner}</url>"


@given(wanted=st.lists(entries, max_size=8), packed=st.booleans())
def test_a_written_sitemap_is_read_back(wanted: list[SitemapEntry], packed: bool) -> None:
    body = f"<?xml version='1.0'?><urlset>{''.join(map(to_xml, wanted))}</urlset>".encode()
    assert read(gzip.compress(body) if packed else body) == Sitemap(kind="urlset", entries=tuple(wanted))
