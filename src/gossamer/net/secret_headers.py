"""Replaces the values of header lines that hold secrets: passwords and cookies must not reach an archive."""

import re

HIDDEN = b"(redacted)"
"""What stands in a recorded head in place of a secret."""

# A value may continue on lines that begin with white space (RFC 9112, section 5.2).
_VALUE = rb"[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*"
_SENT = re.compile(rb"^((?:proxy-)?authorization|cookie2?)" + _VALUE, re.IGNORECASE | re.MULTILINE)
_COOKIES = re.compile(rb"^cookie2?[ \t]*:", re.IGNORECASE | re.MULTILINE)
_RECEIVED = re.compile(rb"^(set-cookie2?)" + _VALUE, re.IGNORECASE | re.MULTILINE)


def redact_request(head: bytes) -> bytes:
    """Return the head of a request without passwords and cookies."""
    return _SENT.sub(_hide_value, head)


def sends_cookies(head: bytes) -> bool:
    """Return whether the head of a request has cookies, redacted or not."""
    return _COOKIES.search(head) is not None


def redact_response(head: bytes) -> bytes:
    """Return the head of a response without the cookies that it sets."""
    return _RECEIVED.sub(_hide_value, head)


def _hide_value(found: re.Match[bytes]) -> bytes:
    return found[1] + b": " + HIDDEN + (b"\r" if found[0].endswith(b"\r") else b"")
