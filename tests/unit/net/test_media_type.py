"""Kinds of responses: right labels, wrong labels, no labels."""

import gzip
import io
import zipfile

import pytest

from gossamer.net.media_type import SNIFFED_BYTES, Kind, detect_kind

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
SITEMAP = (
    b'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
)


def zipped(name: str, content: bytes = b"x") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(zipfile.ZipInfo(name), content)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("content_type", "body", "expected"),
    [
        ("text/html; charset=utf-8", b"<!DOCTYPE html><title>x</title>", "html"),
        ("application/xhtml+xml", b'<?xml version="1.0"?><!DOCTYPE html PUBLIC "x" "y"><html>', "html"),
        ("text/plain", b"Dear reader, a < b and c > d.", "text"),
        ("text/css", b"a { color: red }", "style"),
        ("application/javascript", b"if (a < b) { c() }", "script"),
        ("application/ld+json", b'{"@context": "x"}', "json"),
        ("application/xml", b"<note><to>you</to></note>", "xml"),
        ("application/rss+xml; charset=utf-8", b'<rss version="2.0">', "feed"),
        ("text/csv", b"a,b\n1,2\n", "text"),
        ("image/svg+xml", b'<svg xmlns="http://www.w3.org/2000/svg">', "image"),
        ("application/vnd.ms-fontobject", b"\x9a\x01\0\0\x1c\0LP", "font"),
        ("text/html", b"no tag at all", "html"),
    ],
)
def test_a_correct_label_decides(content_type: str, body: bytes, expected: Kind) -> None:
    assert detect_kind(content_type, body) == expected


@pytest.mark.parametrize(
    ("content_type", "body", "expected"),
    [
        ("text/html", b"%PDF-1.7\n%\xe2\xe3", "pdf"),
        ("application/pdf", b"HTTP junk\n%PDF-1.4", "pdf"),
        ("text/html", PNG, "image"),
        ("text/html", b"\xff\xd8\xff\xe0\0\x10JFIF", "image"),
        ("image/jpeg", b"\n<!DOCTYPE HTML><html><h1>Not found", "html"),
        ("image/png", b"Not found", "text"),
        ("text/javascript", b"<!doctype html><html>gone", "html"),
        ("application/rss+xml", b"<html><body>gone", "html"),
        ("text/plain", b"<html><head>", "html"),
        ("text/plain", b"<b>bold</b> is how HTML writes bold", "text"),
        ("text/plain", b"\0\x01\x02\x03binary", "binary"),
        ("text/plain", b"PK\x03\x04\x14\0", "archive"),
        ("text/html", SITEMAP, "sitemap"),
        ("text/plain", b'<sitemapindex xmlns="x">', "sitemap"),
        (
            "text/html",
            b'<?xml version="1.0"?>\n<!-- made -->\n<feed xmlns="http://www.w3.org/2005/Atom">',
            "feed",
        ),
        ("application/xml", b'<atom:feed xmlns:atom="x">', "feed"),
        ("text/xml", b'<rdf:RDF xmlns="http://purl.org/rss/1.0/" xmlns:rdf="y">', "feed"),
        ("text/xml", b'<rdf:RDF xmlns:dc="http://purl.org/dc/elements/1.1/">', "xml"),
        ("text/html", b'{"status": "ok"}', "json"),
        ("text/html", b"[1] A footnote, not JSON", "html"),
        ("application/vnd.ms-excel", b"name;price\n", "text"),
        ("text/html", b"<p>old \x01 page</p>", "html"),
        ("text/html", b"<custom-element>", "html"),
        ("text/html", b"old \x01 page", "html"),
    ],
)
def test_a_wrong_label_is_overruled(content_type: str, body: bytes, expected: Kind) -> None:
    assert detect_kind(content_type, body) == expected


@pytest.mark.parametrize("content_type", [None, "", "application/octet-stream", "unknown/unknown", ";;", "x"])
@pytest.mark.parametrize(
    ("body", "url", "expected"),
    [
        (b"  \n<!-- a comment --><HTML>", "", "html"),
        (b"<!-- " + b"x" * 5_000, "", "html"),
        (b"<p>a paragraph", "", "html"),
        (b"<table border=1>", "", "html"),
        (b"<note>", "", "xml"),
        (b"\xef\xbb\xbf<!doctype html>", "", "html"),
        ("<!doctype html>".encode("utf-16"), "", "html"),
        ("\ufeff<!doctype html>".encode("utf-16-be"), "", "html"),
        ("<!doctype html>".encode("utf-16-le"), "", "html"),
        (b"a { b: c }", "https://example.org/style.CSS?v=2", "style"),
        (b"plain words", "https://example.org/a.b/readme", "text"),
        (b"plain words", "https://example.org/picture.png", "text"),
        (b"plain words", "https://example.org/page.html#top", "html"),
        (b"\0\x01", "https://example.org/film.mp4", "video"),
        (b"\0\x01", "https://example.org/page.html", "binary"),
        (b"\0\x01", "https://[bad", "binary"),
        (b"\x1f\x8b\x08 broken", "", "archive"),
        (b"OTTO\0\x0b", "", "font"),
        (b"ID3\x03\0", "", "audio"),
        (b"ID3 tags explained", "", "text"),
        (b"\0\0\0 ftypisom", "", "video"),
        (b"\x1aE\xdf\xa3", "", "video"),
        (b"%!PS-Adobe-3.0", "", "postscript"),
        (b"{\\rtf1\\ansi", "", "office"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "", "office"),
        (b"MZ\x90\0\x03", "", "binary"),
        (b"MZ is short for Mark Zbikowski", "", "text"),
        (b"BM is a size of steel", "", "text"),
        (b"", "https://example.org/page.html", "empty"),
    ],
)
def test_without_a_label_the_bytes_decide_and_then_the_url(
    content_type: str | None, body: bytes, url: str, expected: Kind
) -> None:
    assert detect_kind(content_type, body, url) == expected


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("[Content_Types].xml", b"x", "office"),
        ("word/document.xml", b"x", "office"),
        ("mimetype", b"application/vnd.oasis.opendocument.text", "office"),
        ("mimetype", b"application/epub+zip", "office"),
        ("readme.txt", b"x", "archive"),
    ],
)
def test_zip_files_are_recognised_by_their_first_member(name: str, content: bytes, expected: Kind) -> None:
    assert detect_kind("application/zip", zipped(name, content)) == expected


def test_gzip_is_opened_to_recognise_sitemaps_and_feeds() -> None:
    assert detect_kind("application/x-gzip", gzip.compress(SITEMAP)) == "sitemap"
    assert detect_kind("text/xml", gzip.compress(b"<rss>" + b"<item/>" * 100_000)) == "feed"
    assert detect_kind("application/x-gzip", gzip.compress(b"<html>")) == "archive"


def test_the_label_of_ogg_decides() -> None:
    assert detect_kind("video/ogg", b"OggS\0\x02") == "video"
    assert detect_kind("text/plain", b"OggS\0\x02") == "audio"


def test_only_the_beginning_is_inspected() -> None:
    beginning = b"x" * SNIFFED_BYTES
    assert detect_kind("text/plain", beginning + b"\0") == "text"
    assert detect_kind("text/plain", beginning[1:] + b"\0") == "binary"
