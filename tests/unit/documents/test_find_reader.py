import pytest

from gossamer.documents import find_reader as finding
from gossamer.documents.document_content import UnreadableDocument
from gossamer.documents.find_reader import BUILT_INS, choose_reader, find_missing_package, find_reader

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


@pytest.mark.parametrize(
    ("kind", "label", "body", "url", "reader"),
    [
        ("text", "text/plain", b"x", "http://a.example/x.txt", "text"),
        ("text", "text/plain", b"x", "http://a.example/README.md?raw=1", "markdown"),
        ("text", "text/markdown; charset=utf-8", b"x", "http://a.example/x", "markdown"),
        ("text", "message/rfc822", b"Subject: x\n\nx", "http://a.example/x", "mail"),
        ("text", "message/rfc822", b"no header", "http://a.example/x", "text"),
        ("image", "image/svg+xml", b"<svg>", "http://a.example/x.svg", ""),
        ("office", "application/msword", OLE, "http://a.example/x.doc", "ole"),
        ("office", "application/zip", b"PK\x03\x04 nothing", "http://a.example/x.docx", ""),
        ("video", "video/mp4", b"x", "http://a.example/x", ""),
        ("text", "text/plain", b"x", "http://[", "text"),
    ],
)
def test_the_reader_of_a_response(kind: str, label: str, body: bytes, url: str, reader: str) -> None:
    assert choose_reader(kind, label, body, url) == reader


def test_every_built_in_reader_is_where_its_entry_says() -> None:
    for name in BUILT_INS:
        assert callable(find_reader(name))
        assert find_missing_package(name) == ""
    assert find_reader("unheard of") is None


def test_older_office_files_are_explained() -> None:
    reader = find_reader("ole")
    assert reader is not None
    with pytest.raises(UnreadableDocument, match="unsupported: files of Office before 2007"):
        reader(OLE, "")
    with pytest.raises(UnreadableDocument, match="encrypted"):
        reader(OLE + "EncryptedPackage".encode("utf-16-le"), "")


def test_a_plug_in_wins_by_its_media_type() -> None:
    plugins = {"application/x-chess": "chess", "application/pdf": "my-pdf"}
    url = "http://a.example/x"
    assert choose_reader("binary", "Application/X-Chess; v=2", b"x", url, plugins) == "plugin:chess"
    assert choose_reader("pdf", "application/pdf", b"%PDF-", url, plugins) == "plugin:my-pdf"
    assert choose_reader("pdf", "application/pdf", b"%PDF-", url) == "pdf"


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "find_spec", lambda name: None)
    find_missing_package.cache_clear()
    try:
        assert find_missing_package("image") == "pillow"
        assert find_missing_package("docx") == ""
    finally:
        find_missing_package.cache_clear()
