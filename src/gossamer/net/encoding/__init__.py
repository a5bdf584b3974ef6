"""Which characters do these bytes encode? Detection and decoding by the WHATWG Encoding Standard."""

from gossamer.net.encoding.decode_text import as_utf8, decode, encoding_of, header_encoding

__all__ = ["as_utf8", "decode", "encoding_of", "header_encoding"]
