"""The packed facts of a page say what its source says."""

import numpy as np

from gossamer.link_check.facts.page_facts import (
    KIND_NAMES,
    normalise_fragment,
    read_css_facts,
    read_html_facts,
    read_sitemap_facts,
    unpack_place,
)
from gossamer.net.url import page_id

PAGE = "https://h.example/dir/page.html"


def test_references_are_resolved_and_packed_in_page_order() -> None:
    body = b"<title>T</title>\n<a href='b.html#x'>x</a>\n<img src=/p.png><a href='mailto:a@b'></a>"
    facts = read_html_facts(body, PAGE, "text/html").facts
    assert [KIND_NAMES[kind] for kind in facts.kinds] == ["anchor", "image"]
    targets = np.frombuffer(facts.targets, np.int64).tolist()
    assert targets == [page_id("https://h.example/dir/b.html"), page_id("https://h.example/p.png")]
    assert np.frombuffer(facts.fragments, np.int64).tolist() == [page_id("x"), 0]
    places = [unpack_place(one) for one in np.frombuffer(facts.places, np.int64).tolist()]
    assert [(one.line, one.column) for one in places] == [(2, 10), (3, 10)]


def test_a_base_resolves_links_and_fragments() -> None:
    read = read_html_facts(b"<base href='/other/'><a href='#a'><a href='b'>", PAGE, None)
    assert set(read.urls) == {"https://h.example/other/", "https://h.example/other/b"}


def test_what_a_secure_page_loads_by_http_is_noted_and_what_it_links_to_is_not() -> None:
    body = b"<img src='http://h.example/a.png'><a href='http://h.example/b'>x</a>"
    assert [url for _, url in read_html_facts(body, PAGE, None).facts.insecure] == ["http://h.example/a.png"]


def test_addresses_that_are_none_are_noted() -> None:
    body = b"<a href='http://'>x</a><a href='javascript:x()'>y</a><a href=''>z</a>"
    assert [url for _, url in read_html_facts(body, PAGE, None).facts.invalid] == ["http://"]


def test_declared_and_real_encodings_are_compared() -> None:
    def compare(body: bytes, content_type: str | None = None) -> str:
        return read_html_facts(body, PAGE, content_type).facts.encoding

    assert compare("<meta charset=utf-8>ä".encode()) == ""
    assert "not UTF-8" in compare("<meta charset=utf-8>ä".encode("latin-1"))
    assert "bytes are UTF-8" in compare("<meta charset=latin1>ä".encode())
    assert "the server says" in compare("<meta charset=latin1>ä".encode(), "text/html; charset=utf-8")
    assert compare(b"<p>plain") == ""


def test_style_sheets_and_sitemaps_have_facts_too() -> None:
    assert set(read_css_facts(b"p{src:url(a.png)}", PAGE).urls) == {"https://h.example/dir/a.png"}
    sitemap = b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://h.example/x</loc></url></urlset>"
    assert set(read_sitemap_facts(sitemap, "https://h.example/sitemap.xml", None).urls) == {
        "https://h.example/x"
    }


def test_fragments_are_named_as_browsers_name_them() -> None:
    assert [normalise_fragment(one) for one in ("a%20b", "TOP", "x:~:text=y", ":~:text=y")] == [
        "a b",
        "",
        "x",
        "",
    ]
