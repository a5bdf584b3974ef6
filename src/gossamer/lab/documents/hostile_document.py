"""Make documents that harm careless readers: mutations of whole ones, and bombs; all follow from a seed."""

import io
import random
import zipfile
import zlib
from collections.abc import Callable

from gossamer.lab.documents.sample_document import FORMS, SampleDocument, write_document
from gossamer.lab.documents.write_pdf import join_objects
from gossamer.lab.documents.write_zipped import pack

WORDS = [
    "lantern",
    "harbour",
    "copper",
    "meadow",
    "violet",
    "engine",
    "winter",
    "paper",
    "orchard",
    "signal",
    "river",
    "candle",
]
_MEGABYTE = 1_000_000
_XML = '<?xml version="1.0"?>'
_BOMB_SHARE = 0.05


def make_hostile_document(seed: int) -> tuple[str, bytes]:
    """Return the format and the bytes of a hostile document; the same for the same seed."""
    dice = random.Random(seed)
    if dice.random() < _BOMB_SHARE:
        name = dice.choice(sorted(BOMBS))
        form, make = BOMBS[name]
        return form, make(dice)
    form = dice.choice(sorted(FORMS))
    body = write_document(form, make_sample(dice))
    for _ in range(dice.randint(1, 3)):
        body = dice.choice(_MUTATIONS)(body, dice)
    return form, body


def make_sample(dice: random.Random) -> SampleDocument:
    """Return a document of random words."""
    pages = tuple(
        tuple(" ".join(dice.choices(WORDS, k=dice.randint(3, 40))) for _ in range(dice.randint(1, 5)))
        for _ in range(dice.randint(1, 4))
    )
    return SampleDocument("A hostile sample", "A. Writer", pages, (("http://a.example/next", "next"),))


# Mutations


def _cut(body: bytes, dice: random.Random) -> bytes:
    return body[: dice.randrange(len(body) + 1)]


def _flip_bits(body: bytes, dice: random.Random) -> bytes:
    found = bytearray(body)
    for _ in range(dice.randint(1, 30) if found else 0):
        found[dice.randrange(len(found))] ^= 1 << dice.randrange(8)
    return bytes(found)


def _insert_noise(body: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(body) + 1)
    return body[:at] + dice.randbytes(dice.randint(1, 2_000)) + body[at:]


def _repeat_piece(body: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(body) + 1)
    piece = body[at : at + dice.randint(1, 200)]
    return body[:at] + piece * dice.randint(2, 2_000) + body[at:]


def _swap_numbers(body: bytes, dice: random.Random) -> bytes:
    """Replace digits, so that lengths, counts and references are wrong."""
    found = bytearray(body)
    places = [at for at, byte in enumerate(found) if 48 <= byte <= 57]
    for at in dice.sample(places, min(len(places), 20)):
        found[at] = dice.choice(b"0123456789")
    return bytes(found)


def _mutate_members(body: bytes, dice: random.Random) -> bytes:
    """Mutate what is inside a ZIP file, which stays whole."""
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as file:
            members: dict[str, str | bytes] = {name: file.read(name) for name in file.namelist()}
    except (
        zipfile.BadZipFile,
        zlib.error,
        OSError,
        KeyError,
        ValueError,
        NotImplementedError,
        RuntimeError,
        EOFError,
    ):
        return _flip_bits(body, dice)
    for name in members:
        if dice.random() < 0.5:
            content = members[name]
            raw = content.encode() if isinstance(content, str) else content
            members[name] = dice.choice((_cut, _flip_bits, _insert_noise, _repeat_piece))(raw, dice)
    return pack(members)


_MUTATIONS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _cut,
    _flip_bits,
    _insert_noise,
    _repeat_piece,
    _swap_numbers,
    _mutate_members,
)

# Bombs


def _nest(depth: int, tag: str = "a") -> str:
    return f"<{tag}>" * depth + f"</{tag}>" * depth


def _make_zip_bomb(dice: random.Random) -> bytes:
    """Return a small Word document that unpacks to hundreds of megabytes."""
    piece = b"<w:p><w:t>" + b"A" * _MEGABYTE + b"</w:t></w:p>"
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("[Content_Types].xml", "<Types/>")
        with file.open("word/document.xml", "w", force_zip64=True) as stream:
            stream.write(b"<w:document>")
            for _ in range(dice.randint(60, 250)):
                stream.write(piece)
            stream.write(b"</w:document>")
    return body.getvalue()


def _make_row_bomb(dice: random.Random) -> bytes:
    """Return a workbook with millions of cells in a file of some hundred kilobytes."""
    rows = b"<row>" + b"<c><v>1</v></c>" * 1_000 + b"</row>"
    return pack(
        {
            "[Content_Types].xml": "<Types/>",
            "xl/workbook.xml": '<workbook><sheets><sheet name="s" r:id="s"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": '<R><Relationship Id="s" Type="x/worksheet" Target="s.xml"/></R>',
            "xl/s.xml": b"<worksheet>" + rows * dice.randint(1_500, 4_000) + b"</worksheet>",
        }
    )


def _make_laughs(dice: random.Random) -> bytes:
    """Return an OpenDocument text whose entities expand to a billion words."""
    levels = dice.randint(8, 12)
    entities = '<!ENTITY e0 "laugh">' + "".join(
        f'<!ENTITY e{at} "{f"&e{at - 1};" * 10}">' for at in range(1, levels)
    )
    content = f"{_XML}<!DOCTYPE d [{entities}]><d><p>&e{levels - 1};</p></d>"
    return pack({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content}, "mimetype")


