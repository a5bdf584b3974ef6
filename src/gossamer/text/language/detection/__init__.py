"""Which language is a text in? From scores to verdicts, for texts, blocks and pages."""
