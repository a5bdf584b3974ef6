"""Leave passwords and cookies out of exported WARC records; archives of older versions hold them."""

import gzip
import re

from gossamer.config import from_json
from gossamer.net import fingerprint
from gossamer.net.secret_headers import redact_request, redact_response
from gossamer.store.archive import http_message
from gossamer.store.archive.warc_records import WarcRecord, pack_record
from gossamer.store.batch import Store

_LENGTH = re.compile(rb"^(content-length[ \t]*:)[^\r\n]*", re.IGNORECASE | re.MULTILINE)
_DIGEST = re.compile(rb"^(warc-block-digest[ \t]*:)[^\r\n]*", re.IGNORECASE | re.MULTILINE)
_END_OF_HEADER = b"\r\n\r\n"


def keeps_cookies(store: Store) -> bool:
    """Say whether a task of a web keeps cookies: then its responses hold cookies that servers know it by."""
    return any(from_json(note.spec).fetching.cookies for note in store.tasks())


def redact_block(record: WarcRecord, cookies: bool) -> bytes | None:
    """Return the block of a record without its secrets; None if it has none."""
    if record.type == "request":
        redact = redact_request
    elif cookies and record.type in ("response", "revisit"):
        redact = redact_response
    else:
        return None
    head, body = http_message.split_message(record.block)
    shown = redact(head)
    return shown + body if shown != head else None


def replace_block(packed: bytes, block: bytes) -> bytes:
    """Return a packed record with another block, and the length and the digest of that in its header."""
    header, _, _ = gzip.decompress(packed).partition(_END_OF_HEADER)
    header = _LENGTH.sub(rb"\1 %d" % len(block), header)
    header = _DIGEST.sub(rb"\1 " + fingerprint.digest(block).encode("ascii"), header)
    return pack_record(header + _END_OF_HEADER + block + _END_OF_HEADER)
