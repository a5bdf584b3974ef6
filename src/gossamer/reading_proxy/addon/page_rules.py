"""Which answers may be changed? Only whole HTML pages that a person opened, and whose server did not ask to leave them alone."""

import re
from collections.abc import Mapping
from typing import NamedTuple

_OK, _NO_CONTENT_TYPE = 200, ""
_NO_TRANSFORM = re.compile(r"(?:^|[\s,])no-transform(?:$|[\s,;])", re.IGNORECASE)
# Signatures and digests are over exactly these bytes (RFC 9421, RFC 9530, and the older Digest and Content-MD5).
_SIGNED = ("signature", "signature-input", "content-digest", "repr-digest", "digest", "content-md5")
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)
_WIDE = ("utf-16", "utf-32", "ucs-2", "ucs-4", "iso-10646")


class Exchange(NamedTuple):
    """A request and the head of its answer; names of headers are in lower case, repeated ones are joined by commas."""

    method: str
    asked: Mapping[str, str]
    status: int
    sent: Mapping[str, str]


def is_document_request(method: str, asked: Mapping[str, str]) -> bool:
    """Return whether a person opens a page by this request, as far as the browser says."""
    if method != "GET" or "range" in asked:
        return False
    destination = asked.get("sec-fetch-dest")
    return destination == "document" if destination is not None else "text/html" in asked.get("accept", "")


def find_reason_to_leave(exchange: Exchange) -> str:
    """Return why an answer must stay as it is; "" if it is a page that may be changed."""
    sent = exchange.sent
    kind = sent.get("content-type", _NO_CONTENT_TYPE).partition(";")[0].strip().lower()
    encoding = sent.get("content-encoding", "identity").strip().lower()
    checks = (
        (not is_document_request(exchange.method, exchange.asked), "no page that a person opens"),
        (exchange.status != _OK, "no whole answer"),
        (kind != "text/html", "no HTML"),
        (sent.get("content-disposition", "inline").strip().lower()[:6] != "inline", "a download"),
        (bool(_NO_TRANSFORM.search(sent.get("cache-control", ""))), "the server asks for no changes"),
        (
            bool(_NO_TRANSFORM.search(exchange.asked.get("cache-control", ""))),
            "the browser asks for no changes",
        ),
        (any(name in sent for name in _SIGNED), "signed"),
        ("trailer" in sent, "headers follow the body"),
        (encoding not in ("identity", "gzip", "x-gzip"), "an encoding that is not read"),
        (find_charset(sent).startswith(_WIDE), "a character set that is not read"),
        (
            sent.get("cross-origin-embedder-policy", "unsafe-none").partition(";")[0].strip()
            != "unsafe-none",
            "isolated",
        ),
    )
    return next((reason for applies, reason in checks if applies), "")


def find_charset(sent: Mapping[str, str]) -> str:
    """Return the character set that the server declares; "" if it declares none."""
    found = _CHARSET.search(sent.get("content-type", ""))
    return found[1].lower() if found else ""
