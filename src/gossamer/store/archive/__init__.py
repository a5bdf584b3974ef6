"""How are the bytes of a web kept? WARC files with CDXJ indexes, written and read."""
