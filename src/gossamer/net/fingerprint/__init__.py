"""Was this content, or nearly this content, seen before? Digests of bytes and of words, and simhashes."""

from gossamer.net.fingerprint.page_fingerprints import (
    digest,
    distance,
    simhash,
    text_digest,
    text_fingerprints,
)

__all__ = ["digest", "distance", "simhash", "text_digest", "text_fingerprints"]
