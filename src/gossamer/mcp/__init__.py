"""How do language models and their programs read a collection? By the Model Context Protocol, read-only."""
