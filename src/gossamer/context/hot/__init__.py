"""Which words and stories rise in a web? The texts of days and weeks, kept as terms, and refreshed with the crawl."""
