"""Which passage answers a question? The best pieces of text of a collection, each with its source."""
