"""Any bytes can be decoded, and decoding reverses encoding if the encoding is declared."""

from hypothesis import given
from hypothesis import strategies as st

from gossamer.net.encoding import decode
from gossamer.net.encoding.encoding_labels import NAMES
from gossamer.net.encoding.whatwg_codecs import decode_as

NAMED = st.sampled_from(sorted(NAMES))
LABELLED = NAMED.map(lambda name: f"text/html; charset={name}")
MARKUP = st.text(alphabet="<!-meta charset='\"=/>utf8?xml encoding\x1b$B\0é", max_size=200)


@given(st.binary(max_size=300) | MARKUP.map(str.encode), st.none() | st.text(max_size=40) | LABELLED)
def test_any_bytes_can_be_decoded(body: bytes, content_type: str | None) -> None:
    text, name = decode(body, content_type)
    assert name in NAMES
    text.encode("utf-8")  # no lone surrogate comes out


@given(st.text(), st.sampled_from(["utf-8", "utf-16le", "utf-16be", "gb18030"]))
def test_decoding_reverses_encoding(text: str, label: str) -> None:
    codec = {"utf-16le": "utf-16-le", "utf-16be": "utf-16-be"}.get(label, label)
    if text.startswith("\ufeff"):
        return
    body = text.encode(codec)
    if not body.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        assert decode(body, f"text/html; charset={label}")[0] == text


@given(st.text())
def test_undeclared_utf8_is_decoded(text: str) -> None:
    body = ("<p>" + text.replace("\0", "").replace("\x1b", "")).encode()
    decoded, name = decode(body)
    assert (decoded.encode(), name) == (body, "UTF-8")


@given(st.text(alphabet=st.characters(max_codepoint=127)), NAMED)
def test_ascii_is_the_same_in_all_encodings_that_include_it(text: str, name: str) -> None:
    if name not in ("UTF-16LE", "UTF-16BE", "replacement", "ISO-2022-JP"):
        assert decode_as(text.encode("ascii"), name) == text


@given(st.binary(max_size=60), NAMED)
def test_markup_survives_any_bytes_before_it(junk: bytes, name: str) -> None:
    if name not in ("UTF-16LE", "UTF-16BE", "replacement", "ISO-2022-JP", "gb18030", "GBK"):
        assert decode_as(junk + b"\n<p>", name).endswith("<p>")
