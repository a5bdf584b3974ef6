"""How do you serve pages that were saved before? WARC files and folders become hosts."""