def _make_deep_xml(dice: random.Random) -> bytes:
    """Return an OpenDocument text whose elements are nested a million deep."""
    content = _nest(dice.randint(100_000, 1_000_000))
    return pack({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content}, "mimetype")


def _make_many_members(dice: random.Random) -> bytes:
    """Return a ZIP file with far more members than any document has."""
    return pack(
        {"[Content_Types].xml": "", **{f"word/{at}": "" for at in range(dice.randint(21_000, 30_000))}}
    )


def _make_page_loop(dice: random.Random) -> bytes:  # noqa: ARG001 - as all bombs are called
    """Return a PDF file whose tree of pages contains itself."""
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Count 1000000000 /Kids [2 0 R 2 0 R 2 0 R] /Parent 2 0 R >>",
    }
    return join_objects(objects)


def _make_stream_bomb(dice: random.Random) -> bytes:
    """Return a PDF file whose page draws hundreds of megabytes of text, packed twice."""
    drawn = (
        b"BT /F1 9 Tf "
        + b"(AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA) Tj " * dice.randint(1_000_000, 4_000_000)
        + b"ET"
    )
    stream = zlib.compress(zlib.compress(drawn, 9), 9)
    return _make_one_page(
        b"<< /Length %d /Filter [/FlateDecode /FlateDecode] >>\nstream\n%s\nendstream" % (len(stream), stream)
    )


def _make_form_bomb(dice: random.Random) -> bytes:
    """Return a PDF file whose forms draw each other ten times each, level by level."""
    levels = dice.randint(7, 12)
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
        3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R "
        b"/Resources << /XObject << /X 5 0 R >> >> >>",
        4: _make_stream(b"/X Do"),
    }
    for level in range(levels):
        inner = b"/Resources << /XObject << /X %d 0 R >> >>" % (6 + level)
        objects[5 + level] = _make_stream(
            b"/X Do " * 10, b"/Type /XObject /Subtype /Form /BBox [0 0 600 800] " + inner
        )
    objects[5 + levels] = _make_stream(
        b"BT /F1 9 Tf (boom) Tj ET", b"/Type /XObject /Subtype /Form /BBox [0 0 9 9]"
    )
    return join_objects(objects)


def _make_deep_array(dice: random.Random) -> bytes:
    """Return a PDF file with arrays nested very deep."""
    depth = dice.randint(10_000, 500_000)
    return join_objects({1: b"<< /Type /Catalog /Pages " + b"[" * depth + b"]" * depth + b" >>"})


def _make_group_bomb(dice: random.Random) -> bytes:
    """Return a rich text with groups nested very deep."""
    depth = dice.randint(100_000, 1_000_000)
    return b"{\\rtf1 " + b"{\\b " * depth + b"x" + b"}" * depth + b"}"


def _make_quote_bomb(dice: random.Random) -> bytes:
    """Return a Markdown text of nested quotes, brackets and emphasis."""
    size = dice.randint(5_000, 50_000)
    return b"> " * size + b"[" * size + b"**a_" * size + b"`" * size


def _make_mail_bomb(dice: random.Random) -> bytes:
    """Return a message whose parts are nested in each other."""
    depth = dice.randint(500, 3_000)
    head = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (level, level) for level in range(depth)
    )
    return b"From a@a.example\nSubject: nested\n" + head + b"Content-Type: text/plain\n\nend\n"


def _make_feed_bomb(dice: random.Random) -> bytes:
    """Return a feed packed with gzip that unpacks to tens of megabytes."""
    packer = zlib.compressobj(9, wbits=31)
    parts = [packer.compress(b"<rss><channel><title>t</title>")]
    item = b"<item><title>" + b"A" * _MEGABYTE + b"</title></item>"
    parts += [packer.compress(item) for _ in range(dice.randint(30, 100))]
    return b"".join([*parts, packer.flush()])


def _make_pixel_bomb(dice: random.Random) -> bytes:  # noqa: ARG001 - as all bombs are called
    """Return a PNG image of nearly a million by a million pixels, with a text of thirty megabytes."""
    sample = SampleDocument("x", "x", (("x",),))
    body = bytearray(write_document("image", sample))
    body[16:24] = (999_999).to_bytes(4, "big") * 2
    text = b"Comment\0\0" + zlib.compress(b"A" * (30 * _MEGABYTE), 9)
    chunk = len(text).to_bytes(4, "big") + b"zTXt" + text
    return bytes(body[:33] + chunk + zlib.crc32(b"zTXt" + text).to_bytes(4, "big") + body[33:])


def _make_stream(data: bytes, more: bytes = b"") -> bytes:
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(data), more, data)


def _make_one_page(content: bytes) -> bytes:
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
        3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        4: content,
        5: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    }
    return join_objects(objects)


Bomb = Callable[[random.Random], bytes]
BOMBS: dict[str, tuple[str, Bomb]] = {
    "zip bomb": ("docx", _make_zip_bomb),
    "cells": ("xlsx", _make_row_bomb),
    "entities": ("odt", _make_laughs),
    "deep XML": ("odt", _make_deep_xml),
    "many members": ("docx", _make_many_members),
    "page loop": ("pdf", _make_page_loop),
    "packed twice": ("pdf", _make_stream_bomb),
    "forms in forms": ("pdf", _make_form_bomb),
    "deep arrays": ("pdf", _make_deep_array),
    "groups": ("rtf", _make_group_bomb),
    "quotes": ("markdown", _make_quote_bomb),
    "parts in parts": ("mail", _make_mail_bomb),
    "packed feed": ("feed", _make_feed_bomb),
    "pixels": ("image", _make_pixel_bomb),
}
"""By name: the format of a bomb, and how it is made."""
