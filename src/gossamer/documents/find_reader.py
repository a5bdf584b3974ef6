"""Find the reader of a document: a plug-in for its media type, or else the built-in one for its format."""

import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from urllib.parse import urlsplit

import msgspec

from gossamer.documents.document_content import DocumentContent, UnreadableDocument
from gossamer.documents.plugin_readers import (
    NO_READERS,
    PluginReader,
    PluginReaders,
    is_plugin,
    name_reader,
)
from gossamer.errors import BadInput

PLAIN_TEXT = "text"
Reader = Callable[[bytes, str], DocumentContent]
"""Reads the body of a document, given its URL."""

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_RTF = b"{\\rtf"
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
_OPEN_DOCUMENT = re.compile(rb"PK\x03\x04.{26}mimetypeapplication/vnd\.(?:oasis|sun)", re.DOTALL)
_EPUB = re.compile(rb"PK\x03\x04.{26}mimetypeapplication/epub", re.DOTALL)
# The list of members is at the end of a ZIP file.
_LIST_BYTES = 200_000
_MAIN_PARTS = {b"word/document": "docx", b"xl/workbook": "xlsx", b"ppt/presentation": "pptx"}
_MARKDOWN_LABELS = ("text/markdown", "text/x-markdown")
_MAIL_LABELS = ("application/mbox", "message/rfc822")
_MAIL_START = re.compile(rb"From \S|[!-9;-~]+: ")


class BuiltInReader(msgspec.Struct, frozen=True):
    """Where a reader of ours is, and the package that it needs beyond the base installation."""

    module: str
    function: str
    package: str = ""
    """The name of the package as pip knows it, and of its module if that differs: pillow:PIL."""


_ROOM = "gossamer.documents"
BUILT_INS = {
    "pdf": BuiltInReader(f"{_ROOM}.formats.pdf", "read_pdf", "pypdfium2"),
    "docx": BuiltInReader(f"{_ROOM}.zipped.docx", "read_docx"),
    "xlsx": BuiltInReader(f"{_ROOM}.zipped.xlsx", "read_xlsx"),
    "pptx": BuiltInReader(f"{_ROOM}.zipped.pptx", "read_pptx"),
    "odt": BuiltInReader(f"{_ROOM}.zipped.open_document", "read_open_document"),
    "epub": BuiltInReader(f"{_ROOM}.zipped.epub", "read_epub"),
    "rtf": BuiltInReader(f"{_ROOM}.formats.rtf", "read_rtf", "striprtf"),
    "markdown": BuiltInReader(f"{_ROOM}.formats.markdown", "read_markdown", "markdown-it-py:markdown_it"),
    "mail": BuiltInReader(f"{_ROOM}.formats.mail", "read_mail"),
    "feed": BuiltInReader(f"{_ROOM}.formats.feed", "read_feed"),
    "image": BuiltInReader(f"{_ROOM}.formats.image", "read_image", "pillow:PIL"),
    "ole": BuiltInReader(f"{_ROOM}.find_reader", "refuse_ole"),
}
"""The readers by format; odt reads all OpenDocument files, ole explains why older Office files are not read."""


def choose_reader(
    kind: str, content_type: str | None, body: bytes, url: str, plugins: PluginReaders = NO_READERS
) -> str:
    """Name the reader of a response: a plug-in for its media type, or a format; "" if there is none."""
    label = (content_type or "").partition(";")[0].strip().lower()
    return name_reader(plugins[label]) if label in plugins else _choose_format(kind, label, body, url)


def _choose_format(kind: str, label: str, body: bytes, url: str) -> str:
    match kind:
        case "pdf" | "feed":
            return kind
        case "image":
            return "" if label == "image/svg+xml" or body.lstrip()[:1] == b"<" else kind
        case "text":
            return _choose_text_format(label, body, url)
        case "office":
            return _choose_office_format(body)
    return ""


def _choose_text_format(label: str, body: bytes, url: str) -> str:
    try:
        name = urlsplit(url).path.lower()
    except ValueError:
        name = ""
    if label in _MARKDOWN_LABELS or name.endswith((".md", ".markdown")):
        return "markdown"
    if (label in _MAIL_LABELS or name.endswith((".mbox", ".eml"))) and _MAIL_START.match(body):
        return "mail"
    return PLAIN_TEXT


def _choose_office_format(body: bytes) -> str:
    if body.startswith(_OLE):
        return "ole"
    if body.lstrip()[:5] == _RTF:
        return "rtf"
    if _EPUB.match(body):
        return "epub"
    if _OPEN_DOCUMENT.match(body):
        return "odt"
    end = body[-_LIST_BYTES:]
    for part, found in _MAIN_PARTS.items():
        if part in end:
            return found
    return next((found for part, found in _MAIN_PARTS.items() if part in body), "")


def find_reader(name: str) -> Reader | None:
    """Return the reader with this name, ours or a plug-in; None if there is none.

    Raises `MissingExtra` if its package is not installed.
    """
    if is_plugin(name):
        try:
            return PluginReader(name)
        except BadInput:  # not installed here, or broken
            return None
    built_in = BUILT_INS.get(name)
    return getattr(import_module(built_in.module), built_in.function) if built_in is not None else None


@cache
def find_missing_package(name: str) -> str:
    """Return the package that a reader needs and that is not installed; "" if there is none."""
    if name not in BUILT_INS:
        return ""
    package, _, module = BUILT_INS[name].package.partition(":")
    return package if package and find_spec(module or package) is None else ""


def refuse_ole(body: bytes, url: str) -> DocumentContent:  # noqa: ARG001 - as readers are called
    """Say why a file of older Office programs is not read: it is encrypted, or its format has no reader."""
    if _ENCRYPTED_PACKAGE in body:
        raise UnreadableDocument("encrypted", "it needs a password")
    raise UnreadableDocument("unsupported", "files of Office before 2007 (doc, xls, ppt) have no reader")
