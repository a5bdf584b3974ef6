"""Which characters are these bytes? The encoding of a page, found and decoded by the WHATWG standard."""

from gossamer.net.encoding.decode_text import as_utf8, decode, encoding_of, header_encoding

__all__ = ["as_utf8", "decode", "encoding_of", "header_encoding"]
