"""Was this content seen before, or nearly? Digests of bytes, of words, and near fingerprints."""

from gossamer.net.fingerprint.page_fingerprints import (
    digest,
    distance,
    simhash,
    text_digest,
    text_fingerprints,
)

__all__ = ["digest", "distance", "simhash", "text_digest", "text_fingerprints"]
