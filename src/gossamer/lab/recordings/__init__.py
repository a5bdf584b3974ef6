"""How is a recording served again? WARC files and folders as hosts."""
