"""How do index and models reach every machine? As immutable versions in the shared archive, by one writer at a time."""
