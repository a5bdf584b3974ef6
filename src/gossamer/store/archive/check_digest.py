"""Compare WARC records with the digests in their headers."""

from typing import TYPE_CHECKING

from gossamer.net import fingerprint
from gossamer.store.archive import http_message

if TYPE_CHECKING:
    from gossamer.store.archive.warc_records import WarcRecord

_BASE32_SHA1_LETTERS = 32


def matches_digest(record: "WarcRecord") -> bool:
    """Return whether a block matches its block or payload digest; without a digest, assume that it does."""
    fields = record.headers
    if _is_sha1(block_digest := fields.get("warc-block-digest", "")):
        return _sha1(record.block) == block_digest[5:].upper()
    if record.type != "response" or not _is_sha1(payload_digest := fields.get("warc-payload-digest", "")):
        return True
    head, body = http_message.split_message(record.block)
    # Some programs hash the chunked body, some the decoded one.
    payloads = {body, http_message.decode_transfer(http_message.parse_headers(head), body)}
    return payload_digest[5:].upper() in map(_sha1, payloads)


def has_digest(record: "WarcRecord") -> bool:
    """Return whether a record has a digest that can be compared."""
    return any(_is_sha1(record.headers.get(f"warc-{what}-digest", "")) for what in ("block", "payload"))


def find_payload_digest(record: "WarcRecord") -> str:
    """Return the payload digest of a record; of a response without one, that of its payload, else ""."""
    if _is_sha1(digest := record.headers.get("warc-payload-digest", "")):
        return f"sha1:{digest[5:].upper()}"
    if record.type != "response":
        return ""
    head, body = http_message.split_message(record.block)
    return fingerprint.digest(http_message.decode_transfer(http_message.parse_headers(head), body))


def _is_sha1(digest: str) -> bool:
    return digest[:5].lower() == "sha1:" and len(digest) == 5 + _BASE32_SHA1_LETTERS


def _sha1(data: bytes) -> str:
    return fingerprint.digest(data)[5:]
