"""Keeping: the state of a web in a database, its bytes in WARC files."""
