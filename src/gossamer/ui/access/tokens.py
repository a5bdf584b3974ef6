"""Tokens: random secrets by which a server knows its users. Only their digests are stored."""

import hashlib
import secrets

_RANDOM_BYTES = 24


def make_token() -> str:
    """Return a new token of 192 random bits, in characters that need no quoting."""
    return secrets.token_urlsafe(_RANDOM_BYTES)


def digest_token(token: str) -> str:
    """Return what is stored of a token.

    A plain SHA-256 is enough: 192 random bits cannot be guessed by trying, unlike passwords.
    """
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
