"""Which pages are shown in a browser, and what comes of it? Signs, what was learnt from them, and records."""
