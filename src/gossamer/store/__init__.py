"""How is a web kept? State in a database, bytes in WARC files."""
