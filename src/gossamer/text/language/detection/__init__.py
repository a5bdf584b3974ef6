"""Which language is a text, a block or a page in? From scores to verdicts."""
