"""How do other programs get the pages of a crawl while it runs? As JSON lines or WARC records, in order, each once."""
