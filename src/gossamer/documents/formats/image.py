"""Read the texts that images carry with Pillow: EXIF, IPTC, XMP and PNG fields. No pixel is decoded."""

import io
import re
from collections.abc import Iterator

from gossamer.documents.document_content import DocumentContent, DocumentPart, UnreadableDocument
from gossamer.documents.formats.xml_events import XmlEvents
from gossamer.errors import MissingExtra

try:
    from PIL import ExifTags, Image, ImageFile, IptcImagePlugin, UnidentifiedImageError
    from PIL.ExifTags import Base
except ModuleNotFoundError:
    raise MissingExtra("documents", "pillow") from None

Image.init()  # now: later no file can be opened
_LONGEST_TEXT = 20_000
_TITLE, _AUTHOR, _DATE, _TEXT = "title", "author", "date", "text"
_EXIF: dict[int, str] = {
    Base.XPTitle: _TITLE,
    Base.Artist: _AUTHOR,
    Base.XPAuthor: _AUTHOR,
    Base.DateTimeOriginal: _DATE,
    Base.DateTime: _DATE,
    Base.ImageDescription: _TEXT,
    Base.UserComment: _TEXT,
    Base.XPComment: _TEXT,
    Base.XPSubject: _TEXT,
    Base.XPKeywords: _TEXT,
    Base.Copyright: _TEXT,
}
_UTF_16 = {Base.XPTitle, Base.XPAuthor, Base.XPComment, Base.XPSubject, Base.XPKeywords}
# Of the second record: object name, by-line, caption, keywords, city, country, headline.
_IPTC = {
    (2, 5): _TITLE,
    (2, 80): _AUTHOR,
    (2, 120): _TEXT,
    (2, 25): _TEXT,
    (2, 90): _TEXT,
    (2, 101): _TEXT,
    (2, 105): _TITLE,
}
_XMP = {
    "title": _TITLE,
    "creator": _AUTHOR,
    "description": _TEXT,
    "subject": _TEXT,
    "Headline": _TITLE,
    "rights": _TEXT,
}
_PNG = {
    "title": _TITLE,
    "author": _AUTHOR,
    "description": _TEXT,
    "comment": _TEXT,
    "copyright": _TEXT,
    "creation time": _DATE,
}
_COMMENT_CODE = re.compile(rb"(ASCII|UNICODE|JIS)\0+|\0{8}")
# What programs write when there is nothing to say.
_EMPTY = re.compile(
    r"(?i)\W*$|(?:default|unknown|digital ?camera|screenshot|created with .*|.*(?:jpeg|gd) v?\d.*|OLYMPUS .*)$"
)
_FAULTS = (
    OSError,
    SyntaxError,
    ValueError,
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    OverflowError,
    EOFError,
)

Field = tuple[str, str]


def read_image(body: bytes, url: str) -> DocumentContent:  # noqa: ARG001 - readers take the URL
    """Read the texts of an image; most have none."""
    try:
        with Image.open(io.BytesIO(body)) as image:
            found = list(_list_fields(image))
    except Image.DecompressionBombError:
        raise UnreadableDocument("too large", "it has too many pixels") from None
    except UnidentifiedImageError:
        raise UnreadableDocument("broken", "it is not an image of a known format") from None
    except _FAULTS as error:
        raise UnreadableDocument("broken", str(error).replace("\n", " ")[:200]) from None
    by_kind: dict[str, list[str]] = {}
    for kind, value in found:
        value = " ".join(value.replace("\0", " ").split())[:_LONGEST_TEXT]
        if not _EMPTY.match(value) and value not in by_kind.setdefault(kind, []):
            by_kind[kind].append(value)
    texts = [value for kind in (_TITLE, _TEXT, _AUTHOR) for value in by_kind.get(kind, ())]
    date = by_kind.get(_DATE, [""])[0] if texts else ""
    return DocumentContent(
        format="image",
        title=by_kind.get(_TITLE, [""])[0],
        author="; ".join(by_kind.get(_AUTHOR, ())),
        date=re.sub(r"^(\d{4}):(\d\d):(\d\d)", r"\1-\2-\3", date),
        parts=(DocumentPart("", "\n".join(texts)),) if texts else (),
    )


def _list_fields(image: Image.Image) -> Iterator[Field]:
    for read in (_list_exif, _list_iptc, _list_xmp, _list_png):
        try:
            yield from read(image)
        except _FAULTS:  # one faulty block does not hide the others
            continue


def _list_exif(image: Image.Image) -> Iterator[Field]:
    exif = image.getexif()
    for tags in (exif, exif.get_ifd(ExifTags.IFD.Exif)):
        for tag, value in tags.items():
            kind = _EXIF.get(tag)
            if kind is not None:
                yield kind, _decode_exif(tag, value)


def _decode_exif(tag: int, value: object) -> str:
    if isinstance(value, tuple):
        value = bytes(number & 0xFF for number in value if isinstance(number, int))
    if not isinstance(value, bytes):
        return str(value)
    if tag in _UTF_16:
        return value.decode("utf-16-le", "replace")
    if (found := _COMMENT_CODE.match(value)) is not None:
        return value[8:].decode("utf-16" if found[1] == b"UNICODE" else "utf-8", "replace")
    return value.decode("utf-8", "replace")


def _list_iptc(image: Image.Image) -> Iterator[Field]:
    if not isinstance(image, ImageFile.ImageFile):
        return
    for key, value in (IptcImagePlugin.getiptcinfo(image) or {}).items():
        kind = _IPTC.get(key)
        for one in value if isinstance(value, list) else [value]:
            if kind is not None and isinstance(one, bytes):
                yield kind, one.decode("utf-8", "replace")


def _list_xmp(image: Image.Image) -> Iterator[Field]:
    source = image.info.get("xmp") or image.info.get("XML:com.adobe.xmp") or b""
    found: list[Field] = []
    inside: list[str] = []

    def add_text(value: str) -> None:
        kind = next((_XMP[name] for name in reversed(inside) if name in _XMP), None)
        if kind is not None and value.strip():
            found.append((kind, value))

    def end(name: str) -> None:  # noqa: ARG001 - as the parser calls it
        inside.pop()

    events = XmlEvents(lambda name, _: inside.append(name), end, add_text)
    events.read([source.encode() if isinstance(source, str) else source.strip(b"\0")])
    return iter(found)


def _list_png(image: Image.Image) -> Iterator[Field]:
    for name, value in image.info.items():
        kind = _PNG.get(name.lower()) if isinstance(name, str) else None
        if kind is not None and isinstance(value, str | bytes):
            yield kind, value if isinstance(value, str) else value.decode("utf-8", "replace")
