"""Feeds, mail, Markdown, rich text, plain text and images in the forms in which the web has them."""

import gzip
import io
import struct

import pytest

from gossamer.documents.document_content import UnreadableDocument
from gossamer.documents.formats.feed import read_feed
from gossamer.documents.formats.image import read_image
from gossamer.documents.formats.mail import read_mail
from gossamer.documents.formats.markdown import read_markdown
from gossamer.documents.formats.plain_text import read_plain_text
from gossamer.documents.formats.rtf import read_rtf

URL = "http://a.example/blog/"
ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title>
<entry><title>Lanterns &amp; more</title><link href="http://a.example/1"/><author><name>Ada</name></author>
<updated>2024-02-29</updated><content type="html">&lt;p&gt;Caf&eacute; &amp;amp; tea&lt;/p&gt;</content></entry>
<entry><content type="xhtml"><div><p>One</p><p>Two</p></div></content></entry></feed>"""


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_entries_of_atom_feeds_are_parts(pack: type) -> None:
    found = read_feed(pack(ATOM), URL)
    assert found.title == "News"
    first, second = found.parts
    assert first.text == "Lanterns & more\nAda · 2024-02-29\nCafé & tea"
    assert second.text == "One\nTwo"
    assert [link.url for link in found.links] == ["http://a.example/1"]


def test_a_faulty_feed_is_read_up_to_the_fault() -> None:
    found = read_feed(b"<rss><channel><item><title>A & B</title></item><item><title>C</titel>", URL)
    assert found.parts[0].text == "A & B"
    assert found.warnings
    with pytest.raises(UnreadableDocument, match="broken"):
        read_feed(b"<<<", URL)


MAIL = b"""From: =?utf-8?q?Ada_Sch=C3=A4fer?= <a@a.example>\nSubject: =?iso-8859-1?q?Caf=E9?=
Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable\n\nCaf=E9 at http://a.example/menu.\n
--b\nContent-Type: text/html\n\n<p>HTML</p>\n--b--\n"""


def test_a_message_is_read_in_its_encodings() -> None:
    found = read_mail(MAIL, URL)
    assert (found.title, found.author) == ("Café", "Ada Schäfer <a@a.example>")
    assert found.text == "Café\nFrom: Ada Schäfer <a@a.example>\nCafé at http://a.example/menu."
    assert [link.url for link in found.links] == ["http://a.example/menu"]


def test_html_mail_is_read_without_a_plain_form() -> None:
    found = read_mail(
        b"Subject: x\nContent-Type: text/html\n\n<p>Hello <a href='http://a.example/'>you</a>", URL
    )
    assert found.text == "x\nHello you"
    assert found.links[0].url == "http://a.example/"


def test_a_line_that_begins_with_from_does_not_begin_a_message() -> None:
    body = b"From a\nSubject: one\n\ntext\n\nFrom here on: it is text.\n\nFrom b\nSubject: two\n\nmore\n"
    found = read_mail(body, URL)
    assert [part.label for part in found.parts] == ["message 1", "message 2"]
    assert "From here on: it is text." in found.parts[0].text


def test_markdown_has_headings_code_and_links() -> None:
    found = read_markdown(
        b'# Top\n\nSee *the* [docs](guide.md "t"), [here](#x).\n\n    code\n\n| a | b |\n|---|---|\n| 1 | 2 |',
        URL,
    )
    assert found.title == "Top"
    assert found.text == "Top\nSee the docs, here.\ncode\na\nb\n1\n2"
    assert [(link.url, link.text) for link in found.links] == [("guide.md", "docs")]


def test_rich_text_in_code_pages_and_unicode() -> None:
    found = read_rtf(
        rb"{\rtf1\ansi\ansicpg1252{\info{\title Caf\'e9}}Caf\'e9 \u8364? \u-10179?\u-8704?\par end}", URL
    )
    assert found.title == "Café"
    assert found.text == "Café € 😀\nend"
    with pytest.raises(UnreadableDocument, match="broken"):
        read_rtf(b"no rtf", URL)


def test_wrapped_lines_of_plain_text_are_paragraphs() -> None:
    long = "a line of wrapped text that is as long as lines of text are wrapped"
    found = read_plain_text(f"Title\n\n{long}\n{long}\nend.\n\n- one\n- two\n".encode(), URL)
    assert found.text == f"Title\n{long} {long} end.\n- one\n- two"


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("See https://a.example/x.", "https://a.example/x"),
        ("(https://a.example/x_(y))", "https://a.example/x_(y)"),
        ("<http://a.example/?q=1&r=2>", "http://a.example/?q=1&r=2"),
    ],
)
def test_addresses_in_plain_text_are_links(written: str, url: str) -> None:
    assert [link.url for link in read_plain_text(written.encode(), URL).links] == [url]


def make_jpeg() -> bytes:
    from PIL import Image

    image = Image.new("RGB", (2, 2))
    exif = image.getexif()
    exif[0x010E], exif[0x013B], exif[0x0132] = "A lantern at night", "Ada", "2024:02:29 10:30:00"
    exif[0x9C9B] = "Laterne".encode("utf-16-le")
    body = io.BytesIO()
    image.save(body, "JPEG", exif=exif)
    xmp = b"""<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="r" xmlns:dc="d"><rdf:Description>
        <dc:subject><rdf:Bag><rdf:li>harbour</rdf:li></rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>"""
    block = b"http://ns.adobe.com/xap/1.0/\0" + xmp
    raw = body.getvalue()
    return raw[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + raw[2:]


def test_texts_of_photographs_are_read() -> None:
    found = read_image(make_jpeg(), URL)
    assert (found.title, found.author, found.date) == ("Laterne", "Ada", "2024-02-29 10:30:00")
    assert "A lantern at night" in found.text
    assert "harbour" in found.text


def test_an_image_without_text_has_none() -> None:
    from PIL import Image

    body = io.BytesIO()
    Image.new("RGB", (2, 2)).save(body, "PNG")
    assert read_image(body.getvalue(), URL).text == ""
    with pytest.raises(UnreadableDocument, match="broken: it is not an image"):
        read_image(b"no image", URL)
